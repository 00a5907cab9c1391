//! `server/diagnostics`: figures about the process.

use std::fs;

use spindle_schema::v2::{
    ServerDiagnosticsGauge, ServerDiagnosticsProcess, ServerDiagnosticsResponse,
};

use super::context::Context;

/// What the process uses, and how much it is doing.
pub(super) fn read(context: &Context) -> ServerDiagnosticsResponse {
    let gauge = |name: &str, value| ServerDiagnosticsGauge { name: name.to_owned(), value };
    ServerDiagnosticsResponse {
        process: ServerDiagnosticsProcess {
            id: std::process::id(),
            resident_memory_bytes: resident_bytes(),
            physical_footprint_bytes: None,
        },
        gauges: vec![
            gauge("app.requests.in_flight", context.clients.requests_in_flight() as u64),
            gauge("app.requests.queued", context.order.waiting() as u64),
        ],
    }
}

/// Resident memory; `None` where the system does not tell.
fn resident_bytes() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    #[test]
    fn resident_memory_is_a_plausible_number_of_bytes() {
        let bytes = super::resident_bytes().expect("Linux tells");
        assert!((1 << 20..1 << 36).contains(&bytes), "{bytes}");
    }
}
