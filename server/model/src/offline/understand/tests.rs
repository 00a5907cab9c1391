use super::{Language, Wish, understand};

fn wishes(text: &str) -> Vec<Wish> {
    understand(text, &mut None)
}

fn create(file: &str, content: &str) -> Wish {
    Wish::Create { file: file.into(), content: content.into() }
}

fn run(command: &str) -> Wish {
    Wish::Run(command.into())
}

fn show(file: &str) -> Wish {
    Wish::Show(file.into())
}

fn plan(steps: &[&str]) -> Wish {
    Wish::Plan(steps.iter().map(|&step| step.into()).collect())
}

/// Each text and the one wish it holds.
fn check(cases: &[(&str, Wish)]) {
    for (text, wish) in cases {
        assert_eq!(wishes(text), std::slice::from_ref(wish), "{text}");
    }
}

#[test]
fn a_file_is_created_in_english() {
    check(&[
        ("create a.txt with content hello", create("a.txt", "hello")),
        (
            "Please create a file named notes/a.txt with the content: \"x y\"",
            create("notes/a.txt", "x y"),
        ),
        ("create the file `a b.txt` containing 'it's fine'", create("a b.txt", "it's fine")),
        (
            "Create README.md with content:\n\n# Demo\n\nA line, then another.\n",
            create("README.md", "# Demo\n\nA line, then another."),
        ),
        ("create x.py with content:\n```python\nprint(1)\n```\n", create("x.py", "print(1)")),
        ("write \"a\\nb\" to out.txt", create("out.txt", "a\nb")),
        ("create empty/.keep", create("empty/.keep", "")),
        ("make a new file Makefile with \"all:\"", create("Makefile", "all:")),
    ]);
}

#[test]
fn a_file_is_created_in_chinese() {
    check(&[
        (
            "请创建 README.md，内容如下：\n\nCodex Demo\n\n这是一个使用 Rust 编写的 Agent 项目。",
            create("README.md", "Codex Demo\n\n这是一个使用 Rust 编写的 Agent 项目。"),
        ),
        ("创建README.md文件，内容为“你好，世界”", create("README.md", "你好，世界")),
        ("新建一个文件 a.txt 内容是：第一行", create("a.txt", "第一行")),
        ("把“你好”写入 a.txt", create("a.txt", "你好")),
        ("将「一二三」保存到 b.txt 文件里", create("b.txt", "一二三")),
        ("创建 说明.md，内容：x", create("说明.md", "x")),
    ]);
}

#[test]
fn a_command_is_run_in_both_languages() {
    check(&[
        ("run `ls -la`", run("ls -la")),
        ("Please run: cargo test --all", run("cargo test --all")),
        ("execute the command \"echo 'a'\"", run("echo 'a'")),
        ("$ git status", run("git status")),
        ("run:\n```sh\necho a\necho b\n```", run("echo a\necho b")),
        ("运行 `make`", run("make")),
        ("请执行命令：sleep 3", run("sleep 3")),
        ("帮我运行一下 `ls`。", run("ls")),
    ]);
}

#[test]
fn words_that_are_no_command_are_not_run() {
    for text in ["run the tests", "please run all of it", "run", "运行测试"] {
        assert_eq!(wishes(text), [Wish::Explain], "{text}");
    }
}

#[test]
fn a_file_is_shown_in_both_languages() {
    check(&[
        ("show README.md", show("README.md")),
        ("Show me the contents of src/lib.rs.", show("src/lib.rs")),
        ("cat `a b`", show("a b")),
        ("read README back", show("README")),
        ("显示 README.md", show("README.md")),
        ("请读取README.md的内容", show("README.md")),
        ("看看 src/main.rs 文件", show("src/main.rs")),
        ("显示文件 a.txt", show("a.txt")),
    ]);
}

