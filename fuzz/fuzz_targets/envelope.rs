//! Any message is read without a panic, and what is taken for a message is JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use spindle_schema::envelope::Envelope;

fuzz_target!(|data: &[u8]| {
    if Envelope::parse(data).is_ok() {
        assert!(serde_json::from_slice::<serde_json::Value>(data).is_ok());
    }
});
