//! Lets a language model judge code by a rubric, and checks what it says.
//!
//! | module | what it holds |
//! |---|---|
//! | [`ModelJudge`] | judges a snapshot: requests, repeats, and what their answers have in common |
//! | [`Session`] | a gateway for one judgement |
//! | `rubric` | the criteria, and the instructions with them |
//! | `bundle` | files in groups, with numbered lines |
//! | `plain` | code without comments and long texts, which could address the judge |
//! | `client` | requests to the gateway, which holds the key, counts and caps |
//! | `answer` | answers of a model: scores in range, issues in lines that exist |
//! | `kept` | answers by content, rubric and model |
//!
//! A model sees code and nothing about it: no path, author, history or earlier score.

mod answer;
mod bundle;
mod client;
mod error;
mod judge;
mod kept;
mod plain;
mod rubric;
mod session;

pub use client::{Client, ModelDialect};
pub use error::Error;
pub use judge::{ModelJudge, Settings, estimated_tokens};
pub use session::{Endpoint, Session, estimated_cost};
