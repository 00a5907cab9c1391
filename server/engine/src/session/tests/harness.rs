//! A session without a runtime: inputs go in, a log of effects comes out.

use std::collections::VecDeque;
use std::sync::Arc;

use spindle_schema::event::{
    EventMsg, Question, QuestionKind, ThreadSnapshot, ThreadStatus, TurnError, TurnStatus,
    UserInputQuestion,
};
use spindle_schema::ids::{ItemId, QuestionId, ThreadId, TurnId};
use spindle_schema::item::UserInput;
use spindle_schema::note::{ReadState, ThreadNotes, Unread};
use spindle_schema::op::{ShellCommand, TurnInput};
use spindle_schema::settings::{
    ApprovalPolicy, ApprovalsReviewer, ModeKind, SandboxPolicy, SessionSource, ThreadSettings,
};

use super::super::effect::{Effect, Reply, Welcome};
use super::super::input::{Input, Submission};
use super::super::state::{Kind, Phase, State, ThreadFacts};
use super::super::step::step;
use crate::threads::StartedTurn;
use crate::threads::subscribers::Subscribers;
use crate::turn::{Expected, Mailbox, Outcome, Report, ReportMsg};
use crate::{Answer, Error};

pub(super) struct Harness {
    pub(super) state: State,
    pub(super) completed: Vec<(TurnId, TurnStatus)>,
    pub(super) started: Vec<TurnId>,
    /// The commands that run beside turns.
    pub(super) commands: Vec<Expected>,
    log: Vec<&'static str>,
    now_ms: i64,
    next_turn: u32,
}

pub(super) fn text(text: &str) -> Vec<UserInput> {
    vec![UserInput::Text { text: text.into(), text_elements: Vec::new() }]
}

pub(super) fn turn_error(message: &str) -> TurnError {
    TurnError { message: message.into(), codex_error_info: None, additional_details: None }
}

pub(super) fn question(turn_id: &TurnId, id: i64) -> Arc<Question> {
    Arc::new(Question {
        id: QuestionId(id),
        turn_id: turn_id.clone(),
        item_id: ItemId::new("item"),
        started_at_ms: 0,
        only: None,
        kind: QuestionKind::UserInput(UserInputQuestion {
            questions: Vec::new(),
            is_blocking: true,
        }),
    })
}

impl Harness {
    pub(super) fn new() -> Self {
        let state = State {
            facts: ThreadFacts {
                base: snapshot(),
                instruction_sources: Vec::new(),
                requirements: Arc::default(),
            },
            settings: settings(),
            settings_unrecorded: false,
            phase: Phase::Idle { failed: false },
            queue: VecDeque::new(),
            subscribers: Arc::new(Subscribers::default()),
            usage: None,
        };
        Self {
            state,
            completed: Vec::new(),
            started: Vec::new(),
            commands: Vec::new(),
            log: Vec::new(),
            now_ms: 1_000,
            next_turn: 0,
        }
    }

    /// Starts a turn and gives the id that was answered.
    pub(super) fn start(&mut self, input: &str) -> TurnId {
        let (answer, mut result) = Answer::channel();
        self.start_with(text(input), answer);
        result.try_recv().expect("answered").expect("started").turn.id.clone()
    }

    pub(super) fn start_with(&mut self, input: Vec<UserInput>, answer: Answer<StartedTurn>) {
        let id = self.next_id();
        let input = Box::new(TurnInput { input, ..TurnInput::default() });
        self.feed(Input::Submission(Submission::StartTurn { id, input, answer }));
    }

    /// The mailbox of the turn that runs.
    pub(super) fn mailbox(&self) -> Mailbox {
        let turn = self.state.active().expect("a turn runs");
        turn.mailbox().expect("it can be steered").clone()
    }

    /// An id that no turn had yet.
    pub(super) fn next_id(&mut self) -> TurnId {
        self.next_turn += 1;
        TurnId::new(format!("turn-{}", self.next_turn))
    }

    /// Asks for a compaction and gives the id that it has, if it becomes a turn.
    pub(super) fn compact(&mut self) -> TurnId {
        let id = self.next_id();
        let turn = id.clone();
        self.submit(|answer| Submission::Compact { id, answer });
        turn
    }

    /// Runs a person's command and gives the id that it has, if it becomes a turn.
    pub(super) fn shell(&mut self) -> TurnId {
        let id = self.next_id();
        let turn = id.clone();
        let command = ShellCommand { command: "true".into(), timeout_ms: None };
        self.submit(|answer| Submission::Shell { id, command, answer });
        turn
    }

    pub(super) fn refused_start(&mut self) -> Error {
        let (answer, mut result) = Answer::channel();
        self.start_with(text("x"), answer);
        let error = result.try_recv().expect("answered").expect_err("refused");
        self.take_log();
        error
    }

