//! Running scb-check beside slope, field by field.
