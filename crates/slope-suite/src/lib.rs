//! Suite drivers that turn a snapshot into a verdict.
