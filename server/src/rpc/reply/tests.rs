use serde_json::json;
use spindle_schema::v2::{ThreadArchiveParams, ThreadArchiveResponse};

use super::super::outbox::{Limits, Taken};
use super::*;

struct Desk {
    outbox: Arc<Outbox>,
    flights: Arc<Flights>,
}

impl Desk {
    fn new() -> Self {
        Self { outbox: Arc::new(Outbox::new(Limits::SHARED)), flights: Arc::default() }
    }

    fn responder(&self) -> Responder {
        Responder::new(self.outbox.clone(), self.flights.clone(), RequestId::Integer(7))
    }

    async fn said(&self) -> Vec<String> {
        self.outbox.finish();
        let mut packets = Vec::new();
        while self.outbox.take(&mut packets).await == Taken::Packets {}
        packets.iter().map(|p| String::from_utf8_lossy(p.text()).into_owned()).collect()
    }
}

#[tokio::test]
async fn an_answer_is_given_once() {
    let desk = Desk::new();
    desk.responder().ok(&json!({ "a": 1 }));
    assert_eq!(desk.said().await, ["{\"id\":7,\"result\":{\"a\":1}}\n"]);
}

#[tokio::test]
async fn a_typed_reply_gives_the_result_of_its_method() {
    let desk = Desk::new();
    desk.responder().typed::<ThreadArchiveParams>().settle(Ok(ThreadArchiveResponse {}));
    desk.responder().typed::<ThreadArchiveParams>().settle(Err(RpcError::overloaded()));
    let said = desk.said().await;
    assert_eq!(said[0], "{\"id\":7,\"result\":{}}\n");
    assert!(said[1].contains("-32001"), "{said:?}");
}

#[tokio::test]
async fn a_flight_lands_with_its_answer_or_without() {
    let desk = Desk::new();
    let (first, second) = (desk.responder(), desk.responder());
    assert_eq!(desk.flights.count(), 2);
    first.ok(&json!({}));
    drop(second);
    desk.flights.all_landed().await;
    let said = desk.said().await;
    assert_eq!(said.len(), 2);
    assert!(said[1].contains("-32603"), "{said:?}");
}
