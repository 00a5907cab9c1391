//! Answers of a real server, cut wherever a network could cut them.

use bytes::Bytes;
use spindle_schema::model::ResponseItem;

use super::encode;
use crate::event::ModelEvent;
use crate::provider::WireApi;

const RESPONSES_TEXT: &[u8] = include_bytes!("recorded/llamacpp-responses-text.sse");
const RESPONSES_TOOL: &[u8] = include_bytes!("recorded/llamacpp-responses-tool.sse");
const CHAT_TEXT: &[u8] = include_bytes!("recorded/llamacpp-chat-text.sse");
const CHAT_TOOL: &[u8] = include_bytes!("recorded/llamacpp-chat-tool.sse");
const MESSAGES_TEXT: &[u8] = include_bytes!("recorded/llamacpp-messages-text.sse");
const MESSAGES_TOOL: &[u8] = include_bytes!("recorded/llamacpp-messages-tool.sse");
const KEEP_ALIVE: &[u8] = include_bytes!("recorded/llamacpp-keepalive-cut.sse");

const SENTENCE: &str = "I'm here to help with any creative writing project.";

/// What an answer comes down to.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    deltas: Vec<String>,
    messages: Vec<String>,
    calls: Vec<(String, String)>,
    total_tokens: Option<i64>,
}

fn read(wire: WireApi, chunks: &[&[u8]]) -> Result<Answer, String> {
    let body = Bytes::from_static(b"{\"model\":\"m\",\"input\":[]}");
    let (_, mut reader) = encode(wire, body).expect("the request is well formed");
    let mut events = Vec::new();
    for chunk in chunks {
        reader.push(chunk, &mut events).map_err(|error| error.to_string())?;
    }
    if !reader.is_completed() {
        reader.end(&mut events).map_err(|error| error.to_string())?;
    }
    let mut answer = Answer::default();
    for event in events {
        answer.take(event);
    }
    Ok(answer)
}

impl Answer {
    fn take(&mut self, event: ModelEvent) {
        match event {
            ModelEvent::TextDelta { delta, .. } => self.deltas.push(delta.into()),
            ModelEvent::Completed { usage, .. } => {
                self.total_tokens = usage.map(|usage| usage.total_tokens);
            }
            ModelEvent::ItemDone(item) => match *item {
                ResponseItem::Message(message) => {
                    let texts = message.content.iter().filter_map(|part| part.text());
                    self.messages.push(texts.collect());
                }
                ResponseItem::FunctionCall(call) => {
                    self.calls.push((call.name.into(), call.arguments));
                }
                other => panic!("{other:?}"),
            },
            _ => {}
        }
    }
}

fn check_every_cut(wire: WireApi, body: &[u8]) -> Answer {
    let whole = read(wire, &[body]).expect("the recorded answer is whole");
    for cut in 0..=body.len() {
        let (head, tail) = body.split_at(cut);
        assert_eq!(read(wire, &[head, tail]).as_ref(), Ok(&whole), "cut at byte {cut}");
    }
    let bytes: Vec<_> = body.chunks(1).collect();
    assert_eq!(read(wire, &bytes).as_ref(), Ok(&whole), "byte by byte");
    whole
}

#[test]
fn a_recorded_text_of_the_responses_api_reads_the_same_wherever_it_is_cut() {
    let answer = check_every_cut(WireApi::Responses, RESPONSES_TEXT);
    assert_eq!(answer.deltas.concat(), SENTENCE);
    assert_eq!(answer.messages, [SENTENCE]);
    assert!(answer.total_tokens.is_some());
}

#[test]
fn a_recorded_call_of_the_responses_api_reads_the_same_wherever_it_is_cut() {
    let answer = check_every_cut(WireApi::Responses, RESPONSES_TOOL);
    assert_eq!(answer.calls, [("get_weather".into(), "{\"city\": \"Paris\"}".into())]);
}

#[test]
fn a_recorded_chat_text_reads_the_same_wherever_it_is_cut() {
    let answer = check_every_cut(WireApi::Chat, CHAT_TEXT);
    assert_eq!(answer.messages, [SENTENCE]);
    assert_eq!(answer.deltas.len(), 11);
    assert_eq!(answer.total_tokens, Some(39));
}

#[test]
fn a_recorded_chat_call_reads_the_same_wherever_it_is_cut() {
    let answer = check_every_cut(WireApi::Chat, CHAT_TOOL);
    assert_eq!(answer.calls, [("get_weather".into(), "{\"city\": \"Paris\"}".into())]);
    assert_eq!(answer.total_tokens, Some(171));
}

#[test]
fn a_recorded_text_of_the_messages_api_reads_the_same_wherever_it_is_cut() {
    let answer = check_every_cut(WireApi::Messages, MESSAGES_TEXT);
    assert_eq!(answer.messages, [SENTENCE]);
    assert_eq!(answer.total_tokens, Some(39));
}

#[test]
fn a_recorded_call_of_the_messages_api_reads_the_same_wherever_it_is_cut() {
    let answer = check_every_cut(WireApi::Messages, MESSAGES_TOOL);
    assert_eq!(answer.calls, [("get_weather".into(), "{\"city\": \"Paris\"}".into())]);
}

#[test]
fn all_forms_of_one_answer_come_to_the_same() {
    let forms = [
        (WireApi::Responses, RESPONSES_TEXT),
        (WireApi::Chat, CHAT_TEXT),
        (WireApi::Messages, MESSAGES_TEXT),
    ];
    let texts = forms.map(|(wire, body)| read(wire, &[body]).expect("is whole"));
    let [first, rest @ ..] = texts.map(|answer| (answer.deltas, answer.messages));
    assert!(rest.iter().all(|other| *other == first));
}

#[test]
fn an_answer_that_was_cut_off_is_never_taken_for_whole() {
    let last = b"event: response.completed\n";
    let end = RESPONSES_TEXT.windows(last.len()).position(|window| window == last);
    let end = end.expect("the recording has its last event");
    for cut in 0..=end {
        let result = read(WireApi::Responses, &[&RESPONSES_TEXT[..cut]]);
        let why = "stream disconnected before completion: stream closed before response.completed";
        assert_eq!(result, Err(why.into()), "cut off at byte {cut}");
    }
}

#[test]
fn keep_alive_lines_alone_are_no_answer() {
    for wire in [WireApi::Responses, WireApi::Chat, WireApi::Messages] {
        assert!(read(wire, &[KEEP_ALIVE]).is_err());
    }
}

#[test]
fn line_ends_of_another_system_make_no_difference() {
    let crlf = String::from_utf8_lossy(RESPONSES_TEXT).replace('\n', "\r\n").into_bytes();
    let answer = check_every_cut(WireApi::Responses, &crlf);
    assert_eq!(Ok(answer), read(WireApi::Responses, &[RESPONSES_TEXT]));
}
