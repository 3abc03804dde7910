//! Prints the classes of clones below a folder, one member per line, for
//! reading and for comparing with other tools.
//!
//! `cargo run --release -p slope-clones --example list -- FOLDER`
//!
//! Columns: number of the class, kind, similarity in thousandths, file, first
//! line, last line, tokens.

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

mod support;

use slope_clones::{FileClones, Options, analyse, classes};
use slope_syntax::Profile;
use support::{each_tree, source_files};

fn main() {
    let (mut names, mut facts) = (Vec::new(), Vec::new());
    for path in std::env::args().skip(1).flat_map(source_files) {
        each_tree(&path, |tree| {
            let source = tree.source_lines(Profile::Slope);
            facts.push(analyse(tree, &source, Profile::Slope));
            names.push(path.display().to_string());
        });
    }
    let all: Vec<&FileClones> = facts.iter().collect();
    let report = classes(&all, &Options::of(Profile::Slope));
    for (number, class) in report.classes.iter().enumerate() {
        for member in &class.members {
            println!(
                "{number}\t{:?}\t{}\t{}\t{}\t{}\t{}",
                class.kind,
                member.similarity,
                names[member.file as usize],
                member.first_row + 1,
                member.last_row + 1,
                member.tokens,
            );
        }
    }
}
