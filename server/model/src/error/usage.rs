//! The sentence about a usage limit.

use jiff::Timestamp;
use jiff::tz::TimeZone;

const HEAD: &str = "You’ve hit your usage limit.";
const CREDITS: &str = "visit https://chatgpt.com/settings/usage to purchase more credits";

/// Says what a person on this plan can do, and when the limit ends in local time.
pub(super) fn sentence(plan: Option<&str>, resets_at: Option<i64>) -> String {
    sentence_in(plan, resets_at, TimeZone::system())
}

pub(super) fn sentence_in(plan: Option<&str>, resets_at: Option<i64>, zone: TimeZone) -> String {
    let when = resets_at.and_then(|seconds| at(seconds, zone));
    let again =
        when.map_or_else(|| "try again later".to_owned(), |when| format!("try again at {when}"));
    match plan {
        Some("plus") => format!(
            "{HEAD} Upgrade to Pro (https://chatgpt.com/explore/pro), {CREDITS} or {again}."
        ),
        Some("pro") => format!("{HEAD} Visit {} or {again}.", &CREDITS["visit ".len()..]),
        _ => format!("{HEAD} {}{}.", again[..1].to_uppercase(), &again[1..]),
    }
}

/// A moment as `Jan 1st, 2100 12:00 AM`.
fn at(seconds: i64, zone: TimeZone) -> Option<String> {
    let moment = Timestamp::from_second(seconds).ok()?.to_zoned_datetime(zone);
    let day = moment.day();
    let ending = match day {
        11..=13 => "th",
        _ if day % 10 == 1 => "st",
        _ if day % 10 == 2 => "nd",
        _ if day % 10 == 3 => "rd",
        _ => "th",
    };
    Some(format!("{} {day}{ending}, {}", moment.strftime("%b"), moment.strftime("%Y %-I:%M %p")))
}
