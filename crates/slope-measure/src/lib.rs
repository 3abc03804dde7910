//! Per-file facts to a measurement of a snapshot.
