//! Specifications: bad ones are named, and many may be carried out at once.

use slope_model::error_text::one_line;
use slope_sandbox::Bind;

use crate::bench::Bench;
use crate::{Outcome, Test};

pub(crate) const TESTS: &[Test] = &[
    ("bad_specifications_are_named", bad_specifications_are_named),
    (
        "binds_are_read_only_and_may_lie_in_closed_folders",
        binds_are_read_only,
    ),
    ("many_sandboxes_run_at_once", many_sandboxes_run_at_once),
];

fn bad_specifications_are_named() -> Outcome {
    let check = |change: &dyn Fn(&mut Bench), expected: &str| {
        let mut bench = Bench::script("true");
        change(&mut bench);
        let error = one_line(&crate::runtime().run(&bench.spec).unwrap_err());
        assert!(error.contains(expected), "{error}");
        assert!(!bench.tar().exists());
    };
    check(
        &|b| b.spec.workdir = "relative".into(),
        "working directory relative",
    );
    check(&|b| b.spec.workdir = "/missing".into(), "/missing");
    check(&|b| b.spec.volumes[0].target = "/a/../b".into(), "/a/../b");
    if !crate::ANYWHERE {
        check(
            &|b| b.spec.volumes[0].target = "/usr/lib/not-there".into(),
            "/usr/lib/not-there",
        );
    }
    check(
        &|b| b.spec.volumes[0].fill = Some("/no/such.tar".into()),
        "/no/such.tar",
    );
    check(
        &|b| b.spec.volumes[0].collect = Some("/no/such/dir.tar".into()),
        "/no/such/dir.tar",
    );
    check(
        &|b| b.spec.stdout = "/no/such/stdout".into(),
        "/no/such/stdout",
    );
    check(
        &|b| b.spec.volumes.push(b.spec.volumes[0].clone()),
        "two file trees for /workspace",
    );
    let gone = Bind {
        source: "/no/such/tool".into(),
        target: "/tool".into(),
    };
    check(&|b| b.spec.binds.push(gone.clone()), "/no/such/tool");
    check(
        &|b| b.spec.command = slope_sandbox::Command::Exec(Vec::new()),
        "empty",
    );
    let missing = slope_sandbox::Command::Exec(vec!["no-such-tool".to_owned()]);
    check(&|b| b.spec.command = missing.clone(), "no-such-tool");
    let mut bench = Bench::script("true").fill(|tar| {
        crate::bench::raw_entry(
            tar,
            tar::EntryType::Regular,
            "a",
            "",
            0o644,
            &"x".repeat(100_000),
        );
    });
    bench.spec.volumes[0].size = 8192;
    let error = crate::runtime().run(&bench.spec).unwrap_err().to_string();
    assert!(error.contains("limit is 8192 bytes"), "{error}");
    Ok(())
}

fn binds_are_read_only() -> Outcome {
    let dir = tempfile::tempdir()?;
    let closed = dir.path().join("closed");
    let tool = closed.join("tool");
    std::fs::create_dir_all(&tool)?;
    std::fs::write(tool.join("run"), "#!/bin/sh\necho tool\n")?;
    std::fs::set_permissions(
        tool.join("run"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )?;
    std::fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    let mut bench =
        Bench::script("/opt/tool/run; echo x > /opt/tool/new || echo sealed; cat /opt/one");
    bench.spec.binds.push(Bind {
        source: tool.clone(),
        target: "/opt/tool".into(),
    });
    bench.spec.binds.push(Bind {
        source: tool.join("run"),
        target: "/opt/one".into(),
    });
    let ran = bench.run();
    assert_eq!(
        ran.out, "tool\nsealed\n#!/bin/sh\necho tool\n",
        "{}",
        ran.err
    );
    Ok(())
}

fn many_sandboxes_run_at_once() -> Outcome {
    fn sendable<T: Send + 'static>(value: T) -> T {
        value
    }
    let threads: Vec<_> = (0..6)
        .map(|thread| {
            std::thread::spawn(move || {
                for round in 0..5 {
                    let bench = Bench::script(&format!("echo {thread}.{round} | tee file; cat"));
                    let running = sendable(crate::runtime().start(&bench.spec).unwrap());
                    let killer = sendable(running.killer());
                    let outcome = running.wait().unwrap();
                    killer.kill();
                    assert_eq!(bench.ran(outcome).out, format!("{thread}.{round}\n"));
                    assert_eq!(bench.collected()[0].2, format!("{thread}.{round}\n"));
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    Ok(())
}
