//! The task of a session: take an input, step, carry the effects out.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use spindle_schema::event::{ErrorInfo, Event, EventMsg, Scope, ThreadStatus, TurnError};
use spindle_schema::ids::{ConnectionId, ThreadId};
use spindle_schema::settings::ThreadSettings;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::effect::{Effect, Welcome};
use super::input::{Input, Submission};
use super::state::State;
use super::step::step;
use crate::config::Answers;
use crate::context::{Conversation, Recorder};
use crate::rooms::SessionRooms;
use crate::threads::idle::{Rest, Running};
use crate::threads::subscribers::Subscribers;
use crate::threads::{Answering, Audience, Line, Recipients};
use crate::tools::{Processes, UserCommand};
use crate::turn::{Outcome, Report, ReportMsg, SideCommand, Speaker, Turn, TurnPlan};
use crate::{Answer, Error, clock};

/// Submissions that may wait. More are refused as overload.
const SUBMISSIONS: usize = 256;
/// Reports that may wait. A turn that is ahead of its session waits.
const REPORTS: usize = 256;

/// The only way to talk to a session. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Handle {
    inputs: mpsc::Sender<Input>,
    /// Who follows the thread.
    pub(crate) subscribers: Arc<Subscribers>,
    /// Its commands that run.
    pub(crate) processes: Arc<Processes>,
    /// What is planned when nobody uses the thread.
    pub(crate) rest: Rest,
    /// Whose answers to questions count.
    pub(crate) answers: Answers,
}

impl Handle {
    /// Hands a submission over without waiting. One too many is refused.
    pub(crate) fn submit(&self, submission: Submission) {
        if let Err(mpsc::error::TrySendError::Full(Input::Submission(submission))) =
            self.inputs.try_send(Input::Submission(submission))
        {
            submission.refuse(Error::Overloaded);
        }
    }

    /// Asks the session to end and waits until it has, with all that it holds.
    pub(crate) async fn stop(&self) {
        if self.inputs.send(Input::Stop(Answer::ignored())).await.is_ok() {
            self.inputs.closed().await;
        }
    }

    /// Asks the session to end if nobody uses it, and tells whether it has.
    pub(crate) async fn retire(&self) -> bool {
        let (answer, ended) = Answer::channel();
        if self.inputs.send(Input::Retire(answer)).await.is_err() {
            return true;
        }
        let ends = matches!(ended.await, Ok(Ok(())));
        if ends {
            self.inputs.closed().await;
        }
        ends
    }

    /// Lets the session let go of what it keeps for those who lost their connection.
    pub(crate) fn forget(&self) {
        // A session that is too busy to hear it has no rest.
        drop(self.inputs.try_send(Input::Forget));
    }

    /// Takes a connection off the followers and tells whether it was one.
    pub(crate) fn leave(&self, connection: ConnectionId) -> bool {
        let was_on = self.subscribers.remove(connection);
        if was_on && self.subscribers.is_empty() {
            self.rest.is_left();
        }
        was_on
    }

    /// Whether the thread takes this client's answers to its questions.
    pub(crate) fn takes_answer_of(&self, from: &Answering) -> bool {
        match self.answers {
            Answers::First => true,
            Answers::Owner => self.subscribers.owner() == Some(from.answerer.connection),
            Answers::Local => from.is_local,
        }
    }

    /// Whether the session's task is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.inputs.is_closed()
    }
}

/// A session that can be started.
pub(crate) struct Session {
    /// The thread.
    pub(crate) thread_id: ThreadId,
    /// How it stands.
    pub(crate) state: State,
    /// The conversation, while no turn has it.
    pub(crate) conversation: Conversation,
    /// What its turns share.
    pub(crate) rooms: Arc<SessionRooms>,
    /// Who listens.
    pub(crate) audience: Arc<dyn Audience>,
    /// What is planned when nobody uses the thread.
    pub(crate) rest: Rest,
}

