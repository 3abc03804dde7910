//! Command lines: what a command takes, and what it was given.

use std::collections::BTreeMap;

/// A command line that cannot be understood; why.
pub type Misused = String;

/// What a command takes.
#[derive(Clone, Copy, Default)]
pub struct Shape {
    pub positionals: &'static [&'static str],
    /// Options with a value.
    pub values: &'static [&'static str],
    /// Options without one.
    pub flags: &'static [&'static str],
    /// Option that must be given.
    pub required: Option<&'static str>,
    /// Values that options may have.
    pub choices: &'static [(&'static str, &'static [&'static str])],
}

/// What was given, by name; a flag has an empty value.
#[derive(Default)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A positional that must be there.
    pub fn need(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

fn is_option(arg: &str) -> bool {
    let number = arg[arg.len().min(1)..].chars().all(|c| c.is_ascii_digit() || c == '.');
    arg.len() > 1 && arg.starts_with('-') && !number && !arg.contains(' ')
}

pub fn parse(shape: &Shape, args: &[String]) -> Result<Options, Misused> {
    let mut options = Options::default();
    let mut free = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if !is_option(arg) {
            free.push(arg.clone());
        } else if let Some(name) = arg.strip_prefix("--").filter(|name| shape.flags.contains(name)) {
            options.0.insert(name.to_owned(), String::new());
        } else {
            let (name, value) = match arg.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (arg.as_str(), None),
            };
            let known = name.strip_prefix("--").filter(|name| shape.values.contains(name));
            let name = known.ok_or_else(|| format!("unknown option {arg}"))?;
            let value = value.or_else(|| rest.next().map(String::as_str).filter(|next| !is_option(next)));
            let value = value.ok_or_else(|| format!("{arg} needs a value"))?;
            options.0.insert(name.to_owned(), value.to_owned());
        }
    }
    place(shape, free, &mut options)?;
    check(shape, &options)?;
    Ok(options)
}

/// Gives the arguments that stand free their names.
fn place(shape: &Shape, free: Vec<String>, options: &mut Options) -> Result<(), Misused> {
    let names = shape.positionals;
    if free.len() != names.len() {
        return Err(format!("expected {}, got {} arguments", names.join(" "), free.len()));
    }
    let named = names.iter().zip(free);
    options.0.extend(named.map(|(name, value)| (format!("<{name}>"), value)));
    Ok(())
}

fn check(shape: &Shape, options: &Options) -> Result<(), Misused> {
    if let Some(missing) = shape.required.filter(|name| !options.has(name)) {
        return Err(format!("missing --{missing}"));
    }
    for (name, choices) in shape.choices {
        if options.get(name).is_some_and(|value| !choices.contains(&value)) {
            return Err(format!("--{name} is one of {}", choices.join(", ")));
        }
    }
    Ok(())
}
