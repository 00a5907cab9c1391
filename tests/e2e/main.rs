//! The end-to-end suite: one program, one file per method family.

mod approval;
mod background;
mod client_tool;
mod command;
mod compact;
mod frontends;
mod interrupt;
mod kill;
mod network;
mod notes;
mod patch;
mod permission;
mod restart;
mod rule;
mod sandbox;
mod search;
mod shell;
mod steer;
mod strict;
mod tidy;
mod turn;
mod undo;
