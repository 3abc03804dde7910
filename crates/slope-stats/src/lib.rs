//! Statistics of trajectories; no I/O.
