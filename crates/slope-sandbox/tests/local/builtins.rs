//! Functions of this binary that run inside sandboxes.

use std::process::Command;

use slope_sandbox::{Builtin, Exit};

use crate::bench::Bench;
use crate::{Outcome, Test};

/// The builtins for [`slope_sandbox::dispatch`].
pub(crate) const ALL: &[(&str, Builtin)] = &[("say", say), ("shell", shell), ("panic", panic)];

/// Writes its payload and ends with code 7.
fn say(payload: &str) -> i32 {
    println!("{payload}");
    7
}

/// Keeps a secret in memory and runs its payload as a shell script.
fn shell(payload: &str) -> i32 {
    let secret = std::hint::black_box(["top", "secret", "value"].join("-"));
    let status = Command::new("sh").arg("-c").arg(payload).status().unwrap();
    drop(secret);
    status.code().unwrap_or(99)
}

/// Tests of builtins themselves.
pub(crate) const TESTS: &[Test] = &[
    (
        "a_builtin_runs_with_the_specs_environment",
        a_builtin_runs_with_the_specs_environment,
    ),
    (
        "a_builtin_cannot_be_read_by_its_children",
        a_builtin_cannot_be_read_by_its_children,
    ),
    ("an_unknown_builtin_is_named", an_unknown_builtin_is_named),
    (
        "a_panicking_builtin_is_an_exit_code",
        a_panicking_builtin_is_an_exit_code,
    ),
];

fn a_builtin_runs_with_the_specs_environment() -> Outcome {
    let ran = Bench::builtin("say", "payload with 'quotes' and\nlines").run();
    assert_eq!(ran.out, "payload with 'quotes' and\nlines\n");
    assert_eq!(ran.outcome.exit, Exit::Code(7));
    let ran = Bench::builtin("shell", "env | sort; pwd").run();
    assert!(
        ran.out.contains("PATH=/usr/bin:/bin\n") && ran.out.ends_with("/workspace\n"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("CARGO"), "{}", ran.out);
    Ok(())
}

fn a_builtin_cannot_be_read_by_its_children() -> Outcome {
    let ran = Bench::builtin(
        "shell",
        "exec 2>/dev/null; for p in 1 $PPID; do \
           readlink /proc/$p/exe || echo closed-exe; \
           head -c 16 /proc/$p/exe | grep -q ELF || echo closed-binary; \
           cat /proc/$p/maps || echo closed-maps; \
           head -c 1 /proc/$p/mem || echo closed-mem; \
           cat /proc/$p/environ || echo closed-env; \
           ls /proc/$p/fd/ || echo closed-fds; \
           tr '\\0' ' ' < /proc/$p/cmdline; echo; \
           python3 -c \"import ctypes, sys\nl = ctypes.CDLL(None, use_errno=True)\n\
print('traced' if l.ptrace(16, $p, 0, 0) == 0 else 'untraced')\"; \
         done",
    )
    .run();
    let closed = format!(
        "closed-exe\nclosed-binary\nclosed-maps\nclosed-mem\nclosed-env\nclosed-fds\n\
         {}\nuntraced\n",
        crate::FIRST_PROCESS
    );
    assert_eq!(ran.out, closed.repeat(2), "{}", ran.err);
    Ok(())
}

fn an_unknown_builtin_is_named() -> Outcome {
    let bench = Bench::builtin("nonsense", "");
    let error = crate::runtime().run(&bench.spec).unwrap_err();
    assert!(error.to_string().contains("`nonsense`"), "{error}");
    Ok(())
}

fn a_panicking_builtin_is_an_exit_code() -> Outcome {
    let ran = Bench::builtin("panic", "told to").run();
    assert_eq!(ran.outcome.exit, Exit::Code(101));
    assert!(ran.err.contains("told to"), "{}", ran.err);
    Ok(())
}

/// Panics with its payload.
fn panic(payload: &str) -> i32 {
    panic!("{payload}");
}