impl Session {
    /// Starts the task. Its first event must say what the session is set to; a session that
    /// says anything else is refused (SPEC S2).
    pub(crate) async fn start(self) -> Result<(Handle, Box<ThreadSettings>), Error> {
        let (inputs, input) = mpsc::channel(SUBMISSIONS);
        let (report, reports) = mpsc::channel(REPORTS);
        let (configured, first) = tokio::sync::oneshot::channel();
        let handle = Handle {
            inputs,
            subscribers: self.state.subscribers.clone(),
            processes: self.rooms.processes.clone(),
            rest: self.rest.clone(),
            answers: self.rooms.config.frontend.answers,
        };
        let task = Loop {
            thread_id: self.thread_id,
            state: self.state,
            recorder: self.conversation.recorder.clone(),
            resting: Some(self.conversation),
            turn: None,
            rooms: self.rooms,
            line: self.audience.line(),
            audience: self.audience,
            rest: self.rest,
            running: None,
            report,
            over: false,
            finishing: Vec::new(),
        };
        tokio::spawn(task.run(input, reports, configured));
        match first.await {
            Ok(EventMsg::SessionConfigured(settings)) => Ok((handle, settings)),
            _ => Err(Error::Dropped),
        }
    }
}

/// A turn's task, seen from its session.
struct TurnTask {
    /// Where the task puts the conversation; empty when it broke down.
    conversation: Mutex<Option<Conversation>>,
    /// Pulled when the task is gone, however it went.
    gone: CancellationToken,
}

impl TurnTask {
    fn spawn(turn: Turn) -> Arc<Self> {
        let task =
            Arc::new(Self { conversation: Mutex::new(None), gone: CancellationToken::new() });
        let inside = task.clone();
        tokio::spawn(async move {
            let _gone = inside.gone.clone().drop_guard();
            let conversation = Box::pin(turn.run()).await;
            *inside.conversation.lock() = Some(conversation);
        });
        task
    }
}

struct Loop {
    thread_id: ThreadId,
    state: State,
    /// The way to the rollout, for what runs beside a turn.
    recorder: Recorder,
    /// The conversation, while no turn has it.
    resting: Option<Conversation>,
    /// The turn's task.
    turn: Option<Arc<TurnTask>>,
    rooms: Arc<SessionRooms>,
    audience: Arc<dyn Audience>,
    /// Where it speaks.
    line: Box<dyn Line>,
    rest: Rest,
    /// Held while a turn runs.
    running: Option<Running>,
    report: mpsc::Sender<Report>,
    over: bool,
    /// Who waits for the end of the session and of its commands.
    finishing: Vec<Answer<()>>,
}

impl Loop {
    async fn run(
        mut self,
        mut inputs: mpsc::Receiver<Input>,
        mut reports: mpsc::Receiver<Report>,
        configured: tokio::sync::oneshot::Sender<EventMsg>,
    ) {
        let settings = Box::new(self.state.settings.clone());
        drop(configured.send(EventMsg::SessionConfigured(settings)));
        self.rest.begins(true);
        while !self.over {
            let input = tokio::select! {
                biased;
                input = inputs.recv() => match input {
                    Some(input) => input,
                    // Nobody can reach the session any more.
                    None => Input::Stop(Answer::ignored()),
                },
                Some(report) = reports.recv() => Input::Report(report),
                () = broke_down(self.turn.as_deref()) => self.broken_turn(),
            };
            self.take(input).await;
        }
        self.end_commands(reports).await;
        let (thread_id, finishing) = (self.thread_id, std::mem::take(&mut self.finishing));
        // Its file is closed before anybody is told that the session is gone.
        drop(self);
        refuse_all(inputs, thread_id);
        finishing.into_iter().for_each(|answer| answer.ok(()));
    }

