//! Accounts: `account/…` and `accountSession/…`.

mod login;
mod session;
mod usage;

pub use login::*;
pub use session::*;
pub use usage::*;