#[test]
fn files_are_listed_in_both_languages() {
    check(&[
        ("list files", Wish::List(None)),
        ("List all the files in src/", Wish::List(Some("src/".into()))),
        ("show me the files in the current folder", Wish::List(None)),
        ("what files are there?", Wish::List(None)),
        ("ls", Wish::List(None)),
        ("ls src", Wish::List(Some("src".into()))),
        ("list files in the src folder", Wish::List(Some("src".into()))),
        ("列出 src 目录的文件", Wish::List(Some("src".into()))),
        ("列出所有文件", Wish::List(None)),
        ("列出 src/ 目录下的文件", Wish::List(Some("src/".into()))),
        ("有哪些文件？", Wish::List(None)),
    ]);
}

#[test]
fn a_plan_has_steps_in_both_languages() {
    check(&[
        ("plan: write code, test it, ship", plan(&["write code", "test it", "ship"])),
        ("make a plan:\n1. one\n2. two\n", plan(&["one", "two"])),
        ("plan write, then test", plan(&["write", "test"])),
        ("计划：写代码，测试，发布", plan(&["写代码", "测试", "发布"])),
        ("制定计划：一、二、三。", plan(&["一", "二", "三"])),
    ]);
    assert_eq!(wishes("create a plan.md with \"x\""), [create("plan.md", "x")]);
}

#[test]
fn several_requests_are_read_in_order() {
    assert_eq!(
        wishes("Create a.txt with content hello, then run `cat a.txt` and then list files."),
        [create("a.txt", "hello"), run("cat a.txt"), Wish::List(None)]
    );
    assert_eq!(
        wishes("先创建 a.txt，内容为“你好”，然后运行 `ls`，最后列出文件。"),
        [create("a.txt", "你好"), run("ls"), Wish::List(None)]
    );
    assert_eq!(
        wishes("1. run echo one\n2. run echo two\n3) show a.txt"),
        [run("echo one"), run("echo two"), show("a.txt")]
    );
    assert_eq!(wishes("plan: a, b\nrun `ls`"), [plan(&["a", "b"]), run("ls")]);
}

#[test]
fn it_means_the_file_named_last() {
    assert_eq!(
        wishes("create a.txt with \"x\" and show it"),
        [create("a.txt", "x"), show("a.txt")]
    );
    assert_eq!(wishes("创建 a.txt 内容为“x”，然后读取它"), [create("a.txt", "x"), show("a.txt")]);
    let mut last = None;
    understand("create b.txt with \"x\"", &mut last);
    assert_eq!(understand("read it back", &mut last), [show("b.txt")]);
    assert_eq!(wishes("read it back"), [Wish::Explain]);
}

#[test]
fn files_that_exist_can_be_protected() {
    check(&[
        ("do not overwrite other files", Wish::KeepExisting),
        ("Please don't overwrite anything!", Wish::KeepExisting),
        ("不要覆盖其他文件", Wish::KeepExisting),
        ("不得覆盖其他文件。", Wish::KeepExisting),
    ]);
}

#[test]
fn what_no_rule_fits_is_named_beside_what_is_done() {
    assert_eq!(
        wishes("make coffee, then run `ls`"),
        [Wish::Unclear("make coffee".into()), run("ls")]
    );
    assert_eq!(wishes("运行 `ls`，然后泡茶"), [run("ls"), Wish::Unclear("泡茶".into())]);
}

#[test]
fn anything_else_is_explained() {
    for text in [
        "",
        "hello",
        "How are you?",
        "你好！",
        "请写一首诗",
        "create",
        "show",
        "...",
        "`",
        "show the way",
    ] {
        assert_eq!(wishes(text), [Wish::Explain], "{text}");
    }
}

#[test]
fn the_language_is_that_of_the_message() {
    assert_eq!(Language::of("run `ls`"), Language::English);
    assert_eq!(Language::of("运行 `ls`"), Language::Chinese);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_to_its_end(text in "\\PC{0,60}") {
        understand(&text, &mut None);
    }

    #[test]
    fn any_mixture_of_known_words_is_read_to_its_end(
        words in proptest::collection::vec(
            proptest::sample::select(vec!["create ", "run ", "a.txt", "with ", "`", "\"", "then ", "然后", "创建", "，", "\n", "```", "plan", "show ", "files", "it", "内容"]),
            0..12,
        ),
    ) {
        understand(&words.concat(), &mut Some("x".into()));
    }
}