    /// Ends the commands that still run. What they say at their end is passed on meanwhile; then
    /// nobody speaks any more.
    async fn end_commands(&mut self, mut reports: mpsc::Receiver<Report>) {
        let processes = self.rooms.processes.clone();
        let mut ending = std::pin::pin!(processes.end_all());
        loop {
            tokio::select! {
                biased;
                Some(report) = reports.recv() => self.pass_on(report),
                () = &mut ending => break,
            }
        }
        reports.close();
        while let Some(report) = reports.recv().await {
            self.pass_on(report);
        }
    }

    /// Says what a report of the last moments has to say.
    fn pass_on(&mut self, report: Report) {
        for effect in step(&mut self.state, Input::Report(report), clock::now_ms()) {
            if let Effect::Say(events) = effect {
                self.say(events);
            }
        }
    }

    async fn take(&mut self, input: Input) {
        if let Input::Report(Report { msg: ReportMsg::Ended(_), .. }) = &input
            && let Some(turn) = self.turn.take()
        {
            // The report of the end is the turn's last act: this does not wait for anything else.
            turn.gone.cancelled().await;
            self.resting = turn.conversation.lock().take();
        }
        if matches!(input, Input::Retire(_)) && self.rooms.processes.any_running() {
            return;
        }
        let mut effects = VecDeque::from(step(&mut self.state, input, clock::now_ms()));
        while let Some(effect) = effects.pop_front() {
            self.carry_out(effect);
        }
        self.note_rest();
    }

    /// Notes when turns begin to run and when there is rest again.
    fn note_rest(&mut self) {
        match (self.state.active().is_some(), self.running.is_some()) {
            (true, false) => self.running = Some(self.rest.turn_runs()),
            (false, true) => {
                self.running = None;
                self.rest.begins(!self.state.subscribers.is_empty());
            }
            (true, true) | (false, false) => {}
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Reply(reply) => reply.send(),
            Effect::Say(events) => self.say(events),
            Effect::Tell(connection, events) => {
                self.line.tell(&events_of(self.thread_id, events), connection);
            }
            Effect::Welcome(welcome) => self.welcome(*welcome),
            Effect::Forget => self.line.forget(),
            Effect::StartTurn(plan) => self.start_turn(*plan),
            Effect::RunCommand(command) => self.run_command(*command),
            Effect::CancelTurn(token) => token.cancel(),
            Effect::Withdraw(questions) => {
                questions.into_iter().for_each(|id| self.rooms.broker.withdraw(id));
            }
            Effect::Finish(answer) => {
                self.over = true;
                self.finishing.push(answer);
            }
        }
    }

    /// Hands events to the clients: runs of events with the same hearers together.
    fn say(&mut self, mut events: Vec<EventMsg>) {
        for event in &mut events {
            if let EventMsg::QuestionResolved(id, by) = event {
                *by = self.rooms.broker.settle(*id).map(Box::new);
            }
        }
        let events = events_of(self.thread_id, events);
        for run in events.chunk_by(|a, b| a.msg.scope() == b.msg.scope()) {
            match run[0].msg.scope() {
                Scope::Everyone => self.line.deliver(run, Recipients::Everyone),
                Scope::Subscribers => {
                    let subscribers = self.state.subscribers.list();
                    self.line.deliver(run, Recipients::Only(&subscribers));
                }
            }
        }
    }

    fn welcome(&mut self, welcome: Welcome) {
        let Welcome { connection, answer, mut resumed, seen, usage, open } = welcome;
        let replayed = seen.filter(|&seen| self.line.reaches(seen));
        resumed.position = self.line.position();
        resumed.is_replayed = seen.map(|_| replayed.is_some());
        answer.ok(resumed);
        let mut told = open;
        match replayed {
            Some(seen) => self.line.replay(seen, connection),
            None => told.splice(0..0, usage).for_each(drop),
        }
        if !told.is_empty() {
            self.line.tell(&events_of(self.thread_id, told), connection);
        }
        // Whoever left while the thread was being loaded was not there to be taken off.
        if !self.audience.is_there(connection) && self.state.subscribers.remove(connection) {
            self.rest.begins(!self.state.subscribers.is_empty());
        }
    }

