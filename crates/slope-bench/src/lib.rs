//! Plan, trials, resume and events of a benchmark run.
