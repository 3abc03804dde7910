#![allow(clippy::print_stdout, clippy::unwrap_used)]
use slope_rules::{
    RuleSet,
    oracle::{Comparison, Oracle},
};
use slope_syntax::{Language, Limits, parse};
fn walk(p: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    for e in std::fs::read_dir(p).unwrap().flatten() {
        let t = e.file_type().unwrap();
        if t.is_dir() {
            walk(&e.path(), out)
        } else if t.is_file() && Language::of_path(&e.path()).is_some() {
            out.push(e.path())
        }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut set = RuleSet::empty();
    if args[1] == "own" {
        set = RuleSet::embedded().unwrap();
    } else {
        set.add_path(args[1].as_ref()).unwrap();
    }
    set.choose(|_| true);
    let oracle = Oracle::new(&set).unwrap();
    let mut total = Comparison::default();
    for dir in &args[2..] {
        let mut files = vec![];
        walk(dir.as_ref(), &mut files);
        files.sort();
        let mut sum = Comparison::default();
        for f in &files {
            let l = Language::of_path(f).unwrap();
            let Ok(bytes) = std::fs::read(f) else {
                continue;
            };
            match parse(l, &bytes, &Limits::default()) {
                Ok(tree) => sum.merge(oracle.compare(&f.to_string_lossy(), &tree)),
                Err(e) => println!("{}: {e}", f.display()),
            }
        }
        let (own, theirs) = sum
            .rules
            .values()
            .fold((0, 0), |a, c| (a.0 + c.own, a.1 + c.theirs));
        println!(
            "{dir}: {} files {} rules own {own} theirs {theirs} unequal {}",
            sum.files,
            sum.rules.len(),
            sum.unequal().count()
        );
        for (k, c) in sum.unequal() {
            println!("  {k:?} {c:?}");
        }
        total.merge(sum);
    }
    println!(
        "with hits: {}",
        total.rules.values().filter(|c| c.theirs > 0).count()
    );
}