    fn start_turn(&mut self, plan: TurnPlan) {
        let speaker = Speaker::new(plan.id.clone(), self.report.clone());
        let Some(conversation) = self.resting.take() else {
            return self.cannot_run(&speaker, "the conversation was lost; resume the thread");
        };
        match Turn::prepare(plan, self.rooms.clone(), conversation, speaker.clone()) {
            Ok(turn) => self.turn = Some(TurnTask::spawn(turn)),
            Err((conversation, error)) => {
                self.resting = Some(*conversation);
                self.cannot_run(&speaker, &error.to_string());
            }
        }
    }

    fn run_command(&self, side: SideCommand) {
        let SideCommand { turn_id, command, settings, cancel, ticket } = side;
        let speaker = Speaker::new(turn_id, self.report.clone());
        let (rooms, recorder) = (self.rooms.clone(), self.recorder.clone());
        UserCommand { rooms, speaker, recorder, settings, cancel, command, ticket }.start();
    }

    /// Ends a turn that could not begin. The report goes to this session itself.
    fn cannot_run(&self, speaker: &Speaker, why: &str) {
        let error = TurnError {
            message: why.to_owned(),
            codex_error_info: Some(ErrorInfo::Other),
            additional_details: None,
        };
        let speaker = speaker.clone();
        let recorder = self.resting.as_ref().map(|conversation| conversation.recorder.clone());
        tokio::spawn(async move {
            if let Some(recorder) = recorder
                && let Some(unread) = recorder.note_unread(speaker.turn_id()).await
            {
                speaker.report(ReportMsg::Unread(unread)).await;
            }
            speaker.report(ReportMsg::Ended(Outcome::Failed(error))).await;
        });
    }

    /// A turn's task broke down: its turn fails, and the thread is unloaded, since only its
    /// rollout still knows the conversation.
    fn broken_turn(&mut self) -> Input {
        tracing::error!(thread = %self.thread_id, "a turn broke down");
        self.turn = None;
        let error = TurnError {
            message: "an internal error ended the turn; the thread was unloaded".into(),
            codex_error_info: Some(ErrorInfo::Other),
            additional_details: None,
        };
        self.over = true;
        let Some(turn) = self.state.active() else { return Input::Stop(Answer::ignored()) };
        let turn_id = turn.id.clone();
        // The person's commands that ran in it end too.
        turn.cancel.cancel();
        let report = Report { turn_id, msg: ReportMsg::Ended(Outcome::Failed(error)) };
        let effects = step(&mut self.state, Input::Report(report), clock::now_ms());
        for effect in effects {
            if let Effect::Say(events) = effect {
                self.say(events);
            }
        }
        self.say(vec![EventMsg::StatusChanged(ThreadStatus::NotLoaded)]);
        Input::Stop(Answer::ignored())
    }
}

/// Comes back when the turn's task ended without having told its end.
async fn broke_down(turn: Option<&TurnTask>) {
    match turn {
        Some(task) => {
            task.gone.cancelled().await;
            // A task that ended well has told so before; that report is on its way.
            if task.conversation.lock().is_some() {
                std::future::pending::<()>().await;
            }
        }
        None => std::future::pending().await,
    }
}

fn events_of(thread_id: ThreadId, events: Vec<EventMsg>) -> Vec<Event> {
    let at_ms = clock::now_ms();
    events.into_iter().map(|msg| Event { thread_id, at_ms, msg }).collect()
}

/// Refuses what came too late. Whoever asks again finds no session.
fn refuse_all(mut inputs: mpsc::Receiver<Input>, thread_id: ThreadId) {
    inputs.close();
    while let Ok(input) = inputs.try_recv() {
        match input {
            Input::Submission(submission) => submission.refuse(Error::ThreadNotFound(thread_id)),
            Input::Stop(answer) | Input::Retire(answer) => answer.ok(()),
            Input::Report(_) | Input::Forget => {}
        }
    }
}
