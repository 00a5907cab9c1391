use spindle_schema::item::UserInput;

use super::{Expecting, Mailbox, Offer};

fn text() -> Vec<UserInput> {
    vec![UserInput::Text { text: "x".into(), text_elements: Vec::new() }]
}

/// SPEC T4: what is taken is read, what is refused is told.
#[test]
fn a_mailbox_closes_only_when_it_is_empty() {
    let mailbox = Mailbox::default();
    assert_eq!(mailbox.offer(text(), None), Offer::Taken);
    assert!(!mailbox.close_if_empty());
    assert_eq!(mailbox.take().len(), 1);
    assert!(mailbox.close_if_empty());
    assert_eq!(mailbox.offer(text(), None), Offer::Closed);
}

#[test]
fn closing_gives_what_still_waits() {
    let mailbox = Mailbox::default();
    assert_eq!(mailbox.offer(text(), Some("id".into())), Offer::Taken);
    assert_eq!(mailbox.close().len(), 1);
    assert_eq!(mailbox.offer(text(), None), Offer::Closed);
}

/// SPEC T4: steering from many sides while the turn looks: nothing is lost and nothing doubled.
#[test]
fn every_accepted_input_is_read_once() {
    let mailbox = Mailbox::default();
    let accepted = std::sync::atomic::AtomicUsize::new(0);
    let mut read = 0;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    match mailbox.offer(text(), None) {
                        Offer::Taken => {
                            accepted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        }
                        Offer::Full => {}
                        Offer::Closed => break,
                    }
                    std::thread::yield_now();
                }
            });
        }
        for _ in 0..200 {
            read += mailbox.take().len();
            std::thread::yield_now();
        }
        read += mailbox.close().len();
    });
    assert_eq!(read, accepted.into_inner());
}

#[test]
fn a_mailbox_takes_only_so_much() {
    let mailbox = Mailbox::default();
    let taken = std::iter::repeat_with(|| mailbox.offer(text(), None))
        .take_while(|offer| *offer == Offer::Taken)
        .count();
    assert_eq!(taken, super::MOST);
    assert_eq!(mailbox.offer(text(), None), Offer::Full);
    assert_eq!(mailbox.take().len(), taken);
    assert_eq!(mailbox.offer(text(), None), Offer::Taken);
}

/// SPEC X5: a turn is over only when the person's commands in it are.
#[tokio::test]
async fn a_mailbox_that_expects_a_note_stays_open() {
    let mailbox = Mailbox::default();
    let Expecting::Note(ticket) = mailbox.expect() else { panic!("the turn runs") };
    assert!(!mailbox.close_if_empty());
    let waits = tokio::spawn({
        let mailbox = mailbox.clone();
        async move { mailbox.settled().await }
    });
    ticket.deliver("note".into());
    waits.await.expect("it comes back");
    mailbox.arrival().await;
    assert!(!mailbox.close_if_empty(), "the note was not taken");
    assert_eq!(mailbox.take_notes(), ["note"]);
    assert!(mailbox.close_if_empty());
    assert!(matches!(mailbox.expect(), Expecting::Closed));
}

#[tokio::test]
async fn a_note_that_will_not_come_holds_nothing_up() {
    let mailbox = Mailbox::default();
    let Expecting::Note(ticket) = mailbox.expect() else { panic!("the turn runs") };
    drop(ticket);
    mailbox.settled().await;
    mailbox.arrival().await;
    assert!(mailbox.close_if_empty());
}

#[test]
fn only_so_many_notes_are_expected_at_once() {
    let mailbox = Mailbox::default();
    let tickets: Vec<_> = std::iter::repeat_with(|| mailbox.expect())
        .take_while(|expecting| matches!(expecting, Expecting::Note(_)))
        .collect();
    assert_eq!(tickets.len(), super::MOST_COMMANDS);
    for ticket in tickets {
        let Expecting::Note(ticket) = ticket else { continue };
        ticket.deliver("note".into());
    }
    assert!(matches!(mailbox.expect(), Expecting::Full), "what ended waits to be taken");
    mailbox.take_notes();
    assert!(matches!(mailbox.expect(), Expecting::Note(_)));
}
