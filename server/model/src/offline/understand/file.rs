//! Rules for wishes about files.

use super::{Wish, is_ideograph, words};
use crate::offline::cursor::Cursor;

pub(super) fn list(cursor: &mut Cursor<'_>) -> Option<Wish> {
    if cursor.eat(&["what files are there", "which files are there", "有哪些文件", "有什么文件"])
    {
        return Some(Wish::List(None));
    }
    if cursor.eat(&["ls"]) {
        return Some(Wish::List(cursor.attempt(|cursor| word(cursor, |_| true))));
    }
    if !cursor.eat(&["list", "show me", "show", "列出", "显示", "看看"]) {
        return None;
    }
    cursor.eat_all(&["all", "the", "一下", "所有", "全部", "当前", "这里"]);
    let before = cursor.attempt(folder);
    cursor.eat_all(&["目录", "文件夹", "下面", "里面", "下", "里", "中", "所有", "全部", "的"]);
    if !cursor.eat(&["files", "文件列表", "文件"]) {
        return None;
    }
    // "显示文件 a.txt" names a file.
    if cursor.attempt(path).is_some() {
        return None;
    }
    let after = cursor.attempt(|cursor| {
        if !cursor.eat(&["in", "of", "under"]) {
            return None;
        }
        cursor.eat_all(&["the", "this", "current", "folder", "directory"]);
        Some(cursor.attempt(|cursor| word(cursor, |_| true)))
    });
    cursor.eat(&["folder", "directory"]);
    Some(Wish::List(before.or(after.flatten())))
}

/// A folder before the word for folder: `src/`, `src 目录`.
fn folder(cursor: &mut Cursor<'_>) -> Option<String> {
    let name = word(cursor, |_| true)?;
    let marked = name.ends_with('/') || cursor.eat(&["目录", "文件夹", "下", "里", "中"]);
    marked.then_some(name)
}

pub(super) fn show(cursor: &mut Cursor<'_>, last_file: Option<&str>) -> Option<Wish> {
    if !cursor.eat(&words::SHOW) {
        return None;
    }
    let file = if cursor.eat(&words::IT) {
        last_file?.to_owned()
    } else {
        cursor.eat_all(&words::BEFORE_SHOWN);
        if cursor.eat(&words::IT) { last_file?.to_owned() } else { path(cursor)? }
    };
    cursor.eat_all(&["back", "again", "to me", "文件", "的全部内容", "的内容", "内容"]);
    Some(Wish::Show(file))
}

/// Content first, file second: `write "x" to a.txt`, `把“x”写入 a.txt`.
pub(super) fn put(cursor: &mut Cursor<'_>) -> Option<Wish> {
    if !cursor.eat(&["write", "put", "save", "把", "将"]) {
        return None;
    }
    let content = unescaped(cursor.quoted()?);
    if !cursor.eat(&["into", "to", "in", "写入到", "写入", "写到", "保存到", "存到", "放到"])
    {
        return None;
    }
    cursor.eat_all(&["the file", "file", "a file called", "文件"]);
    let file = path(cursor)?;
    cursor.eat(&["文件里", "文件中", "文件", "里", "中"]);
    Some(Wish::Create { file, content })
}

pub(super) fn create(cursor: &mut Cursor<'_>) -> Option<Wish> {
    if !cursor.eat(&words::CREATE) {
        return None;
    }
    cursor.eat_all(&words::BEFORE_CREATED);
    let file = path(cursor)?;
    let content = cursor.attempt(content).unwrap_or_default();
    Some(Wish::Create { file, content })
}

fn content(cursor: &mut Cursor<'_>) -> Option<String> {
    cursor.eat(&["file", "文件"]);
    cursor.eat(&[",", "，", "。"]);
    if !cursor.eat(&words::CONTENT) && !cursor.rest().starts_with([':', '：']) {
        return None;
    }
    cursor.eat_all(&[":", "："]);
    if let Some(block) = cursor.fenced() {
        return Some(block.trim_end_matches('\n').to_owned());
    }
    if let Some(text) = cursor.quoted() {
        return Some(unescaped(text));
    }
    if cursor.rest().starts_with(['\n', '\r']) {
        return Some(cursor.everything().trim_matches(['\n', '\r', ' ']).to_owned());
    }
    Some(cursor.until_link().to_owned())
}

/// A person who writes `\n` between quotation marks means a new line.
fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n")
}

/// A path, quoted or as one word that looks like a file's name.
fn path(cursor: &mut Cursor<'_>) -> Option<String> {
    word(cursor, looks_like_file)
}

fn word(cursor: &mut Cursor<'_>, fits: impl Fn(&str) -> bool) -> Option<String> {
    if let Some(name) = cursor.quoted() {
        let name = name.trim();
        return (!name.is_empty() && !name.contains('\n')).then(|| name.to_owned());
    }
    cursor.skip_blanks();
    let rest = cursor.rest();
    let latin = rest.starts_with(|c: char| c.is_ascii());
    let ends = |c: char| {
        c.is_whitespace()
            || ",;:，。：；、！？!?\"'`“”（）()".contains(c)
            || (latin && is_ideograph(c))
    };
    let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
    let word = word.strip_suffix('.').unwrap_or(word);
    (!word.is_empty() && fits(word)).then(|| cursor.take(word.len()).to_owned())
}

fn looks_like_file(word: &str) -> bool {
    let stem = word.trim_start_matches(['.', '/']);
    let dotted = word.rsplit_once('.').is_some_and(|(_, ending)| {
        !ending.is_empty() && ending.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    let capital = word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    !stem.is_empty()
        && (dotted || word.contains('/') || capital || matches!(word, "Makefile" | "Dockerfile"))
}
