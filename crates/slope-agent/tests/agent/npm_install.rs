//! Both command-line programs from the registry. Needs npm and its registry.

use std::path::Path;
use std::process::Command;

use slope_agent::{AgentOptions, Error, InstallContext, by_name};

/// Whether a failure is a missing service and not ours.
fn unavailable(error: &Error) -> bool {
    let words = error.to_string();
    let network = [
        "ENOTFOUND",
        "ECONNREFUSED",
        "ETIMEDOUT",
        "EAI_AGAIN",
        "ENETUNREACH",
        "E503",
    ];
    matches!(error, Error::NpmMissing { .. }) || network.iter().any(|code| words.contains(code))
}

fn context(cache: &Path, offline: bool) -> InstallContext<'_> {
    InstallContext {
        cache_dir: cache,
        offline,
        python: Path::new("python3"),
        progress: &|_| {},
    }
}

#[test]
fn pinned_versions_install_once_and_run() {
    let cache = tempfile::tempdir().unwrap();
    for (name, package, words) in [
        (
            "claude-code",
            "@anthropic-ai/claude-code-linux-",
            "2.1.197 (Claude Code)",
        ),
        ("codex", "@openai/codex-linux-", "codex-cli 0.169.0"),
    ] {
        let agent = by_name(name, &AgentOptions::default()).unwrap();
        // Two at once: one installs, the other waits and finds it.
        let installed = std::thread::scope(|scope| {
            let other = scope.spawn(|| agent.install(&context(cache.path(), false)));
            let one = agent.install(&context(cache.path(), false));
            let other = other.join().unwrap();
            match (one, other) {
                (Ok(one), Ok(other)) => {
                    assert_eq!(one, other);
                    Some(one)
                }
                (Err(error), _) | (_, Err(error)) if unavailable(&error) => {
                    println!("skipped: {error}");
                    None
                }
                (Err(error), _) | (_, Err(error)) => panic!("{error}"),
            }
        });
        let Some(installed) = installed else { return };
        assert_eq!(
            agent.install(&context(cache.path(), true)).unwrap(),
            installed,
            "offline it is the same"
        );
        let mut pinned = installed
            .hashes
            .iter()
            .filter(|(of, _)| of.starts_with(package));
        assert!(pinned.next().unwrap().1.starts_with("sha512-"));

        // Inside, the bind makes `program` what this is on the host.
        let bind = &installed.binds[0];
        let program = installed.program.as_deref().unwrap();
        let on_host = bind
            .source
            .join(program.strip_prefix(&bind.target).unwrap());
        let home = tempfile::tempdir().unwrap();
        let said = Command::new(&on_host)
            .arg("--version")
            .env_clear()
            .env("HOME", home.path())
            .env("PATH", "/usr/bin:/bin")
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), words);
        left_clean(cache.path());
    }
}

/// Nothing half-made stays in the cache.
fn left_clean(cache: &Path) {
    for entry in std::fs::read_dir(cache.join("agents")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(!name.starts_with('.'), "{name}");
    }
}

#[test]
fn unknown_npm_version_is_explained() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("codex.toml");
    std::fs::write(&config, "version = \"0.0.1-never\"\n").unwrap();
    let agent = by_name("codex", &AgentOptions::with_config(&config)).unwrap();
    let error = agent.install(&context(dir.path(), false)).unwrap_err();
    if unavailable(&error) {
        println!("skipped: {error}");
        return;
    }
    let words = error.to_string();
    assert!(
        words.contains("the version may not exist")
            && words.starts_with("cannot install codex 0.0.1-never: bin/codex, "),
        "{words}"
    );
    left_clean(dir.path());
}
