//! Installing hooks and taking them out, on settings as people have them.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use slope_hook::{Done, Error, Hooked, Installer, Scope, StateDir};

/// Settings as they are found: formatted by hand, with hooks of others, with odd indentation.
const SETTINGS: &[&str] = &[
    "{}",
    "{}\n",
    "",
    "{\n  \"model\": \"opus\",\n  \"env\": { \"KEY\": \"secret\" }\n}\n",
    "{\n    \"permissions\": {\n        \"allow\": [\"Bash(ls:*)\"]\n    },\n    \"hooks\": {\n        \
     \"PostToolUse\": [\n            { \"matcher\": \"Edit\", \"hooks\": [ { \"type\": \"command\", \
     \"command\": \"prettier --write\" } ] }\n        ]\n    }\n}",
    "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"say done\"}]}]}}",
    "{\n\t// where I work\n\t\"theme\": \"dark\", /* always */\n\t\"hooks\": {},\n}\n",
    "{\r\n  \"a\": 1\r\n}\r\n",
];

struct Home {
    dir: tempfile::TempDir,
    state: StateDir,
}

impl Home {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let state = StateDir::at(dir.path().join("state"));
        Self { dir, state }
    }

    fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    fn with<T>(&self, act: impl FnOnce(&Installer<'_>) -> T) -> T {
        let none = |_: &str| None;
        act(&Installer::new(
            &self.state,
            Scope::Project(self.project()),
            &none,
        ))
    }

    fn install(&self, agent: Hooked) -> Result<Done, Error> {
        self.with(|installer| installer.install(agent, "slope"))
    }

    fn uninstall(&self, agent: Hooked) -> Result<Done, Error> {
        self.with(|installer| installer.uninstall(agent))
    }

    fn file(&self, agent: Hooked) -> PathBuf {
        self.with(|installer| installer.file(agent)).unwrap()
    }

    fn write(&self, agent: Hooked, text: &str) -> PathBuf {
        let file = self.file(agent);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }
}

const JSON: [Hooked; 3] = [Hooked::ClaudeCode, Hooked::Codex, Hooked::Gemini];

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn install_and_uninstall_restore_every_byte() {
    for agent in JSON {
        for text in SETTINGS {
            let home = Home::new();
            let file = home.write(agent, text);
            assert_eq!(home.install(agent).unwrap(), Done::Installed);
            let installed = read(&file);
            assert!(installed.contains(&format!("slope hook {}", agent.name())));
            let status = home.with(|i| i.status(agent)).unwrap();
            assert_eq!(status.events.len(), 3, "{status:?}");
            // Again it does nothing.
            assert_eq!(home.install(agent).unwrap(), Done::Unchanged);
            assert_eq!(read(&file), installed);
            assert_eq!(home.uninstall(agent).unwrap(), Done::Restored);
            assert_eq!(&read(&file), text);
            assert_eq!(home.uninstall(agent).unwrap(), Done::Absent);
        }
    }
}

#[test]
fn created_files_and_folders_are_removed() {
    for agent in Hooked::ALL {
        let home = Home::new();
        assert_eq!(home.install(agent).unwrap(), Done::Installed);
        assert_eq!(home.install(agent).unwrap(), Done::Unchanged);
        assert_eq!(home.uninstall(agent).unwrap(), Done::Restored);
        assert!(!home.project().exists(), "{agent:?}");
    }
}

#[test]
fn later_user_edits_survive_uninstall() {
    for agent in JSON {
        let home = Home::new();
        let file = home.write(agent, "{\n  \"a\": 1\n}\n");
        home.install(agent).unwrap();
        let changed = read(&file).replace("\"a\": 1", "\"a\": 2,\n  \"b\": [3]");
        std::fs::write(&file, &changed).unwrap();
        assert_eq!(home.uninstall(agent).unwrap(), Done::Removed);
        assert_eq!(read(&file), "{\n  \"a\": 2,\n  \"b\": [3]\n}\n");
    }
}

