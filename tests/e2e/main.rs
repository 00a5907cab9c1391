//! The end-to-end suite: one program, one file per method family.

mod approval;
mod audience;
mod background;
mod client_tool;
mod command;
mod compact;
mod crowd;
mod frontends;
mod headed;
mod interrupt;
mod kill;
mod network;
mod patch;
mod replay;
mod restart;
mod sandbox;
mod shell;
mod steer;
mod strict;
mod tidy;
mod turn;
mod undo;
mod unload;
