//! Agents by name, and the fixed ones.

use std::path::Path;

use slope_agent::{
    Agent, AgentOptions, Dialect, Effort, Error, InstallContext, Installed, Launch, LaunchContext,
    Oracle, by_name, known,
};

fn context(installed: &Installed) -> LaunchContext<'_> {
    LaunchContext {
        prompt: "p",
        model: "m",
        gateway_url: "http://127.0.0.1:9",
        token: "t",
        installed,
        workspace: Path::new("/workspace"),
        home: Path::new("/home/user"),
        reference_solution: None,
        hooks: None,
        continues: false,
    }
}

fn nothing(cache: &Path) -> InstallContext<'_> {
    InstallContext {
        cache_dir: cache,
        offline: true,
        python: Path::new("python3"),
        progress: &|_| {},
    }
}

#[test]
fn every_known_agent_name_resolves() {
    for (name, _) in known() {
        match by_name(name, &AgentOptions::default()) {
            Ok(agent) => assert_eq!(agent.name(), name),
            Err(Error::ConfigRequired { .. }) => assert_eq!(name, "command"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    let error = by_name("gpt", &AgentOptions::default())
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        error,
        "unknown agent `gpt`: expected one of slope, claude-code, codex, gemini, opencode, qwen-code, \
         kimi-code, mini-swe-agent, oracle, nop, command"
    );
}

#[test]
fn bad_settings_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.toml");
    std::fs::write(&path, "\nmax_turn = 3\n").unwrap();
    for name in [
        "slope",
        "claude-code",
        "gemini",
        "mini-swe-agent",
        "command",
    ] {
        let error = by_name(name, &AgentOptions::with_config(&path))
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains("a.toml:2: unknown field `max_turn`"),
            "{name}: {error}"
        );
        let error = by_name(name, &AgentOptions::with_config(dir.path().join("absent")))
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("cannot read"), "{name}: {error}");
    }
    for name in ["oracle", "nop"] {
        let error = by_name(name, &AgentOptions::with_config(&path))
            .err()
            .unwrap();
        assert!(matches!(error, Error::ConfigNotTaken { .. }), "{error}");
    }
    std::fs::write(&path, "version = \"latest\"\n").unwrap();
    for name in ["claude-code", "kimi-code"] {
        let error = by_name(name, &AgentOptions::with_config(&path))
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains("`latest` is not an exact version"),
            "{name}: {error}"
        );
    }
    std::fs::write(&path, "stream = true\ndialect = \"responses\"\n").unwrap();
    let error = by_name("slope", &AgentOptions::with_config(&path))
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("a.toml:2: the agent speaks"), "{error}");
}

#[test]
fn oracle_copies_the_reference_solution() {
    let dir = tempfile::tempdir().unwrap();
    let installed = Oracle.install(&nothing(dir.path())).unwrap();
    let error = Oracle.launch(&context(&installed)).unwrap_err().to_string();
    assert!(error.contains("no reference solution"), "{error}");
    let absent = dir.path().join("absent");
    let error = Oracle
        .launch(&LaunchContext {
            reference_solution: Some(&absent),
            hooks: None,
            continues: false,
            ..context(&installed)
        })
        .unwrap_err();
    assert!(error.to_string().contains("is not a folder"), "{error}");
    let launch = Oracle
        .launch(&LaunchContext {
            reference_solution: Some(dir.path()),
            hooks: None,
            continues: false,
            ..context(&installed)
        })
        .unwrap();
    assert_eq!(
        launch,
        Launch::LayDown {
            from: dir.path().to_owned()
        }
    );
    assert_eq!(Oracle.dialect(), None);
}

#[test]
fn nop_agent_does_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let nop = by_name("nop", &AgentOptions::default()).unwrap();
    let installed = nop.install(&nothing(dir.path())).unwrap();
    assert_eq!(nop.launch(&context(&installed)).unwrap(), Launch::Nothing);
}

