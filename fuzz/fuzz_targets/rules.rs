//! Any rule file is read without a panic; what is read can be used, and a fault has a place.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use spindle_exec::policy::{Fit, Word, parse_rules};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    match parse_rules(Path::new("x.rules"), &text) {
        Ok(rules) => {
            for rule in &rules.prefix {
                assert!(!rule.pattern.is_empty() && rule.pattern.iter().all(|word| !word.is_empty()));
                let words: Vec<Word> =
                    rule.pattern.iter().map(|word| Word::exact(word[0].as_str())).collect();
                assert_eq!(rules.fit(rule, &words), Fit::Yes, "a rule fits its own words");
            }
            for rule in &rules.network {
                assert!(rules.network_rule(&rule.host, rule.protocol).is_some());
            }
        }
        Err(error) => {
            let lines = text.matches('\n').count() + 1;
            assert!((1..=lines).contains(&error.start.line), "{error:?}");
            assert!(error.start.column >= 1 && !error.to_string().is_empty());
        }
    }
});
