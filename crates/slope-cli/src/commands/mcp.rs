//! `slope mcp`: the MCP server.

use slope_server::{Setup, ToolService, serve_stdio};

use crate::args::Mcp;
use crate::exit::Done;
use crate::folders;
use slope_embed::catalogue;

pub(crate) fn run(args: &Mcp) -> anyhow::Result<Done> {
    let mut options = slope_measure::Options::trusting(jiff::Zoned::now().date());
    options.cache = folders::cache();
    let workshop = ToolService::new(Setup {
        root: args.dir.clone(),
        options,
        rules: catalogue::of_rules(&slope_rules::RuleSet::embedded()?),
    })?;
    serve_stdio(workshop)?;
    Ok(Done::Fine)
}
