//! Lets a language model judge code by a rubric, and checks what it says.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Plan`] | what a judgement asks for, and what it knows from earlier |
//! | [`ModelJudge`] | asks a model: requests, corrections, repeats and anchors |
//! | [`Session`] | a gateway for one judgement |
//! | [`Rubric`] | the criteria, and the instructions with them |
//! | [`Earlier`] | issues of earlier judgements, at the places that their lines have now |
//! | [`Calibrating`] | code whose quality is known, to try a model |
//! | `summary` | what many answers have in common |
//! | `bundle` | files in the forms that a model gets, and requests of several files |
//! | `plain` | code without comments and long texts, which could address the judge |
//! | `client` | requests to the gateway, which holds the key, counts and caps |
//! | `answer` | answers of a model: scores in range, issues in lines that exist |
//! | `kept` | answers by content, rubric and model |
//!
//! A model sees code and nothing about it: no path, author, history or earlier score.

mod answer;
mod bundle;
mod calibrate;
mod carry;
mod change;
mod client;
mod error;
mod judge;
mod kept;
mod plain;
mod plan;
mod rubric;
mod session;
mod summary;

pub use calibrate::{Calibrating, ExamFile, calibration_file, read_calibration};
pub use carry::{Earlier, earlier_file};
pub use change::judge_sides;
pub use client::{Client, ModelDialect};
pub use error::Error;
pub use judge::{ModelJudge, Settings};
pub use plan::Plan;
pub use rubric::Rubric;
pub use session::{Endpoint, Session, check_limit, estimated_cost};
