//! Clone detection over normalised syntax trees.