#[test]
fn uninstall_keeps_later_edits_and_comments() {
    let touch: &[&dyn Fn(&str) -> String] = &[
        // Around the hooks, before them, and in the added text.
        &|text| text.replace("\"theme\": 1", "\"theme\": 2"),
        &|text| text.replacen('{', "{\n  // first\n  \"n\": 0,", 1),
        &|text| text.replace("\"timeout\": ", "\"timeout\":  "),
    ];
    let files = [
        "{\n  \"theme\": 1, // mine\n  \"hooks\": {\n    // see the wiki\n    \"Stop\": [],\n    \
         \"AfterAgent\": [ ]\n  }\n}\n",
        "{\n  \"theme\": 1 // mine\n}\n",
        "{\n  \"theme\": 1, // mine\n  /* end */\n}\n",
        "{ \"theme\": 1, \"hooks\": {} }",
        "{\r\n  \"hooks\": {\r\n  }, // none\r\n  \"theme\": 1 // mine\r\n}\r\n",
    ];
    for agent in JSON {
        for text in files {
            for (number, touch) in touch.iter().enumerate() {
                let home = Home::new();
                let file = home.write(agent, text);
                home.install(agent).unwrap();
                std::fs::write(&file, touch(&read(&file))).unwrap();
                assert_eq!(home.uninstall(agent).unwrap(), Done::Removed);
                let left = read(&file);
                let expected = touch(text);
                // What is left of space in an empty list is all that may differ.
                let close = |text: &str| text.split_whitespace().collect::<String>();
                assert_eq!(close(&left), close(&expected), "{number}: {left}");
                if number < 2 {
                    assert_eq!(left, expected);
                }
                let rows = |text: &str| text.matches("//").count();
                assert_eq!(rows(&left), rows(&expected), "{left}");
            }
        }
    }
}

#[test]
fn other_slope_command_is_replaced() {
    let home = Home::new();
    let before = "{\n  \"a\": 1\n}\n";
    let file = home.write(Hooked::Codex, before);
    let old = "/opt/my tools/slope";
    home.with(|i| i.install(Hooked::Codex, old)).unwrap();
    let status = home.with(|i| i.status(Hooked::Codex)).unwrap();
    assert_eq!(status.command.unwrap(), "'/opt/my tools/slope' hook codex");
    assert_eq!(home.install(Hooked::Codex).unwrap(), Done::Updated);
    assert_eq!(read(&file).matches("hook codex").count(), 3);
    assert_eq!(home.uninstall(Hooked::Codex).unwrap(), Done::Restored);
    assert_eq!(read(&file), before);
}

