//! Writes `json/protocol.json` anew from the types:
//! `cargo run -p spindle-schema --features export --example bundle`.

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/json/protocol.json");
    std::fs::write(path, spindle_schema::export::generate::bundle())
}
