//! Routes in groups.

pub(crate) mod bases;
pub(crate) mod grade;
pub(crate) mod health;
pub(crate) mod trainers;
