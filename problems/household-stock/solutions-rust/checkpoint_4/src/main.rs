//! Keeps track of what is in a pantry.

mod commands;
mod formats;
mod history;
mod json;
mod options;
mod query;
mod report;
mod stock;
mod store;
mod values;

use std::process::ExitCode;

use commands::{Command, COMMANDS};
use options::Options;
use values::Refused;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let name = args.first().map_or("", String::as_str);
    let Some(command) = COMMANDS.into_iter().find(|command| command.name == name) else {
        return fail(2, &format!("there is no command '{name}'"));
    };
    match options::parse(&command.shape, &args[1..]) {
        Ok(options) => match run(&command, &options) {
            Ok(said) => {
                println!("{said}");
                ExitCode::SUCCESS
            }
            Err(why) => fail(1, &why),
        },
        Err(why) => fail(2, &why),
    }
}

fn run(command: &Command, options: &Options) -> Result<String, Refused> {
    let mut history = store::load()?;
    let said = command.run(&mut history, options)?;
    store::save(&history)?;
    Ok(said)
}

fn fail(code: u8, why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::from(code)
}
