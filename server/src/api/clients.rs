//! `spindle/clients`: who is there, and what they follow.

use std::collections::HashMap;

use spindle_schema::v2::{AttachedClient, AttachedThread, ClientTransport, SpindleClientsResponse};

use super::context::Context;
use crate::transport::Via;

/// All clients, in the order they came.
pub(super) fn list(context: &Context) -> SpindleClientsResponse {
    let mut threads: HashMap<_, Vec<AttachedThread>> = HashMap::new();
    for following in context.engine.following() {
        for (place, follower) in following.followers.iter().enumerate() {
            threads.entry(follower.connection).or_default().push(AttachedThread {
                thread_id: following.thread.to_string(),
                since_ms: follower.since_ms,
                is_owner: place == 0,
            });
        }
    }
    let clients = context.clients.list().into_iter().map(|attached| {
        let client = attached.client;
        let mut threads = threads.remove(&client.id).unwrap_or_default();
        threads.sort_by(|a, b| (a.since_ms, &a.thread_id).cmp(&(b.since_ms, &b.thread_id)));
        AttachedClient {
            id: client.id.0,
            name: client.identity.name.to_string(),
            user_agent: client.identity.user_agent.to_string(),
            transport: transport(client.via),
            connected_at_ms: client.since_ms,
            unread_bytes: attached.unread_bytes as u64,
            is_self: client.id == context.client.id,
            threads,
        }
    });
    SpindleClientsResponse { clients: clients.collect() }
}

fn transport(via: Via) -> ClientTransport {
    match via {
        Via::Stdio => ClientTransport::Stdio,
        Via::Memory => ClientTransport::Memory,
        Via::Unix => ClientTransport::Unix,
        Via::WebSocket => ClientTransport::WebSocket,
    }
}
