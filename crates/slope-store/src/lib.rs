//! Run directories, journal, content-addressed snapshots, atomic writes.
