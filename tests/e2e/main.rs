//! The end-to-end suite: one program, one file per method family.

mod approval;
mod frontends;
mod interrupt;
mod kill;
mod notes;
mod patch;
mod restart;
mod sandbox;
mod search;
mod steer;
mod strict;
mod tidy;
mod turn;
