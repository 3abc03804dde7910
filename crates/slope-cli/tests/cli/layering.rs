//! A crate sees only crates of lower rank (docs/architecture.md).

use std::collections::BTreeMap;
use std::process::Command;

/// Rank of every crate of the workspace; a new crate must be added here.
const RANKS: &[(&str, u32)] = &[
    ("slope-model", 0),
    ("slope-testkit", 0),
    ("slope-syntax", 1),
    ("slope-store", 1),
    ("slope-stats", 1),
    ("slope-database", 1),
    ("slope-request", 1),
    ("slope-rules", 2),
    ("slope-refusals", 2),
    ("slope-failures", 2),
    ("slope-clones", 2),
    ("slope-signals", 2),
    ("slope-mutate", 2),
    ("slope-sandbox", 2),
    ("slope-published", 2),
    ("slope-measure", 3),
    ("slope-compat", 3),
    ("slope-git", 4),
    ("slope-problem", 4),
    ("slope-suite", 4),
    ("slope-deliver", 4),
    ("slope-egress", 4),
    ("slope-gateway", 4),
    ("slope-agent", 4),
    ("slope-runtime-docker", 4),
    ("slope-author", 5),
    ("slope-change", 5),
    ("slope-bench", 5),
    ("slope-report", 5),
    ("slope-cheats", 6),
    ("slope-gate", 6),
    ("slope-history", 6),
    ("slope-judge", 6),
    ("slope-grade", 7),
    ("slope-judge-model", 7),
    ("slope-hook", 7),
    ("slope-server", 7),
    ("slope-track", 7),
    ("slope-watch", 6),
    ("slope-embed", 8),
    ("slope-evaluate", 8),
    ("slope-grade-tests", 8),
    ("slope-http", 8),
    ("slope-node", 9),
    ("slope-python", 9),
    ("slope-serve", 9),
    ("slope-cli", 10),
];

#[test]
fn crates_depend_downwards_only() {
    let ranks: BTreeMap<&str, u32> = RANKS.iter().copied().collect();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert_eq!(
        packages.len(),
        RANKS.len(),
        "every crate has a rank, and every rank a crate"
    );
    for package in packages {
        let name = package["name"].as_str().expect("name");
        let rank = ranks
            .get(name)
            .unwrap_or_else(|| panic!("{name} has no rank"));
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        for dependency in dependencies.iter().filter(|d| d["kind"] != "dev") {
            let below = dependency["name"].as_str().expect("name");
            if let Some(other) = ranks.get(below) {
                assert!(
                    other < rank,
                    "{name} (rank {rank}) must not see {below} (rank {other})"
                );
            }
        }
    }
}
