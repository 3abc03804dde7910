//! The tests of `slope-model`, one module for each topic.

mod metric_table;
