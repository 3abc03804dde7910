//! Messages about the alarms of a watch, for those who should know.
//!
//! A message is written to the outbox before it is sent, and marked as sent after the receiver took it. A process that
//! dies between the two sends it again with the same id, so that the receiver can tell.

mod github;
mod http;
mod message;
mod outbox;
mod send;
mod settings;
mod webhook;

pub use message::{Kind, Message, messages};
pub use outbox::{Entry, Outbox};
pub use send::{Delivery, deliver, probe};
pub use settings::{Channel, Receiver};
