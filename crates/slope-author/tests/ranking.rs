//! Our metrics tell the lineages of every problem of the repository apart.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed helper is a failed test; the figures are for docs/problems.md"
)]

use std::path::Path;

use slope_author::{ranking, stage};

#[test]
fn metrics_rank_the_lineages_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems");
    let mut ranked = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let dir = entry.unwrap().path();
        // household-stock is a small example, whose sloppy lineage is a script's.
        if !dir.join("sloppy").is_dir() {
            continue;
        }
        let problem = stage::load(&dir).unwrap();
        let ranking = ranking::rank(&problem).unwrap().unwrap();
        for metric in ranking {
            println!("{} {metric:?}", problem.name);
            assert!(metric.holds(), "{}: {metric:?}", problem.name);
        }
        ranked += 1;
    }
    assert!(ranked > 0, "no problem has two lineages");
}
