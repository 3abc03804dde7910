//! The real command-line agents against a scripted gateway, by hand:
//!
//! ```text
//! npm install --prefix DIR @anthropic-ai/claude-code@2.1.197 @openai/codex@0.169.0 \
//!     @google/gemini-cli@0.61.0
//! SLOPE_AGENT_CLIS=DIR cargo test -p slope-gateway --test real_agents -- --ignored --nocapture
//! ```
//!
//! Run it inside `unshare -rn` with the loopback interface up to see that nothing else is needed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use slope_gateway::{
    AttemptAuth, AttemptRecord, Caps, Gateway, GatewayConfig, LoadedScript, Upstream, random_token,
};

const PROMPT: &str = "Write a program to greet people.";

fn script() -> LoadedScript {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two-steps/script.yaml");
    LoadedScript::load(&path).unwrap()
}

/// An installed agent; `None`, with the reason printed, where it is not there.
fn installed(name: &str) -> Option<PathBuf> {
    let Some(prefix) = std::env::var_os("SLOPE_AGENT_CLIS") else {
        println!("skipped: SLOPE_AGENT_CLIS does not name an npm prefix with the agents");
        return None;
    };
    let path = Path::new(&prefix).join("node_modules/.bin").join(name);
    if !path.exists() {
        println!("skipped: {} is not installed", path.display());
        return None;
    }
    Some(path)
}

struct Run {
    status: ExitStatus,
    /// Both streams.
    said: String,
    record: AttemptRecord,
    folder: tempfile::TempDir,
}

/// Runs an agent; `prepare` gets its command, the gateway's address and the token.
fn run(program: &Path, caps: Caps, prepare: impl Fn(&mut Command, &str, &str)) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let token = random_token().unwrap();
    let gateway = Gateway::new(GatewayConfig::new(Upstream::Scripted(script().into()))).unwrap();
    let serving = gateway
        .serve_loopback(AttemptAuth {
            token: token.clone(),
            trial: "real".into(),
            checkpoint_index: 1,
            log_path: folder.path().join("requests.jsonl"),
            caps,
            prices: None,
        })
        .unwrap();
    for name in ["home", "workspace"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder.path().join("home"))
        .current_dir(folder.path().join("workspace"))
        .stdin(Stdio::null())
        .stdout(File::create(folder.path().join("stdout")).unwrap())
        .stderr(File::create(folder.path().join("stderr")).unwrap());
    prepare(&mut command, &serving.base_url(), &token);
    let mut child = command.spawn().unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > Duration::from_mins(5) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let said = format!("{}\n{}", read("stdout"), read("stderr"));
    Run {
        status,
        said,
        record: serving.finish(),
        folder,
    }
}

fn claude(program: &Path, caps: Caps) -> Run {
    run(program, caps, |command, base, token| {
        command
            .args(["-p", PROMPT, "--output-format", "stream-json", "--verbose"])
            .args([
                "--dangerously-skip-permissions",
                "--model",
                "claude-scripted",
            ])
            .env("ANTHROPIC_BASE_URL", base)
            .env("ANTHROPIC_API_KEY", token)
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1")
            .env("IS_SANDBOX", "1");
    })
}

fn codex(program: &Path, model: &str, caps: Caps) -> Run {
    run(program, caps, |command, base, token| {
        let provider = format!(
            r#"model_providers.slope={{name="slope",base_url="{base}/v1",env_key="KEY",wire_api="responses"}}"#
        );
        command
            .args(["exec", "--json", "--skip-git-repo-check"])
            .arg("--dangerously-bypass-approvals-and-sandbox")
            .args([
                "-m",
                model,
                "-c",
                r#"model_provider="slope""#,
                "-c",
                &provider,
                PROMPT,
            ])
            .env("KEY", token);
    })
}

fn gemini(program: &Path, caps: Caps) -> Run {
    run(program, caps, |command, base, token| {
        // Without this the program asks how to log in.
        let home = command
            .get_envs()
            .find_map(|(name, value)| (name == "HOME").then_some(value)?);
        let settings = Path::new(home.unwrap()).join(".gemini");
        std::fs::create_dir(&settings).unwrap();
        let auth = r#"{"security":{"auth":{"selectedType":"gemini-api-key"}}}"#;
        std::fs::write(settings.join("settings.json"), auth).unwrap();
        command
            .args(["-p", PROMPT, "-o", "stream-json", "--approval-mode", "yolo"])
            .args(["--skip-trust", "-m", "gemini-scripted"])
            .env("GOOGLE_GEMINI_BASE_URL", base)
            .env("GEMINI_API_KEY", token);
    })
}

/// The agent did what the script said, and the books are the script's.
fn assert_played(run: &Run) {
    assert!(run.status.success(), "{}", run.said);
    assert!(run.folder.path().join("workspace/app/main.py").is_file());
    assert!(run.said.contains("Hello, world!"), "{}", run.said);
    let usage = &run.record.usage;
    assert_eq!(Some(usage.tokens), script().total("first checkpoint"));
    assert_eq!((usage.requests, usage.tool_calls), (3, 2));
    assert_eq!((usage.failed_requests, usage.unreported), (0, 0));
    assert_eq!(run.record.errors, Vec::<String>::new());
    println!("tools: {}", run.record.tools.join(", "));
    println!("taken out: {}", run.record.stripped.join(", "));
}

/// The agent gave up at the cap, with a failure and without asking again and again.
fn assert_stopped(run: &Run) {
    assert!(!run.status.success(), "{}", run.said);
    assert!(
        run.said.contains("cap of 1 requests reached"),
        "{}",
        run.said
    );
    assert!(run.record.budget_hit.is_some());
    assert_eq!(run.record.usage.requests, 1);
    assert_eq!(run.record.usage.failed_requests, 1);
}

const ONE_REQUEST: Caps = Caps {
    tokens: None,
    cost_usd: None,
    requests: Some(1),
    wall_s: None,
};

#[test]
#[ignore = "needs the agent from npm"]
fn claude_code_plays_the_script() {
    let Some(program) = installed("claude") else {
        return;
    };
    assert_played(&claude(&program, Caps::default()));
    let stopped = claude(&program, ONE_REQUEST);
    assert_stopped(&stopped);
    assert_eq!(stopped.status.code(), Some(1));
}

#[test]
#[ignore = "needs the agent from npm"]
fn codex_plays_script_with_any_tools() {
    let Some(program) = installed("codex") else {
        return;
    };
    // An unknown model gets plain functions, a known one functions and a hosted search, a
    // newer one a JavaScript tool inside the conversation.
    for model in ["scripted", "gpt-5.5", "gpt-6-astra"] {
        println!("model {model}");
        assert_played(&codex(&program, model, Caps::default()));
    }
    let stopped = codex(&program, "scripted", ONE_REQUEST);
    assert_stopped(&stopped);
    assert_eq!(stopped.status.code(), Some(1));
}

#[test]
#[ignore = "needs the agent from npm"]
fn gemini_cli_plays_the_script() {
    let Some(program) = installed("gemini") else {
        return;
    };
    assert_played(&gemini(&program, Caps::default()));
    let stopped = gemini(&program, ONE_REQUEST);
    assert_stopped(&stopped);
    // The status of the refusal, as far as an exit code can hold it.
    assert_eq!(stopped.status.code(), Some(400 % 256));
}
