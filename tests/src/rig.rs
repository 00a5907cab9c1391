//! All that a test of the wire needs.

use serde_json::json;
use spindle_server::{Hosted, Listen, ServerOptions};

use crate::client::Client;
use crate::home::Home;
use crate::model::{Model, Step};
use crate::wire::Wire;

/// A scripted model, a home, and a daemon inside the test's process.
pub struct Rig {
    /// The model.
    pub model: Model,
    /// The home and the workspace.
    pub home: Home,
    daemon: Hosted,
    first: Option<spindle_server::MemoryClient>,
}

impl Rig {
    /// A rig whose model follows a script.
    pub async fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::with_config(steps, "").await
    }

    /// The same, with settings of its own at the head of `config.toml`.
    pub async fn with_config(steps: impl IntoIterator<Item = Step>, config: &str) -> Self {
        let model = Model::start(steps).await;
        let home = Home::new(&model.base_url(), config);
        let (first, daemon) = spindle_server::in_process(options(&home)).await;
        Self { model, home, daemon, first: Some(first) }
    }

    /// A client that is initialised.
    pub async fn client(&mut self, name: &str) -> Client {
        let wire = self.memory();
        Client::initialise(wire, name).await
    }

    /// A connection within the process, not initialised.
    pub fn memory(&mut self) -> Wire {
        Wire::Memory(self.first.take().unwrap_or_else(|| self.daemon.connect()))
    }

    /// Lets clients in at a WebSocket and at a Unix socket; gives their addresses.
    ///
    /// # Panics
    /// When one of them cannot be had.
    pub async fn listen(&mut self) -> [String; 2] {
        let path = self.home.around().join("d.sock");
        let places = [Listen::WebSocket(([127, 0, 0, 1], 0).into()), Listen::Unix(Some(path))];
        let mut urls = Vec::new();
        for place in &places {
            let url = self.daemon.listen(place).await.expect("the place is free");
            urls.push(url.expect("it is a socket"));
        }
        urls.try_into().expect("two places have two addresses")
    }

    /// A client with a thread; gives the thread's id.
    pub async fn thread(&mut self) -> (Client, String) {
        let mut client = self.client("first").await;
        let cwd = self.home.workspace();
        let started = client.call("thread/start", json!({ "cwd": cwd })).await;
        let started = started.expect("a thread can be started");
        let id = started["thread"]["id"].as_str().expect("threads have ids").to_owned();
        (client, id)
    }

    /// Ends the daemon and starts another one on the same home.
    pub async fn restart(self) -> Self {
        let Self { model, home, daemon, first } = self;
        drop(first);
        daemon.stop().await;
        let (first, daemon) = spindle_server::in_process(options(&home)).await;
        Self { model, home, daemon, first: Some(first) }
    }
}

fn options(home: &Home) -> ServerOptions {
    ServerOptions { home: Some(home.path()), ..ServerOptions::default() }
}
