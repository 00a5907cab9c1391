use spindle_schema::event::AnswerMsg;
use spindle_schema::ids::QuestionId;

use super::{Broker, QuestionTag};

fn refusal(why: &str) -> AnswerMsg {
    AnswerMsg::Unusable(why.into())
}

#[tokio::test]
async fn the_first_answer_counts_and_a_late_one_changes_nothing() {
    let broker = Broker::default();
    let (id, receiver) = broker.open(QuestionTag::Command);
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
    let (id, receiver) = broker.open(QuestionTag::FileChange);
    broker.withdraw(id);
    assert!(!broker.answer(id, refusal("late")));
    assert!(receiver.await.is_err());
}

#[test]
fn questions_are_counted_from_zero() {
    let broker = Broker::default();
    let ids: Vec<_> = (0..3).map(|_| broker.open(QuestionTag::Command).0).collect();
    assert_eq!(ids, [QuestionId(0), QuestionId(1), QuestionId(2)]);
}