#[test]
fn wrapped_hook_commands_are_left_alone() {
    for command in [
        "slope hook claude-code; notify-send x",
        "echo slope hook claude-code >> log",
        "timeout 5 slope hook claude-code",
        "slope hook claude-code && true",
    ] {
        let home = Home::new();
        let text = json!({ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": command }] }] } });
        let text = text.to_string();
        let path = home.write(Hooked::ClaudeCode, &text);
        assert_eq!(home.install(Hooked::ClaudeCode).unwrap(), Done::Installed);
        let there = format!("{command:?}");
        assert!(read(&path).contains(&there), "{}", read(&path));
        assert_eq!(home.uninstall(Hooked::ClaudeCode).unwrap(), Done::Restored);
        assert_eq!(read(&path), text);
    }
}

#[test]
fn malformed_settings_are_refused_without_loss() {
    for (text, said) in [
        ("{ \"a\": 1,, }", ":1:10: a key in quotes is missing here"),
        ("{\n  \"hooks\": [\n", ":3:1: the file ends"),
        ("[]", ":1:1: the file is not an object"),
        (
            "{\n  \"hooks\": [] }",
            ":2:12: `hooks` is not an object (`{}`), which the agent expects\nhelp: fix the file first",
        ),
        (
            "{ \"hooks\": { \"PostToolUse\": 7 } }",
            ":1:29: `hooks.PostToolUse` is not a list",
        ),
    ] {
        let home = Home::new();
        let file = home.write(Hooked::ClaudeCode, text);
        let error = home.install(Hooked::ClaudeCode).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        assert!(error.contains("slope has not changed it"), "{error}");
        assert!(error.contains(file.to_str().unwrap()), "{error}");
        assert_eq!(read(&file), text);
    }
    let home = Home::new();
    let file = home.write(Hooked::ClaudeCode, "");
    std::fs::write(&file, b"{ \"a\": \"\xff\" }").unwrap();
    assert!(matches!(
        home.install(Hooked::ClaudeCode),
        Err(Error::NotUtf8(_))
    ));
    let home = Home::new();
    let plugin = home.write(Hooked::OpenCode, "export const Mine = 1\n");
    assert!(matches!(
        home.install(Hooked::OpenCode),
        Err(Error::Foreign(_))
    ));
    assert_eq!(home.uninstall(Hooked::OpenCode).unwrap(), Done::Absent);
    assert_eq!(read(&plugin), "export const Mine = 1\n");
}

#[test]
fn settings_links_and_permissions_are_kept() {
    let home = Home::new();
    let file = home.file(Hooked::ClaudeCode);
    let real = home.dir.path().join("dotfiles.json");
    std::fs::write(&real, "{}\n").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&real, &file).unwrap();
    home.install(Hooked::ClaudeCode).unwrap();
    assert!(file.is_symlink());
    assert!(read(&real).contains("slope hook claude-code"));
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&real), 0o600);
    home.uninstall(Hooked::ClaudeCode).unwrap();
    assert_eq!(read(&real), "{}\n");
    assert!(file.is_symlink());
}

#[test]
fn receipts_contain_no_settings() {
    let home = Home::new();
    home.write(Hooked::ClaudeCode, SETTINGS[3]);
    home.install(Hooked::ClaudeCode).unwrap();
    let receipts = home.dir.path().join("state/hooks/installed");
    for entry in std::fs::read_dir(receipts).unwrap() {
        let text = read(&entry.unwrap().path());
        assert!(!text.contains("secret"), "{text}");
    }
}

#[test]
fn user_settings_paths_match_each_agent() {
    let variable = |name: &str| match name {
        "HOME" => Some(PathBuf::from("/home/u")),
        "CODEX_HOME" => Some(PathBuf::from("/codex")),
        _ => None,
    };
    let state = StateDir::at("/nowhere".into());
    let installer = Installer::new(&state, Scope::User, &variable);
    let files: Vec<String> = Hooked::ALL
        .into_iter()
        .map(|agent| installer.file(agent).unwrap().display().to_string())
        .collect();
    assert_eq!(
        files,
        [
            "/home/u/.claude/settings.json",
            "/codex/hooks.json",
            "/home/u/.gemini/settings.json",
            "/home/u/.config/opencode/plugins/slope.js",
        ]
    );
    let none = |_: &str| None;
    let homeless = Installer::new(&state, Scope::User, &none);
    assert!(matches!(homeless.file(Hooked::Codex), Err(Error::NoHome)));
}

#[test]
fn installed_hooks_match_agent_format() {
    let home = Home::new();
    for agent in JSON {
        home.install(agent).unwrap();
        let settings: Value = serde_json::from_str(&read(&home.file(agent))).unwrap();
        let hooks = settings["hooks"].as_object().unwrap();
        assert_eq!(hooks.len(), 3, "{agent:?}");
        for groups in hooks.values() {
            let hook = &groups[0]["hooks"][0];
            assert_eq!(hook["type"], "command");
            let limit = hook["timeout"].as_u64().unwrap();
            // Gemini counts milliseconds.
            assert_eq!(limit >= 1_000, agent == Hooked::Gemini, "{limit}");
        }
    }
}
