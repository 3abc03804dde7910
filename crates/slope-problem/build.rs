//! Embedding takes the files that are there when the crate is compiled, so a new one must compile it again.

fn main() {
    println!("cargo::rerun-if-changed=../../problems");
    println!("cargo::rerun-if-changed=prompts");
}
