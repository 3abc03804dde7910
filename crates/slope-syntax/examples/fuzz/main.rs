//! Feeds mutated sources to a language's front end:
//! `fuzz LANGUAGE ITERATIONS SEED`, or `fuzz all 1000 7`.
//!
//! The same arguments give the same texts. A text that makes the front end panic is
//! written to `fuzz-LANGUAGE-SEED-ITERATION.txt` in the current folder, and the
//! program ends with status 1.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use slope_syntax::Language;

mod mutate;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::stdout().lock();
    let numbers = |at: usize| arguments.get(at).and_then(|text| text.parse::<u64>().ok());
    let (Some(wanted), Some(iterations), Some(seed)) = (arguments.first(), numbers(1), numbers(2))
    else {
        let _ = writeln!(out, "usage: fuzz LANGUAGE|all ITERATIONS SEED");
        std::process::exit(2);
    };
    let mut failed = false;
    for (id, sample) in mutate::SAMPLES {
        let Some(language) = Language::by_id(id).filter(|_| wanted == id || wanted == "all") else {
            continue;
        };
        for iteration in 0..iterations {
            let mut random = mutate::Random(seed ^ iteration.wrapping_mul(0xd134_2543_de82_ef95));
            let text = mutate::mutate(sample.as_bytes(), &mut random);
            let run = AssertUnwindSafe(|| mutate::check(language, &text));
            if catch_unwind(run).is_err() {
                let path = format!("fuzz-{id}-{seed}-{iteration}.txt");
                let written = std::fs::write(&path, &text);
                let _ = writeln!(
                    out,
                    "{id}: seed {seed}, iteration {iteration}: {path} {written:?}"
                );
                failed = true;
                break;
            }
        }
        let _ = writeln!(out, "{id}: done");
    }
    std::process::exit(i32::from(failed));
}
