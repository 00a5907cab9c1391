//! The managed network: commands that have a network reach only what settings, rules and people
//! allow.
//!
//! Nothing of it exists for a thread whose configuration does not have it. Where it is configured
//! and this system cannot make it, commands have no network, and people are told.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use spindle_exec::env::Environment;
use spindle_exec::network::{
    Gate, Limits, Proxy, Refusal, Soon, System, Target, Verdict, variables,
};
use spindle_exec::policy::{Decision, Protocol, append_network_rule};
use spindle_exec::sandbox::{Mode, Support};
use spindle_exec::{Cleared, Command, Process, SpawnError};
use spindle_schema::event::{
    AnswerMsg, CommandDecision, EventMsg, NetworkProtocol, NetworkQuestion, QuestionKind,
};
use spindle_schema::settings::ApprovalPolicy;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use super::call::CallContext;
use crate::approvals::{About, Asked};
use crate::config::ManagedNetwork;
use crate::turn::ReportMsg;

/// The variable that names the permission profile to commands.
const PROFILE: &str = "CODEX_PERMISSION_PROFILE";

/// The managed network of a session.
#[derive(Debug, Default)]
pub(crate) struct Network {
    managed: Option<ManagedNetwork>,
    /// What a person allowed for the session.
    allowed: Mutex<HashSet<Target>>,
    /// What the model is to be told of rules that came of answers.
    saved: Mutex<Vec<String>>,
    /// Whether people were told that it cannot be had here.
    is_missed: AtomicBool,
}

impl Network {
    /// The network of a session that begins.
    pub(crate) fn new(managed: Option<ManagedNetwork>) -> Self {
        Self { managed, ..Self::default() }
    }

    /// Takes what the model is to be told of rules that were saved since the last time.
    pub(crate) fn take_saved(&self) -> Vec<String> {
        std::mem::take(&mut self.saved.lock())
    }
}

/// How a command gets to the network.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Way {
    /// As its sandbox lets it.
    Usual,
    /// Through a proxy that judges where it connects to.
    Managed(ManagedNetwork),
}

impl Way {
    /// Settles how a command with this sandbox gets to the network. Where the managed network
    /// cannot be made, the sandbox closes it.
    pub(super) async fn of(context: &CallContext, sandbox: Mode) -> (Self, Mode) {
        let network = &context.rooms.network;
        let Some(managed) = &network.managed else { return (Self::Usual, sandbox) };
        if !sandbox.is_sandboxed() || sandbox.is_offline() {
            return (Self::Usual, sandbox);
        }
        let Err(why) = Support::own_network().await else {
            return (Self::Managed(managed.clone()), sandbox);
        };
        if !network.is_missed.swap(true, Ordering::Relaxed) {
            let text = format!("the managed network cannot be used, commands have none: {why}");
            context.speaker.say(vec![EventMsg::Warning(text.into())]).await;
        }
        (Self::Usual, sandbox.offline())
    }

    /// What a command learns of its network from its environment.
    pub(super) fn variables(&self) -> Environment {
        let Self::Managed(network) = self else { return Environment::new() };
        let profile = network.profile.as_deref().map(|name| (PROFILE.into(), name.into()));
        variables(network.limits.local).into_iter().chain(profile).collect()
    }

    /// Starts a command, and with it its way out.
    pub(super) async fn start(
        self,
        context: &CallContext,
        command: Cleared<Command>,
    ) -> Result<(Process, Option<Outlet>), SpawnError> {
        let Self::Managed(network) = self else {
            return Ok((Process::spawn(command).await?, None));
        };
        let (process, entrance) = Process::spawn_apart(command).await?;
        let fate = Arc::new(Fate {
            refusal: OnceLock::new(),
            refused: CancellationToken::new(),
            over: context.cancel.child_token(),
        });
        let access = Access {
            context: context.clone(),
            limits: network.limits,
            fate: fate.clone(),
            asked: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
        };
        let proxy = Proxy::serve(entrance, Arc::new(access), Arc::new(System));
        Ok((process, Some(Outlet { fate, proxy: Mutex::new(Some(proxy)) })))
    }
}

/// The way out of one command. It is closed with the command's end.
pub(super) struct Outlet {
    fate: Arc<Fate>,
    proxy: Mutex<Option<Proxy>>,
}

/// What becomes of a command because of its connections.
struct Fate {
    /// Why a connection was refused first.
    refusal: OnceLock<String>,
    /// Pulled when one was.
    refused: CancellationToken,
    /// Pulled when the command, or its turn, is over: nobody is asked any more.
    over: CancellationToken,
}

impl Outlet {
    /// Why a connection was refused, if one was.
    pub(super) fn refusal(&self) -> Option<&str> {
        self.fate.refusal.get().map(String::as_str)
    }

    /// Waits until a connection is refused.
    pub(super) async fn refused(&self) {
        self.fate.refused.cancelled().await;
    }

    /// Ends all connections and takes back what is asked.
    pub(super) fn close(&self) {
        self.fate.over.cancel();
        self.proxy.lock().take();
    }
}

impl fmt::Debug for Outlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outlet").field("refusal", &self.fate.refusal).finish_non_exhaustive()
    }
}

/// Decides where one command may connect to.
struct Access {
    context: CallContext,
    limits: Limits,
    fate: Arc<Fate>,
    /// What a person said about each target; it holds for the command.
    asked: Mutex<HashMap<Target, Answered>>,
    /// Held while a person is asked: one question at a time.
    asking: tokio::sync::Mutex<()>,
}

