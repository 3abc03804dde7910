//! Rebuilds when a rule is added to or taken from the embedded pack.

fn main() {
    println!("cargo::rerun-if-changed=../../rules");
}
