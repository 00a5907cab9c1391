//! The phrases that the rules look for, in English and Chinese, in small letters.
//!
//! A longer phrase stands before one that it begins with.

/// Politeness and order words between requests.
pub(super) const FILLERS: [&str; 34] = [
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
/// Leave files that exist as they are.
pub(super) const KEEP: [&str; 9] = [
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
/// Words after which no command comes.
pub(super) const NO_COMMAND: [&str; 10] =
    ["the ", "a ", "an ", "my ", "our ", "all ", "it ", "this ", "that ", "some "];
/// Show a file.
pub(super) const SHOW: [&str; 18] = [
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
/// Between that and the file.
pub(super) const BEFORE_SHOWN: [&str; 13] = [
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
/// The file named last.
pub(super) const IT: [&str; 7] =
    ["it", "this file", "that file", "它", "该文件", "这个文件", "刚才的文件"];
/// Make a file.
pub(super) const CREATE: [&str; 12] = [
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
/// Between that and the file.
pub(super) const BEFORE_CREATED: [&str; 17] = [
    "a", "an", "the", "new", "text", "file", "named", "called", "一个", "个", "新的", "新", "文件",
    "名为", "叫做", "叫", "：",
];
/// Before the content. Longer phrases stand first.
pub(super) const CONTENT: [&str; 22] = [
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
/// Before the word for a plan.
pub(super) const BEFORE_PLAN: [&str; 9] =
    ["make a", "write a", "set up a", "create a", "制定一个", "制定", "做一个", "写一个", "列一个"];
/// Between that word and the steps.
pub(super) const AFTER_PLAN: [&str; 8] =
    ["as follows", "with these steps", "the steps", "steps", "步骤", "如下", ":", "："];
