use tokio::sync::mpsc;

use super::*;

fn thread(id: &str) -> Lane {
    Lane::Thread(id.into())
}

/// Runs jobs that report their number and hand over their place.
struct Track {
    order: Arc<Order>,
    sender: mpsc::Sender<(usize, Result<Place, Full>)>,
    receiver: mpsc::Receiver<(usize, Result<Place, Full>)>,
}

impl Track {
    fn new() -> Self {
        let (sender, receiver) = mpsc::channel(1000);
        Self { order: Order::new(), sender, receiver }
    }

    fn run(&self, lane: Lane, number: usize) {
        let sender = self.sender.clone();
        self.order.run(
            lane,
            Box::new(move |place| sender.try_send((number, place)).expect("there is room")),
        );
    }

    fn ran(&mut self) -> Option<(usize, Result<Place, Full>)> {
        self.receiver.try_recv().ok()
    }
}

#[tokio::test]
async fn a_free_lane_runs_at_once() {
    let mut track = Track::new();
    track.run(thread("a"), 1);
    assert_eq!(track.ran().expect("it ran within the call").0, 1);
}

#[tokio::test]
async fn jobs_of_a_lane_run_one_after_the_other() {
    let mut track = Track::new();
    for number in 1..=3 {
        track.run(thread("a"), number);
    }
    let (number, place) = track.ran().expect("the first runs");
    assert_eq!(number, 1);
    assert!(track.ran().is_none());
    drop(place);
    for expected in 2..=3 {
        let (number, _place) = track.receiver.recv().await.expect("the next one runs");
        assert_eq!(number, expected);
        tokio::task::yield_now().await;
        assert!(track.ran().is_none(), "the place is still held");
    }
}

#[tokio::test]
async fn lanes_do_not_wait_for_each_other() {
    let mut track = Track::new();
    let handle = |connection| Lane::Handle(ConnectionId(connection), "h".into());
    let lanes = [thread("a"), thread("b"), Lane::Global, handle(1), handle(2)];
    let mut places = Vec::new();
    for (number, lane) in lanes.into_iter().enumerate() {
        track.run(lane, number);
        places.push(track.ran().expect("it ran within the call"));
    }
    assert_eq!(places.len(), 5);
}

#[tokio::test]
async fn a_lane_takes_only_so_many() {
    let mut track = Track::new();
    for number in 0..=WAITING {
        track.run(thread("a"), number);
    }
    let (_, first) = track.ran().expect("the first runs");
    track.run(thread("a"), 1000);
    let (number, refused) = track.ran().expect("it is refused at once");
    assert_eq!(number, 1000);
    assert!(refused.is_err());
    drop(first);
    let second = track.receiver.recv().await.expect("the next one runs");
    track.run(thread("a"), 1001);
    assert!(track.ran().is_none(), "it waits");
    drop(second);
}

#[tokio::test]
async fn a_lane_without_requests_leaves_nothing_behind() {
    let mut track = Track::new();
    track.run(thread("a"), 1);
    drop(track.ran());
    assert!(track.order.lanes.lock().is_empty());
}

#[test]
fn reads_have_no_lane() {
    assert_eq!(Lane::of(Scope::None, ConnectionId(1)), None);
    assert_eq!(Lane::of(Scope::Thread("a"), ConnectionId(1)), Some(thread("a")));
    assert_eq!(
        Lane::of(Scope::Handle("a"), ConnectionId(1)),
        Some(Lane::Handle(ConnectionId(1), "a".into()))
    );
}
