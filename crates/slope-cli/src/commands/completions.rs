//! `slope completions` and `slope man`: shell completions and manual pages.

use anyhow::Context;

use crate::args::{self, Completions, Man};
use crate::exit::Done;

pub(crate) fn run(args: &Completions) -> anyhow::Result<Done> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "slope", &mut script);
    super::output::stream(|out| out.write_all(&script))?;
    Ok(Done::Fine)
}

pub(crate) fn man(args: &Man) -> anyhow::Result<Done> {
    let dir = args.dir.display();
    let failed =
        || format!("cannot write man pages to {dir}\nhelp: name a folder that you can write to");
    std::fs::create_dir_all(&args.dir).with_context(failed)?;
    clap_mangen::generate_to(args::command(), &args.dir).with_context(failed)?;
    Ok(Done::Fine)
}
