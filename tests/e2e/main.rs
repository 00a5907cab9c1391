//! The end-to-end suite: one program, one file per method family.

mod approval;
mod frontends;
mod interrupt;
mod kill;
mod patch;
mod permission;
mod restart;
mod rule;
mod sandbox;
mod steer;
mod strict;
mod tidy;
mod turn;