    pub(super) fn refused<T: Send + std::fmt::Debug + 'static>(
        &mut self,
        submission: impl FnOnce(Answer<T>) -> Submission,
    ) -> Error {
        let (answer, mut result) = Answer::channel();
        self.feed(Input::Submission(submission(answer)));
        result.try_recv().expect("answered").expect_err("refused")
    }

    pub(super) fn submit(&mut self, submission: impl FnOnce(Answer<()>) -> Submission) {
        let (answer, mut result) = Answer::channel();
        self.feed(Input::Submission(submission(answer)));
        result.try_recv().expect("answered").expect("accepted");
    }

    pub(super) fn report(&mut self, turn: &TurnId, msg: ReportMsg) {
        self.feed(Input::Report(Report { turn_id: turn.clone(), msg }));
    }

    pub(super) fn end(&mut self, turn: &TurnId, outcome: Outcome) {
        // What turns do: those that were interrupted, compactions and commands leave no news.
        let is_regular =
            self.state.active().is_some_and(|turn| matches!(turn.kind, Kind::Regular(_)));
        let has_news = match outcome {
            Outcome::Interrupted => false,
            Outcome::Completed => is_regular,
            Outcome::Failed(_) => true,
        };
        if has_news {
            let unread = Unread::Turn { turn_id: turn.clone() };
            let state = ReadState { revision: "r".into(), first_unread: Some(unread) };
            self.report(turn, ReportMsg::Unread(state));
        }
        self.report(turn, ReportMsg::Ended(outcome));
    }

    pub(super) fn feed(&mut self, input: Input) {
        self.now_ms += 1;
        for effect in step(&mut self.state, input, self.now_ms) {
            self.note(effect);
        }
    }

    pub(super) fn take_log(&mut self) -> Vec<&'static str> {
        std::mem::take(&mut self.log)
    }

    fn note(&mut self, effect: Effect) {
        match effect {
            Effect::Reply(reply) => {
                self.log.push("answer");
                Reply::send(reply);
            }
            Effect::Say(events) | Effect::Tell(_, events) => {
                events.iter().for_each(|event| self.note_event(event));
            }
            Effect::Welcome(welcome) => {
                self.log.push("answer");
                let Welcome { answer, resumed, usage, open, .. } = *welcome;
                answer.ok(resumed);
                usage.iter().chain(&open).for_each(|event| self.note_event(event));
            }
            Effect::Forget => self.log.push("forget"),
            Effect::StartTurn(_) => self.log.push("run"),
            Effect::RunCommand(side) => {
                self.log.push("command");
                self.commands.push(side.ticket);
            }
            Effect::CancelTurn(_) => self.log.push("cancel"),
            Effect::Withdraw(_) => self.log.push("withdraw"),
            Effect::Finish(answer) => {
                self.log.push("finish");
                answer.ok(());
            }
        }
    }

    fn note_event(&mut self, event: &EventMsg) {
        let name = match event {
            EventMsg::StatusChanged(ThreadStatus::Idle) => "status idle",
            EventMsg::StatusChanged(ThreadStatus::SystemError) => "status failed",
            EventMsg::StatusChanged(ThreadStatus::NotLoaded) => "status not loaded",
            EventMsg::StatusChanged(ThreadStatus::Active(flags)) => {
                if flags.waiting_on_approval || flags.waiting_on_user_input {
                    "status waiting"
                } else {
                    "status active"
                }
            }
            EventMsg::TurnStarted(turn) => {
                self.started.push(turn.id.clone());
                "turn started"
            }
            EventMsg::TurnCompleted(turn) => {
                self.completed.push((turn.id.clone(), turn.status));
                "turn completed"
            }
            EventMsg::ReadStateChanged(_) => "read state",
            EventMsg::Error(_) => "error",
            EventMsg::Question(_) => "question",
            EventMsg::QuestionResolved(..) => "resolved",
            EventMsg::SettingsUpdated(_) => "settings",
            EventMsg::Warning(_) => "warning",
            _ => "other",
        };
        self.log.push(name);
    }
}

fn settings() -> ThreadSettings {
    ThreadSettings {
        model: "m".into(),
        model_provider: "p".into(),
        effort: None,
        summary: None,
        service_tier: None,
        personality: None,
        cwd: "/ws".into(),
        workspace_roots: vec!["/ws".into()],
        approval_policy: ApprovalPolicy::OnRequest,
        approvals_reviewer: ApprovalsReviewer::User,
        sandbox_policy: SandboxPolicy::ReadOnly { network_access: false },
        mode: ModeKind::Default,
        mode_instructions: None,
    }
}

fn snapshot() -> ThreadSnapshot {
    ThreadSnapshot {
        id: ThreadId::new(),
        forked_from: None,
        parent: None,
        preview: String::new(),
        name: None,
        ephemeral: false,
        model_provider: "p".into(),
        model: None,
        effort: None,
        created_at: 0,
        updated_at: 0,
        recency_at: None,
        status: ThreadStatus::Idle,
        path: None,
        cwd: "/ws".into(),
        workspace_roots: Vec::new(),
        cli_version: "0".into(),
        source: SessionSource::Vscode,
        thread_source: None,
        originator: None,
        history_mode: "paginated".into(),
        git: None,
        archived: false,
        notes: ThreadNotes::default(),
    }
}
