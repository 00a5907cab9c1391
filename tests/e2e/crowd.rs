//! Many frontends of three kinds on one thread, none of which behaves.

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, Wire, exec, message};
use tokio::sync::watch;

const FRONTENDS: u64 = 64;
const TURNS: usize = 16;

/// Numbers that look random and are the same for the same seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// A thread as a frontend shows it, from what it was told.
#[derive(Default)]
struct View {
    /// The items, in order; the text of one that streams is as long as what came.
    items: Vec<Value>,
    /// The number of what came last.
    seen: Option<u64>,
    ended_turns: usize,
}

impl View {
    /// Takes the thread as it stands, or goes on where it was.
    fn resumed(&mut self, resumed: &Value) {
        let position = resumed["seq"].as_u64().expect("a number");
        if resumed["replayed"] == true {
            assert!(self.seen.is_some_and(|seen| seen <= position));
            return;
        }
        let turns = resumed["thread"]["turns"].as_array().expect("a list");
        let items = turns.iter().flat_map(|turn| turn["items"].as_array().expect("a list"));
        let ended = turns.iter().filter(|turn| turn["status"] != "inProgress").count();
        *self = Self { items: items.cloned().collect(), seen: Some(position), ended_turns: ended };
    }

    fn hear(&mut self, message: &Value) {
        let Some(number) = message["seq"].as_u64() else { return };
        let last = self.seen.replace(number).expect("nothing is heard before the answer");
        assert_eq!(number, last + 1, "a gap, or something twice: {message}");
        let params = &message["params"];
        match message["method"].as_str().expect("a method") {
            "item/started" => self.items.push(params["item"].clone()),
            "item/agentMessage/delta" => {
                let item = self.item(&params["itemId"]).expect("it has begun");
                let text = item["text"].as_str().unwrap_or_default().to_owned();
                item["text"] = (text + params["delta"].as_str().expect("a text")).into();
            }
            "item/completed" => {
                let done = &params["item"];
                match self.item(&done["id"]) {
                    Some(item) => {
                        // What streamed is what came out at the end.
                        let text = item["text"].as_str().filter(|text| !text.is_empty());
                        assert!(text.is_none() || done["text"] == item["text"], "{item} {done}");
                        *item = done.clone();
                    }
                    None => self.items.push(done.clone()),
                }
            }
            "turn/completed" => self.ended_turns += 1,
            _ => {}
        }
    }

    fn item(&mut self, id: &Value) -> Option<&mut Value> {
        self.items.iter_mut().rev().find(|item| item["id"] == *id)
    }
}

/// Who an item is and what it says, without what only one of file and wire knows.
fn essence(item: &Value) -> (String, String, String) {
    let text = |member: &str| item[member].as_str().unwrap_or_default().to_owned();
    let said = match item["type"].as_str() {
        Some("userMessage") => item["content"][0]["text"].to_string(),
        Some("commandExecution") => item["aggregatedOutput"].to_string(),
        _ => text("text"),
    };
    (text("id"), text("type"), said)
}

/// A frontend that comes, reads a while, and leaves, stalls, breaks down or goes on, until it has
/// seen the end of the last turn.
async fn live(
    place: Place,
    thread: String,
    mut dice: Dice,
    mut turn: watch::Receiver<usize>,
) -> View {
    let mut view = View::default();
    // Some come late.
    let first_turn = dice.below(4) as usize;
    turn.wait_for(|&now| now >= first_turn).await.expect("the day goes on");
    loop {
        let mut client = Client::initialise(place.wire().await, "frontend").await;
        let params = json!({"threadId": thread, "lastSeq": view.seen});
        let resumed = client.call("thread/resume", params).await.expect("followed");
        // What was told of the thread before the answer is in it.
        client.forget();
        view.resumed(&resumed);
        for _ in 0..=dice.below(60) {
            if view.ended_turns == TURNS {
                return view;
            }
            view.hear(&client.next().await);
        }
        match dice.below(4) {
            0 => {
                let params = json!({"threadId": thread});
                client.call("thread/unsubscribe", params).await.expect("left");
            }
            1 => {
                // Reads nothing while a turn or two go by.
                let later = (*turn.borrow() + 1).min(TURNS);
                turn.wait_for(|&now| now >= later).await.expect("the day goes on");
            }
            // The connection breaks: what was on its way is lost.
            2 => drop(client),
            _ => {
                while view.ended_turns < TURNS && dice.below(40) > 0 {
                    view.hear(&client.next().await);
                }
            }
        }
    }
}

/// How a frontend connects.
#[derive(Clone)]
enum Place {
    Memory(std::sync::Arc<parking_lot::Mutex<Rig>>),
    Socket(String),
}

impl Place {
    async fn wire(&self) -> Wire {
        match self {
            Self::Memory(rig) => rig.lock().memory(),
            Self::Socket(url) => Wire::open(url).await,
        }
    }
}

fn script(dice: &mut Dice) -> Vec<Step> {
    let mut steps = Vec::new();
    for turn in 0..TURNS {
        if dice.below(3) == 0 {
            steps.push(Step::Items(vec![exec(&format!("call-{turn}"), &format!("echo {turn}"))]));
        }
        let pieces = 1 + dice.below(60);
        steps.push(match dice.below(4) {
            0 => Step::Items(vec![message(&format!("whole {turn}"))]),
            _ => Step::Stream((0..pieces).map(|n| format!("{turn}.{n} ")).collect()),
        });
    }
    steps
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_that_misbehaves_sees_what_the_file_says() {
    let seed = 0x5EED;
    let mut rig = Rig::new(script(&mut Dice(seed))).await;
    let sockets = rig.listen().await;
    let (mut driver, thread) = rig.thread().await;
    let rig = std::sync::Arc::new(parking_lot::Mutex::new(rig));
    let (day, turn) = watch::channel(0);
    let crowd: Vec<_> = (0..FRONTENDS)
        .map(|number| {
            let place = match number % 3 {
                0 => Place::Memory(rig.clone()),
                kind => Place::Socket(sockets[kind as usize - 1].clone()),
            };
            let dice = Dice(seed.wrapping_mul(1 + number));
            tokio::spawn(live(place, thread.clone(), dice, turn.clone()))
        })
        .collect();
    for number in 1..=TURNS {
        let input = json!([{"type": "text", "text": format!("turn {number}")}]);
        let params = json!({"threadId": thread, "input": input});
        driver.call("turn/start", params).await.expect("started");
        assert_eq!(driver.turn_end().await["status"], "completed");
        day.send_replace(number);
    }
    let mut views = Vec::new();
    for frontend in crowd {
        views.push(frontend.await.expect("a frontend sees no gap and nothing twice"));
    }
    let rig = std::sync::Arc::into_inner(rig).expect("the crowd is gone").into_inner();
    // A fresh daemon knows what the file says and nothing else.
    let mut rig = rig.restart().await;
    let mut reader = rig.client("reader").await;
    let params = json!({"threadId": thread, "includeTurns": true});
    let read = reader.call("thread/read", params).await.expect("read");
    let turns = read["thread"]["turns"].as_array().expect("a list");
    assert_eq!(turns.len(), TURNS);
    let items = turns.iter().flat_map(|turn| turn["items"].as_array().expect("a list"));
    let expected: Vec<_> = items.map(essence).collect();
    assert!(expected.len() > 2 * TURNS);
    for (number, view) in views.iter().enumerate() {
        let items: Vec<_> = view.items.iter().map(essence).collect();
        assert_eq!(items, expected, "frontend {number}");
    }
}
