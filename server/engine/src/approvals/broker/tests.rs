use spindle_schema::event::AnswerMsg;
use spindle_schema::ids::{ConnectionId, QuestionId};

use super::{Broker, QuestionTag};

fn refusal(why: &str) -> AnswerMsg {
    AnswerMsg::Unusable(why.into())
}

#[tokio::test]
async fn the_first_answer_counts_and_a_late_one_changes_nothing() {
    let broker = Broker::default();
    let (id, receiver) = broker.open(QuestionTag::Command, None);
    assert_eq!(broker.tag(id), Some(QuestionTag::Command));
    assert!(broker.answer(id, refusal("first")));
    assert!(!broker.answer(id, refusal("second")));
    let AnswerMsg::Unusable(why) = receiver.await.expect("answered") else { panic!() };
    assert_eq!(&*why, "first");
    assert_eq!(broker.tag(id), None);
}

#[tokio::test]
async fn a_withdrawn_question_takes_no_answer() {
    let broker = Broker::default();
    let (id, receiver) = broker.open(QuestionTag::FileChange, None);
    broker.withdraw(id);
    assert!(!broker.answer(id, refusal("late")));
    assert!(receiver.await.is_err());
}

#[test]
fn questions_are_counted_from_zero() {
    let broker = Broker::default();
    let ids: Vec<_> = (0..3).map(|_| broker.open(QuestionTag::Command, None).0).collect();
    assert_eq!(ids, [QuestionId(0), QuestionId(1), QuestionId(2)]);
}

#[tokio::test]
async fn what_only_one_client_was_asked_ends_with_it() {
    let broker = Broker::default();
    let (own, receiver) = broker.open(QuestionTag::DynamicTool, Some(ConnectionId(1)));
    let (other, _waiting) = broker.open(QuestionTag::DynamicTool, Some(ConnectionId(2)));
    let (all, _too) = broker.open(QuestionTag::Command, None);
    broker.gone(ConnectionId(1));
    assert!(matches!(receiver.await, Ok(AnswerMsg::Unusable(_))));
    assert_eq!(broker.tag(own), None);
    assert!(broker.tag(other).is_some() && broker.tag(all).is_some());
}
