use spindle_schema::event::{AnswerMsg, Answerer};
use spindle_schema::ids::{ConnectionId, QuestionId, ThreadId};

use super::{Broker, QuestionTag};

fn refusal(why: &str) -> AnswerMsg {
    AnswerMsg::Unusable(why.into())
}

fn from(name: &str) -> Answerer {
    Answerer { connection: ConnectionId(7), name: name.into() }
}

#[tokio::test]
async fn the_first_answer_counts_and_a_late_one_changes_nothing() {
    let broker = Broker::default();
    let thread = ThreadId::new();
    let (id, receiver) = broker.open(thread, QuestionTag::Command, None);
    assert_eq!(broker.about(id), Some((thread, QuestionTag::Command)));
    assert!(broker.answer(id, from("one"), refusal("first")));
    assert!(!broker.answer(id, from("two"), refusal("second")));
    let AnswerMsg::Unusable(why) = receiver.await.expect("answered") else { panic!() };
    assert_eq!(&*why, "first");
    assert_eq!(broker.about(id), None);
    assert_eq!(broker.settle(id), Some(from("one")));
    assert_eq!(broker.settle(id), None, "it is told once");
}

#[tokio::test]
async fn a_withdrawn_question_takes_no_answer() {
    let broker = Broker::default();
    let (id, receiver) = broker.open(ThreadId::new(), QuestionTag::FileChange, None);
    broker.withdraw(id);
    assert!(!broker.answer(id, from("one"), refusal("late")));
    assert!(receiver.await.is_err());
    assert_eq!(broker.settle(id), None);
}

#[test]
fn questions_are_counted_from_zero() {
    let broker = Broker::default();
    let ids: Vec<_> =
        (0..3).map(|_| broker.open(ThreadId::new(), QuestionTag::Command, None).0).collect();
    assert_eq!(ids, [QuestionId(0), QuestionId(1), QuestionId(2)]);
}

#[tokio::test]
async fn what_only_one_client_was_asked_ends_with_it() {
    let broker = Broker::default();
    let (own, receiver) =
        broker.open(ThreadId::new(), QuestionTag::DynamicTool, Some(ConnectionId(1)));
    let (other, _waiting) =
        broker.open(ThreadId::new(), QuestionTag::DynamicTool, Some(ConnectionId(2)));
    let (all, _too) = broker.open(ThreadId::new(), QuestionTag::Command, None);
    broker.gone(ConnectionId(1));
    assert!(matches!(receiver.await, Ok(AnswerMsg::Unusable(_))));
    assert_eq!(broker.about(own), None);
    assert!(broker.about(other).is_some() && broker.about(all).is_some());
}
