use std::time::Duration;

use clap::Parser;
use spindle_server::{AuthMode, Listen, ServerOptions};

use super::{options, run_tool};
use crate::args::{Cli, Command, Shared};

fn told(words: &[&str]) -> ServerOptions {
    let cli = Cli::try_parse_from(std::iter::once("spindle").chain(words.iter().copied())).unwrap();
    match cli.command {
        Command::AppServer(args) => options(cli.shared, *args),
        other => panic!("{other:?}"),
    }
}

fn refused(words: &[&str]) -> String {
    let words = ["spindle", "app-server"].iter().chain(words);
    Cli::try_parse_from(words).unwrap_err().to_string()
}

#[test]
fn editors_start_it_with_or_without_words_for_stdio() {
    assert_eq!(told(&["app-server"]).listen, []);
    assert_eq!(told(&["app-server", "--stdio"]).listen, [Listen::Stdio]);
    assert_eq!(told(&["app-server", "--listen", "stdio://"]).listen, [Listen::Stdio]);
    assert_eq!(told(&["app-server", "--analytics-default-enabled"]).listen, []);
}

#[test]
fn one_daemon_serves_several_places() {
    let listen = told(&["app-server", "--listen", "ws://127.0.0.1:0", "--stdio"]).listen;
    assert_eq!(listen, [Listen::WebSocket("127.0.0.1:0".parse().unwrap()), Listen::Stdio]);
    let listen = told(&["app-server", "--listen", "unix://", "--listen", "unix:///s"]).listen;
    assert_eq!(listen, [Listen::Unix(None), Listen::Unix(Some("/s".into()))]);
}

#[test]
fn settings_before_and_after_the_name_reach_the_daemon_in_order() {
    let told = told(&[
        "-c",
        "a=1",
        "app-server",
        "--enable",
        "guardian_approval",
        "-c",
        "web_search=\"live\"",
        "--disable",
        "x",
    ]);
    let pairs = [("a", "1"), ("web_search", "\"live\"")];
    assert_eq!(told.config_overrides, pairs.map(|(key, value)| (key.into(), value.into())));
    assert_eq!(told.features, [("guardian_approval".into(), true), ("x".into(), false)]);
}

#[test]
fn the_options_of_authentication_are_passed_on() {
    let auth = told(&[
        "app-server",
        "--ws-auth",
        "signed-bearer-token",
        "--ws-shared-secret-file",
        "/s",
        "--ws-issuer",
        "i",
        "--ws-audience",
        "a",
        "--ws-max-clock-skew-seconds",
        "5",
    ])
    .auth;
    assert_eq!(auth.mode, Some(AuthMode::SignedBearerToken));
    assert_eq!(auth.shared_secret_file, Some("/s".into()));
    assert_eq!((auth.issuer.as_deref(), auth.audience.as_deref()), (Some("i"), Some("a")));
    assert_eq!(auth.max_clock_skew, Some(Duration::from_secs(5)));
}

#[test]
fn a_place_that_cannot_be_is_refused_with_what_can_be() {
    assert!(refused(&["--listen", "ws://localhost:1"]).contains("expected `ws://IP:PORT`"));
    assert!(refused(&["--listen", "tcp://1"]).contains("unsupported --listen URL `tcp://1`"));
}

#[tokio::test]
async fn the_protocol_is_written_with_or_without_what_is_experimental() {
    let dir = tempfile::tempdir().unwrap();
    let size = async |words: &[&str]| {
        let out = dir.path().join(words.join("-"));
        let mut line = vec!["spindle", "app-server", words[0], "--out", out.to_str().unwrap()];
        line.extend(&words[1..]);
        let Command::AppServer(args) = Cli::try_parse_from(line).unwrap().command else {
            panic!("another command");
        };
        run_tool(Shared::default(), args.command.unwrap()).await.unwrap();
        std::fs::read_dir(out).unwrap().count()
    };
    assert!(size(&["generate-json-schema"]).await > 0);
    assert!(size(&["generate-ts", "--experimental"]).await > 0);
}
