//! Problem folders: the published layout and slope's own.
