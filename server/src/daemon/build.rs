//! Makes the rooms in order, and hands each what it needs.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use spindle_engine::Workbench;
use spindle_engine::threads::{EngineOptions, ThreadManager};
use spindle_schema::settings::SessionSource;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::args::ServerOptions;
use super::{home, service};
use crate::api::{self, Door, Listeners};
use crate::rpc::{self, Clients, Limits, Order, Shared, Way};
use crate::transport::memory::{self, MemoryClient};
use crate::transport::{Host, Inlet, Outlet, Via};

/// All rooms, and the connections to them.
#[derive(Clone)]
pub(crate) struct Daemon {
    engine: ThreadManager,
    shared: Shared,
    /// Cleared when the daemon is about to end.
    is_ready: Arc<AtomicBool>,
    /// Everything that has to be over before the process may end.
    tracker: TaskTracker,
}

impl Daemon {
    /// Makes the rooms. Must be called within the runtime; touches no file.
    pub(crate) fn build(options: &ServerOptions) -> Self {
        let source = if options.is_exec { SessionSource::Exec } else { SessionSource::Vscode };
        let clients = Arc::new(Clients::default());
        let tracker = TaskTracker::new();
        let engine =
            ThreadManager::new(engine_options(options), Arc::new(Listeners::new(clients.clone())));
        let order = Order::new();
        let (tasks, everyone) = (tracker.clone(), clients.clone());
        let door = Door::new(engine.clone(), source, tasks, everyone, order.clone());
        let stop = CancellationToken::new();
        let shared = Shared { service: Arc::new(door), clients, order, stop };
        let is_ready = Arc::new(AtomicBool::new(true));
        Self { engine, shared, is_ready, tracker }
    }

    /// The engine.
    pub(super) fn engine(&self) -> &ThreadManager {
        &self.engine
    }

    /// The clients that are there.
    pub(super) fn clients(&self) -> &Clients {
        &self.shared.clients
    }

    /// Serves a connection of its own kind in the background.
    pub(super) fn host(
        &self,
        inlet: impl Inlet,
        outlet: impl Outlet,
        via: Via,
    ) -> tokio::task::JoinHandle<()> {
        let way = Way { via, limits: Limits::SOLE };
        self.tracker.spawn(rpc::serve(inlet, outlet, way, self.shared.clone()))
    }

    /// Connects a client within the process.
    pub(crate) fn connect(&self) -> MemoryClient {
        let (client, inlet, outlet) = memory::pair();
        drop(self.host(inlet, outlet, Via::Memory));
        client
    }

    /// From here on health checks say that the daemon is about to end.
    pub(super) fn be_unready(&self) {
        self.is_ready.store(false, Ordering::Relaxed);
    }

    /// Interrupts turns, writes what is open, ends processes; then ends the connections.
    ///
    /// Takes `grace` and one second at most. What does not end in time is logged and left.
    pub(crate) async fn shut_down(&self, grace: Duration) {
        self.be_unready();
        self.engine.shutdown(grace).await;
        self.shared.stop.cancel();
        self.tracker.close();
        if tokio::time::timeout(Duration::from_secs(1), self.tracker.wait()).await.is_err() {
            tracing::warn!(
                connections = self.tracker.len(),
                "some connections did not end in time"
            );
        }
    }
}

/// Makes ready what threads have in common, for what is done without one.
pub(crate) fn workbench(options: &ServerOptions) -> Workbench {
    let options = engine_options(options);
    // A daemon that runs would start commands without a sandbox for one that reaches it.
    spindle_engine::hide_from_commands(home::control_socket(&options.home));
    Workbench::new(options)
}

/// What the engine is told, by the options and by the process's surroundings.
fn engine_options(options: &ServerOptions) -> EngineOptions {
    let named = || home::folder(|key| std::env::var_os(key));
    EngineOptions {
        home: options.home.clone().unwrap_or_else(named),
        cwd: std::env::current_dir().unwrap_or_else(|_| "/".into()),
        config_overrides: options.config_overrides.clone(),
        features: options.features.clone(),
        version: api::PROTOCOL_VERSION,
        env: environment(),
    }
}

/// What commands may see: not what is between the daemon and its service manager.
fn environment() -> HashMap<String, String> {
    std::env::vars_os()
        .filter(|(key, _)| !service::VARIABLES.iter().any(|own| key == own))
        .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

impl Host for Daemon {
    async fn serve<I: Inlet, O: Outlet>(&self, inlet: I, outlet: O, via: Via) {
        let way = Way { via, limits: Limits::SHARED };
        let serving = rpc::serve(inlet, outlet, way, self.shared.clone());
        self.tracker.track_future(serving).await;
    }

    fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed)
    }
}
