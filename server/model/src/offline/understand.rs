//! What a person asks for, by fixed rules in English and Chinese.

use super::cursor::Cursor;

/// One thing a person asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wish {
    /// Make a file.
    Create {
        /// Its path.
        file: String,
        /// What stands in it.
        content: String,
    },
    /// Run a command.
    Run(String),
    /// Show a file.
    Show(String),
    /// List the files of a folder; the working folder when none is named.
    List(Option<String>),
    /// Note the steps of a plan.
    Plan(Vec<String>),
    /// Leave files that exist as they are.
    KeepExisting,
    /// Words that no rule fits, beside some that one does.
    Unclear(String),
    /// Nothing fits: say what fits.
    Explain,
}

/// The language of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Chinese,
}

impl Language {
    pub(super) fn of(text: &str) -> Self {
        if text.chars().any(is_ideograph) { Self::Chinese } else { Self::English }
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

/// Reads a message. `last_file` is what "it" means: the file named last, also in an earlier
/// message.
pub(super) fn understand(text: &str, last_file: &mut Option<String>) -> Vec<Wish> {
    let mut cursor = Cursor::new(text.trim());
    let mut wishes = Vec::new();
    loop {
        skip_fillers(&mut cursor);
        if cursor.is_at_end() {
            break;
        }
        if let Some(wish) = one(&mut cursor, last_file) {
            wishes.push(wish);
            continue;
        }
        let clause = cursor.clause();
        if !clause.is_empty() {
            wishes.push(Wish::Unclear(clause.to_owned()));
        }
    }
    if wishes.iter().all(|wish| matches!(wish, Wish::Unclear(_))) {
        return vec![Wish::Explain];
    }
    wishes
}

/// Politeness, order words, numbering and marks between requests.
fn skip_fillers(cursor: &mut Cursor<'_>) {
    const WORDS: [&str; 34] = [
        "please",
        "and then",
        "then",
        "and",
        "also",
        "now",
        "first",
        "next",
        "finally",
        "after that",
        "afterwards",
        "can you",
        "could you",
        "would you",
        "i want you to",
        "hello",
        "hi",
        "thanks",
        "thank you",
        "请",
        "然后",
        "接着",
        "随后",
        "之后",
        "再",
        "最后",
        "首先",
        "先",
        "并且",
        "并",
        "帮我",
        "麻烦你",
        "现在",
        "你好",
    ];
    loop {
        let before = cursor.rest().len();
        cursor.skip_while(|c| c.is_whitespace() || ",.;:!?-*，。；：！？、)）".contains(c));
        cursor.attempt(|cursor| {
            cursor.skip_while(|c| c.is_ascii_digit());
            cursor.rest().starts_with(['.', ')', '、']).then_some(())
        });
        cursor.eat(&WORDS);
        if cursor.rest().len() == before {
            return;
        }
    }
}

fn one(cursor: &mut Cursor<'_>, last_file: &mut Option<String>) -> Option<Wish> {
    let wish = cursor
        .attempt(keep_existing)
        .or_else(|| cursor.attempt(plan))
        .or_else(|| cursor.attempt(list))
        .or_else(|| cursor.attempt(|cursor| show(cursor, last_file.as_deref())))
        .or_else(|| cursor.attempt(run))
        .or_else(|| cursor.attempt(put))
        .or_else(|| cursor.attempt(create))?;
    if let Wish::Create { file, .. } | Wish::Show(file) = &wish {
        *last_file = Some(file.clone());
    }
    Some(wish)
}

fn keep_existing(cursor: &mut Cursor<'_>) -> Option<Wish> {
    const WORDS: [&str; 9] = [
        "do not overwrite",
        "don't overwrite",
        "don’t overwrite",
        "never overwrite",
        "不要覆盖",
        "不得覆盖",
        "不能覆盖",
        "别覆盖",
        "请勿覆盖",
    ];
    cursor.eat(&WORDS).then(|| {
        cursor.clause();
        Wish::KeepExisting
    })
}

fn plan(cursor: &mut Cursor<'_>) -> Option<Wish> {
    cursor.eat(&[
        "make a",
        "write a",
        "set up a",
        "create a",
        "制定一个",
        "制定",
        "做一个",
        "写一个",
        "列一个",
    ]);
    if !cursor.eat(&["plan", "计划", "规划"]) {
        return None;
    }
    cursor.eat_all(&[
        "as follows",
        "with these steps",
        "the steps",
        "steps",
        "步骤",
        "如下",
        ":",
        "：",
    ]);
    let steps = if cursor.rest().starts_with('\n') {
        cursor.everything()
    } else {
        let line = cursor.rest().split('\n').next().unwrap_or_default();
        let line = line.split_inclusive('。').next().unwrap_or_default();
        cursor.take(line.len())
    };
    let steps = steps_of(steps);
    (!steps.is_empty()).then_some(Wish::Plan(steps))
}

fn steps_of(text: &str) -> Vec<String> {
    let text = text.replace(" then ", "\n").replace("然后", "\n");
    let marks = |c: char| matches!(c, '\n' | ',' | ';' | '，' | '；' | '、' | '。');
    let step = |step: &str| {
        let step = step.trim().trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, '-' | '*' | '.' | ')' | ' ' | '（' | '）')
        });
        let step = step.strip_prefix("and ").or(step.strip_prefix("then ")).unwrap_or(step);
        step.trim_end_matches(['.', ' ']).to_owned()
    };
    text.split(marks).map(step).filter(|step| !step.is_empty()).collect()
}

