//! Third-party command-line agents; each has one module and one line here.

mod claude;
mod codex;
mod gemini;
mod kimi;
mod mini;
mod opencode;
mod qwen;

use crate::description::Description;

/// All descriptions, in display order.
pub(crate) static DESCRIPTIONS: [&Description; 7] = [
    &claude::AGENT,
    &codex::AGENT,
    &gemini::AGENT,
    &opencode::AGENT,
    &qwen::AGENT,
    &kimi::AGENT,
    &mini::AGENT,
];