#[test]
fn cli_agents_require_their_installation() {
    let installed = by_name("nop", &AgentOptions::default())
        .unwrap()
        .install(&nothing(Path::new("/nonexistent")))
        .unwrap();
    for name in ["claude-code", "gemini", "mini-swe-agent"] {
        let error = by_name(name, &AgentOptions::default())
            .unwrap()
            .launch(&context(&installed))
            .unwrap_err();
        assert!(error.to_string().contains("not installed"), "{error}");
    }
}

#[test]
fn unsupported_turn_cap_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.toml");
    std::fs::write(&path, "max_turns = 9\n").unwrap();
    let without = ["codex", "opencode", "oracle", "nop", "command"];
    for (name, _) in known() {
        let options = AgentOptions {
            max_turns: Some(3),
            ..AgentOptions::default()
        };
        match by_name(name, &options) {
            Ok(_) => assert!(!without.contains(&name), "{name}"),
            Err(error) => {
                assert!(matches!(error, Error::NoTurnCap { .. }), "{error}");
                assert!(without.contains(&name), "{name}");
            }
        }
    }
    // The option goes before the file.
    let installed = Installed {
        program: Some("/x".into()),
        ..Oracle.install(&nothing(dir.path())).unwrap()
    };
    let options = AgentOptions {
        config: Some(path),
        max_turns: Some(3),
        ..AgentOptions::default()
    };
    for name in ["slope", "claude-code"] {
        let launch = by_name(name, &options)
            .unwrap()
            .launch(&context(&installed))
            .unwrap();
        let words = format!("{launch:?}").replace('\\', "");
        assert!(
            words.contains(r#""max_turns":3"#) || words.contains(r#""--max-turns", "3""#),
            "{words}"
        );
    }
}

#[test]
fn only_own_agent_accepts_dialect_choice() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.toml");
    std::fs::write(&path, "dialect = \"messages\"\n").unwrap();
    let with = |dialect| AgentOptions {
        config: None,
        max_turns: None,
        dialect: Some(dialect),
        effort: None,
    };
    for (name, _) in known() {
        match by_name(name, &with(Dialect::Chat)) {
            Ok(agent) => assert_eq!((name, agent.dialect()), ("slope", Some(Dialect::Chat))),
            Err(error) => assert!(matches!(error, Error::NoDialectChoice { .. }), "{error}"),
        }
    }
    let refused = by_name("slope", &with(Dialect::Responses)).err().unwrap();
    assert!(
        matches!(refused, Error::NoDialectChoice { .. }),
        "{refused}"
    );
    let unknown = by_name("gpt", &with(Dialect::Chat)).err().unwrap();
    assert!(matches!(unknown, Error::UnknownAgent { .. }), "{unknown}");
    // The option goes before the file.
    let both = AgentOptions {
        config: Some(path),
        ..with(Dialect::Chat)
    };
    let agent = by_name("slope", &both).unwrap();
    assert_eq!(agent.dialect(), Some(Dialect::Chat));
}

#[test]
fn unsupported_effort_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.toml");
    std::fs::write(&path, "\neffort = \"high\"\n").unwrap();
    let without = ["slope", "gemini", "oracle", "nop", "command"];
    for (name, _) in known() {
        let options = AgentOptions {
            effort: Some(Effort::High),
            ..AgentOptions::default()
        };
        match by_name(name, &options) {
            Ok(_) => assert!(!without.contains(&name), "{name}"),
            Err(error) => {
                assert!(matches!(error, Error::NoEffort { .. }), "{error}");
                assert!(without.contains(&name), "{name}");
            }
        }
    }
    let error = by_name("gemini", &AgentOptions::with_config(&path));
    let words = error.err().unwrap().to_string();
    assert!(
        words.contains("a.toml:2: gemini has no setting for effort"),
        "{words}"
    );
    std::fs::write(&path, "effort = \"extreme\"\n").unwrap();
    let error = by_name("codex", &AgentOptions::with_config(&path));
    let words = error.err().unwrap().to_string();
    assert!(words.contains("a.toml:1: unknown variant"), "{words}");
}