type Answered = Arc<OnceCell<Result<(), Refusal>>>;

impl Gate for Access {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn judge<'a>(&'a self, target: &'a Target) -> Soon<'a, Result<(), Refusal>> {
        Box::pin(async move {
            let rules = self.context.rooms.rules.lock().current();
            match self.limits.judge(&rules, target) {
                Verdict::Allow => Ok(()),
                Verdict::Refuse(refusal) => Err(refusal),
                Verdict::Ask => self.ask(target).await,
            }
        })
    }

    fn refused(&self, target: &Target, refusal: Refusal) {
        // The first one is what the command is ended for.
        let _ = self.fate.refusal.set(target.refused(refusal));
        self.fate.refused.cancel();
    }
}

impl Access {
    async fn ask(&self, target: &Target) -> Result<(), Refusal> {
        if self.context.rooms.network.allowed.lock().contains(target) {
            return Ok(());
        }
        match self.context.settings.approval_policy {
            ApprovalPolicy::Never => return Err(Refusal::Unasked),
            ApprovalPolicy::Granular(kinds) if !kinds.sandbox_approval => {
                return Err(Refusal::Unasked);
            }
            ApprovalPolicy::Untrusted | ApprovalPolicy::OnRequest | ApprovalPolicy::Granular(_) => {
            }
        }
        let answered = self.asked.lock().entry(target.clone()).or_default().clone();
        *answered
            .get_or_init(|| async {
                let _turn = self.asking.lock().await;
                // A task of its own, so that the question is taken back if nobody waits any more.
                let asking = tokio::spawn(ask_person(self.asker(target), target.clone()));
                asking.await.unwrap_or(Err(Refusal::NotListed))
            })
            .await
    }

    fn asker(&self, target: &Target) -> Asker {
        let mut context = self.context.clone();
        let turn = std::mem::replace(&mut context.cancel, self.fate.over.clone());
        let (protocol, host) = (target.protocol.as_str(), &target.host);
        let id = uuid::Uuid::new_v4();
        context.call.call_id =
            format!("network#local#{protocol}#{host}#{}#{id}", target.port).into();
        Asker { context, turn }
    }
}

/// Asks about one target.
struct Asker {
    /// That of the command's call, under the question's own id, until the command is over.
    context: CallContext,
    /// Ends the turn.
    turn: CancellationToken,
}

async fn ask_person(asker: Asker, target: Target) -> Result<(), Refusal> {
    let Asker { context, turn } = asker;
    let question = QuestionKind::Network(NetworkQuestion {
        host: target.host.to_string().into(),
        protocol: match target.protocol {
            Protocol::Http => NetworkProtocol::Http,
            Protocol::Https => NetworkProtocol::Https,
            Protocol::Socks5Tcp | Protocol::Socks5Udp => NetworkProtocol::Socks5Tcp,
        },
    });
    let (id, asked) = context.ask_unsettled(question, About::Nothing).await;
    let settled = ReportMsg::Settled { question: id, also: Vec::new() };
    let Asked::Answered(answer) = asked else {
        // With the turn's end, the session takes its questions back.
        if !turn.is_cancelled() {
            context.rooms.broker.withdraw(id);
            context.speaker.report(settled).await;
        }
        return Err(Refusal::NotListed);
    };
    let network = &context.rooms.network;
    let decided = match answer {
        AnswerMsg::Decision(CommandDecision::Accept) => Ok(()),
        AnswerMsg::Decision(CommandDecision::AcceptForSession) => {
            network.allowed.lock().insert(target);
            Ok(())
        }
        // Only the rule that was offered counts, not one about another host.
        AnswerMsg::HostRule { host, allow } if *host == target.host.to_string() => {
            keep_rule(&context, &target, allow).await;
            if allow { Ok(()) } else { Err(Refusal::Rejected) }
        }
        AnswerMsg::Decision(CommandDecision::Cancel) => {
            turn.cancel();
            Err(Refusal::Rejected)
        }
        _ => Err(Refusal::Rejected),
    };
    context.speaker.report(settled).await;
    decided
}

/// Writes the rule that a person chose, which counts from the next connection on. If that fails,
/// people are told; the answer counts all the same.
async fn keep_rule(context: &CallContext, target: &Target, allow: bool) {
    let (host, protocol) = (target.host.to_string(), target.protocol);
    let file = context.rooms.home.join("rules").join("default.rules");
    let (path, name) = (file.clone(), host.clone());
    let decision = if allow { Decision::Allow } else { Decision::Forbidden };
    // Another process may hold the file for a moment.
    let written =
        tokio::task::spawn_blocking(move || append_network_rule(&path, &name, protocol, decision));
    match written.await.unwrap_or_else(|error| Err(std::io::Error::other(error))) {
        Ok(_) => {
            let (what, list) =
                if allow { ("Allowed", "allowlist") } else { ("Denied", "denylist") };
            let text = format!("{what} network rule saved in execpolicy ({list}): {host}");
            context.rooms.network.saved.lock().push(text);
        }
        Err(error) => {
            tracing::warn!(%error, "a rule could not be written");
            let text = format!("the rule could not be written to {}: {error}", file.display());
            context.speaker.say(vec![EventMsg::Warning(text.into())]).await;
        }
    }
}
