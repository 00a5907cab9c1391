//! The door: process life, transports, JSON-RPC and handlers.
