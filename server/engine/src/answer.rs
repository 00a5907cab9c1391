//! The right to answer a request once.

use crate::Error;

/// The right to answer a request, used up by answering.
///
/// The door decides what becomes of the result. Whoever drops it unanswered gives
/// [`Error::Dropped`], so that no caller waits for ever.
///
/// Order: the answer is handed over before the events it causes.
pub struct Answer<T>(Option<Settle<T>>);

type Settle<T> = Box<dyn FnOnce(Result<T, Error>) + Send>;

impl<T> Answer<T> {
    /// Makes an answer from what is to be done with the result.
    pub fn new(f: impl FnOnce(Result<T, Error>) + Send + 'static) -> Self {
        Self(Some(Box::new(f)))
    }

    /// An answer nobody waits for.
    pub fn ignored() -> Self
    where
        T: 'static,
    {
        Self::new(drop)
    }

    /// An answer, and the place where its result arrives.
    pub fn channel() -> (Self, tokio::sync::oneshot::Receiver<Result<T, Error>>)
    where
        T: Send + 'static,
    {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        (Self::new(move |result| drop(sender.send(result))), receiver)
    }

    /// Gives the result.
    pub fn settle(mut self, result: Result<T, Error>) {
        if let Some(f) = self.0.take() {
            f(result);
        }
    }

    /// Answers well.
    pub fn ok(self, value: T) {
        self.settle(Ok(value));
    }

    /// Answers badly.
    pub fn err(self, error: Error) {
        self.settle(Err(error));
    }
}

impl<T> Drop for Answer<T> {
    fn drop(&mut self) {
        if let Some(f) = self.0.take() {
            f(Err(Error::Dropped));
        }
    }
}

impl<T> std::fmt::Debug for Answer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Answer")
    }
}