fn list(cursor: &mut Cursor<'_>) -> Option<Wish> {
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

fn show(cursor: &mut Cursor<'_>, last_file: Option<&str>) -> Option<Wish> {
    const VERBS: [&str; 18] = [
        "show",
        "read",
        "print",
        "display",
        "cat",
        "view",
        "open",
        "check",
        "显示",
        "查看",
        "读取",
        "读出",
        "读回",
        "读一下",
        "读",
        "打开",
        "看一下",
        "看看",
    ];
    const BETWEEN: [&str; 13] = [
        "me",
        "back",
        "the contents of",
        "the content of",
        "contents of",
        "content of",
        "the file",
        "file",
        "the",
        "一下",
        "文件",
        "回",
        "出",
    ];
    const IT: [&str; 7] =
        ["it", "this file", "that file", "它", "该文件", "这个文件", "刚才的文件"];
    if !cursor.eat(&VERBS) {
        return None;
    }
    let file = if cursor.eat(&IT) {
        last_file?.to_owned()
    } else {
        cursor.eat_all(&BETWEEN);
        if cursor.eat(&IT) { last_file?.to_owned() } else { path(cursor)? }
    };
    cursor.eat_all(&["back", "again", "to me", "文件", "的全部内容", "的内容", "内容"]);
    Some(Wish::Show(file))
}

fn run(cursor: &mut Cursor<'_>) -> Option<Wish> {
    /// Words after which no command comes.
    const NO_COMMAND: [&str; 10] =
        ["the ", "a ", "an ", "my ", "our ", "all ", "it ", "this ", "that ", "some "];
    if !cursor.eat(&["run", "execute", "运行", "执行", "$"]) {
        return None;
    }
    cursor.eat_all(&["the command", "the shell command", "command", "一下", "命令", ":", "："]);
    let command = match cursor.fenced().or_else(|| cursor.quoted()) {
        Some(command) => command,
        None => cursor.until_link(),
    };
    let command = command.trim();
    let lower = format!("{} ", command.to_ascii_lowercase());
    let is_command = !command.is_empty()
        && !command.starts_with(is_ideograph)
        && !NO_COMMAND.iter().any(|word| lower.starts_with(word));
    is_command.then(|| Wish::Run(command.to_owned()))
}

/// Content first, file second: `write "x" to a.txt`, `把“x”写入 a.txt`.
fn put(cursor: &mut Cursor<'_>) -> Option<Wish> {
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

fn create(cursor: &mut Cursor<'_>) -> Option<Wish> {
    const VERBS: [&str; 12] = [
        "create",
        "write",
        "make",
        "add",
        "save",
        "创建",
        "新建",
        "建立",
        "生成",
        "写一个",
        "写入",
        "写",
    ];
    const BETWEEN: [&str; 17] = [
        "a", "an", "the", "new", "text", "file", "named", "called", "一个", "个", "新的", "新",
        "文件", "名为", "叫做", "叫", "：",
    ];
    if !cursor.eat(&VERBS) {
        return None;
    }
    cursor.eat_all(&BETWEEN);
    let file = path(cursor)?;
    let content = cursor.attempt(content).unwrap_or_default();
    Some(Wish::Create { file, content })
}

fn content(cursor: &mut Cursor<'_>) -> Option<String> {
    const INTRO: [&str; 22] = [
        "with the following content",
        "with the following contents",
        "with the contents",
        "with the content",
        "with the text",
        "with contents",
        "with content",
        "with text",
        "containing the text",
        "containing",
        "that contains",
        "that says",
        "saying",
        "with",
        "内容如下",
        "内容为",
        "内容是",
        "内容",
        "里面写着",
        "里面写",
        "写上",
        "写着",
    ];
    cursor.eat(&["file", "文件"]);
    cursor.eat(&[",", "，", "。"]);
    if !cursor.eat(&INTRO) && !cursor.rest().starts_with([':', '：']) {
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

#[cfg(test)]
mod tests;
