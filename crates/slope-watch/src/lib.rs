//! Daily benchmarks of an assistant that detect degradation and say which layer changed.
//!
//! | module | contents |
//! |---|---|
//! | [`settings`] | tasks, arms, budgets and rates, `watch.toml` |
//! | [`store`] | the folder of a watch |
//! | [`mod@tick`] | one day: plan, runs, results |
//! | `collect` | results from the reports of runs |
//! | `conduct` | how the assistant worked, from the folders of its attempts |
//! | [`measure`] | what is watched |
//! | [`mod@daily`] | daily differences from the baseline |
//! | [`mod@monitor`] | states and alarms |
//! | `certainty` | the e-detector |
//! | [`mod@threshold`] | thresholds by the rate of false alarms |
//! | [`mod@attribution`] | the layer that changed |
//! | `efficiency` | CPU time and memory next to the reference solutions |
//! | `failure` | classes of failures before a change and since |
//! | [`mod@compare`] | two days, paired by task |
//! | [`mod@status`] | what to say today |
//! | [`bisect`] | the first bad version of an agent |
//! | [`simulate`] | simulated years |
//! | [`demo`] | simulated results, to try pages with |

pub mod attribution;
pub mod bisect;
mod certainty;
mod collect;
pub mod compare;
mod conduct;
pub mod daily;
pub mod demo;
mod efficiency;
mod error;
mod failure;
pub mod measure;
pub mod monitor;
pub mod settings;
pub mod simulate;
pub mod status;
pub mod store;
pub mod threshold;
pub mod tick;
pub mod words;

pub use attribution::{Attribution, Layer, attribute};
pub use compare::compare;
pub use daily::daily;
pub use error::Error;
pub use measure::Measure;
pub use monitor::{Alarm, Limits, Monitored, State, Watched, monitor};
pub use settings::{Settings, Task};
pub use simulate::{Design, Simulated};
pub use status::{Status, status};
pub use store::{DayPlan, WatchFolder};
pub use threshold::threshold;
pub use tick::{Job, Ticked, tick};
