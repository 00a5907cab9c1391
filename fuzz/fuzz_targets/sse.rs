//! However a body is cut, the same events come out.
#![no_main]

use libfuzzer_sys::fuzz_target;
use spindle_model::sse::{Scanner, TooLarge};

fn events<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> Vec<String> {
    let mut scanner = Scanner::default();
    let mut events = Vec::new();
    for chunk in chunks {
        let each = |event: &str| {
            events.push(event.to_owned());
            Ok::<(), TooLarge>(())
        };
        scanner.push(chunk, each).expect("no input of a fuzzer is too large");
    }
    events
}

fuzz_target!(|data: &[u8]| {
    let Some((size, body)) = data.split_first() else { return };
    let whole = events(std::iter::once(body));
    assert_eq!(whole, events(body.chunks(usize::from(*size) % 16 + 1)));
});
