//! Talks to model providers and gives back a stream of model events.
