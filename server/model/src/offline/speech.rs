//! What the stand-in says. It tells what really came back, and never more.

use super::command::{End, Outcome};
use super::reply::{Done, Settled, Task};
use super::understand::{Language, Wish};

/// The most characters of an output that an answer repeats.
const SHOWN_CHARACTERS: usize = 4_000;

const EXPLANATION: &str = "I am the offline stand-in: fixed rules inside this program, not a language model. I need no key and no network, so that clients can be tried and tested. I understand:
- create FILE with content: TEXT
- run `COMMAND`
- show FILE
- list files
- plan STEP, STEP, STEP
Several requests in one message are done in order (\"… then …\"). For real work choose a model provider in config.toml.";

const EXPLANATION_ZH: &str = "我是离线替身：程序内置的固定规则，不是语言模型。我不需要密钥，也不需要网络，供客户端试用和测试。我能理解：
- 创建 文件名，内容如下：文本
- 运行 `命令`
- 显示 文件名
- 列出文件
- 计划：步骤一，步骤二
一条消息里可以有多个请求，会按顺序完成（“……然后……”）。真正的工作请在 config.toml 中选择模型提供方。";

/// Tells what came of every wish, in order.
pub(super) fn report(done: &[Done]) -> String {
    if done.is_empty() {
        return EXPLANATION.to_owned();
    }
    let parts: Vec<String> = done.iter().map(sentence).collect();
    parts.join("\n\n")
}

fn sentence(done: &Done) -> String {
    let Task { wish, language } = &done.task;
    match (&done.result, language) {
        (Settled::Command(outcome), Language::English) => english(wish, outcome),
        (Settled::Command(outcome), Language::Chinese) => chinese(wish, outcome),
        (Settled::Noted, Language::English) => "The plan is noted.".into(),
        (Settled::Noted, Language::Chinese) => "计划已记录。".into(),
        (Settled::NoTool, Language::English) => {
            "I cannot do this here: no tool for commands is on offer.".into()
        }
        (Settled::NoTool, Language::Chinese) => "这里没有可用的命令工具，我做不了。".into(),
        (Settled::Said, Language::English) => english_words(wish),
        (Settled::Said, Language::Chinese) => chinese_words(wish),
    }
}

fn english_words(wish: &Wish) -> String {
    match wish {
        Wish::Plan(steps) => format!("Plan:\n{}", numbered(steps)),
        Wish::KeepExisting => "From here on I leave files that exist as they are.".into(),
        Wish::Unclear(clause) => {
            format!("I follow fixed rules and have none for: “{clause}”. I did nothing about it.")
        }
        _ => EXPLANATION.to_owned(),
    }
}

fn chinese_words(wish: &Wish) -> String {
    match wish {
        Wish::Plan(steps) => format!("计划：\n{}", numbered(steps)),
        Wish::KeepExisting => "从现在起，我不会覆盖已有的文件。".into(),
        Wish::Unclear(clause) => {
            format!("我只按固定规则工作，没有适用于“{clause}”的规则，因此没有处理。")
        }
        _ => EXPLANATION_ZH.to_owned(),
    }
}

fn english(wish: &Wish, outcome: &Outcome) -> String {
    let block = |head: &str| with_output(Language::English, head, &outcome.printed);
    if outcome.is_success() {
        return english_success(wish, &outcome.printed);
    }
    let failed = match wish {
        Wish::Create { file, .. } => format!("{file} could not be created"),
        Wish::Show(file) => format!("{file} could not be read"),
        Wish::List(_) => "The files could not be listed".into(),
        Wish::Run(command) if outcome.end == End::NotRun => format!("`{command}` was not run"),
        Wish::Run(command) => format!("`{command}` failed"),
        _ => "It could not be done".into(),
    };
    match (&outcome.end, wish) {
        (End::Exit(code), _) => block(&format!("{failed}: exit code {code}. Output")),
        (End::Running(session), Wish::Run(command)) => block(&format!(
            "`{command}` still runs in the background (session {session}). Output so far"
        )),
        (End::Running(_), _) => block(&format!("{failed} yet: the command still runs. Output")),
        (End::NotRun, _) => block(&format!("{failed}. Reason")),
    }
}

fn english_success(wish: &Wish, printed: &str) -> String {
    let block = |head: &str| with_output(Language::English, head, printed);
    match wish {
        Wish::Create { file, .. } => match printed.trim().parse::<u64>() {
            Ok(bytes) => format!("Created {file} ({bytes} bytes)."),
            Err(_) => block(&format!("Created {file}. Output")),
        },
        Wish::Show(file) if printed.is_empty() => format!("{file} is empty."),
        Wish::Show(file) => block(&format!("{file} holds")),
        Wish::List(_) if printed.is_empty() => "There are no files.".into(),
        Wish::List(_) => format!("Files:\n{}", bulleted(printed)),
        Wish::Run(command) => block(&format!("`{command}` ended with exit code 0. Output")),
        _ => "Done.".into(),
    }
}

fn chinese(wish: &Wish, outcome: &Outcome) -> String {
    let block = |head: &str| with_output(Language::Chinese, head, &outcome.printed);
    if outcome.is_success() {
        return chinese_success(wish, &outcome.printed);
    }
    let failed = match wish {
        Wish::Create { file, .. } => format!("未能创建 {file}"),
        Wish::Show(file) => format!("未能读取 {file}"),
        Wish::List(_) => "未能列出文件".into(),
        Wish::Run(command) if outcome.end == End::NotRun => format!("`{command}` 没有运行"),
        Wish::Run(command) => format!("`{command}` 失败"),
        _ => "未能完成".into(),
    };
    match (&outcome.end, wish) {
        (End::Exit(code), _) => block(&format!("{failed}，退出码 {code}。输出")),
        (End::Running(session), Wish::Run(command)) => {
            block(&format!("`{command}` 仍在后台运行（会话 {session}）。目前的输出"))
        }
        (End::Running(_), _) => block(&format!("{failed}，命令仍在运行。输出")),
        (End::NotRun, _) => block(&format!("{failed}。原因")),
    }
}

fn chinese_success(wish: &Wish, printed: &str) -> String {
    let block = |head: &str| with_output(Language::Chinese, head, printed);
    match wish {
        Wish::Create { file, .. } => match printed.trim().parse::<u64>() {
            Ok(bytes) => format!("已创建 {file}（{bytes} 字节）。"),
            Err(_) => block(&format!("已创建 {file}。输出")),
        },
        Wish::Show(file) if printed.is_empty() => format!("{file} 是空文件。"),
        Wish::Show(file) => block(&format!("{file} 的内容")),
        Wish::List(_) if printed.is_empty() => "没有文件。".into(),
        Wish::List(_) => format!("文件：\n{}", bulleted(printed)),
        Wish::Run(command) => block(&format!("`{command}` 已结束，退出码 0。输出")),
        _ => "完成。".into(),
    }
}

/// `HEAD: none.` or `HEAD:` and a block.
fn with_output(language: Language, head: &str, printed: &str) -> String {
    match (language, printed) {
        (Language::English, "") => format!("{head}: none."),
        (Language::Chinese, "") => format!("{head}：无。"),
        (Language::English, _) => format!("{head}:\n```\n{}\n```", shortened(printed)),
        (Language::Chinese, _) => format!("{head}：\n```\n{}\n```", shortened(printed)),
    }
}

fn shortened(printed: &str) -> String {
    match printed.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}\n… ({} bytes more)", &printed[..end], printed.len() - end),
        None => printed.to_owned(),
    }
}

fn numbered(steps: &[String]) -> String {
    let lines: Vec<_> =
        steps.iter().enumerate().map(|(number, step)| format!("{}. {step}", number + 1)).collect();
    lines.join("\n")
}

fn bulleted(printed: &str) -> String {
    let lines: Vec<_> = shortened(printed).lines().map(|line| format!("- {line}")).collect();
    lines.join("\n")
}
