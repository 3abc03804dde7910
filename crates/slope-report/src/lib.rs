//! Terminal, HTML and JSON reports from model types.
