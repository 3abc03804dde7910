//! Loads every problem below a folder and says how it went: `cargo run -p slope-problem --example catalog -- DIR`.

use std::error::Error;
use std::io::{Write, stdout};
use std::path::PathBuf;

use slope_problem::{LoadOptions, load, reference_solution};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(
        std::env::args_os()
            .nth(1)
            .ok_or("give the folder of a catalog")?,
    );
    let mut dirs: Vec<PathBuf> = std::fs::read_dir(&root)?
        .map(|e| e.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    dirs.retain(|d| d.join("config.yaml").is_file());
    dirs.sort();
    let mut out = stdout().lock();
    let mut failed = 0;
    for dir in dirs {
        match load(&dir, &LoadOptions::default()) {
            Ok(p) => {
                let keys = p
                    .checkpoints
                    .iter()
                    .filter(|c| reference_solution(&p, &c.name).is_some())
                    .count();
                let (name, n, hash) = (&p.name, p.checkpoints.len(), &p.hash[..12]);
                writeln!(
                    out,
                    "{name}: {n} checkpoints, {keys} reference solutions, {hash}"
                )?;
            }
            Err(e) => {
                failed += 1;
                writeln!(out, "{e}")?;
            }
        }
    }
    if failed > 0 {
        Err(format!("{failed} problems did not load").into())
    } else {
        Ok(())
    }
}
