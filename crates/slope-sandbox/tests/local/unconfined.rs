//! The runtime without namespaces, for users who ask for it.

use std::io::{Read, Write};
use std::time::Duration;

use slope_sandbox::{Exit, LimitHit, Network, Runtime, UnconfinedRuntime};
use tar::EntryType;

use crate::bench::{Bench, raw_entry};
use crate::enclosure::grader;
use crate::{Outcome, Test};

pub(crate) const TESTS: &[Test] = &[
    (
        "unconfined_commands_work_in_folders",
        unconfined_commands_work_in_folders,
    ),
    ("unconfined_trees_are_killed", unconfined_trees_are_killed),
    ("unconfined_limits_hold", unconfined_limits_hold),
    (
        "unconfined_listeners_work_even_if_the_port_is_taken",
        unconfined_listeners_work,
    ),
    (
        "unconfined_launchers_start_programs",
        unconfined_launchers_start_programs,
    ),
];

fn unconfined_commands_work_in_folders() -> Outcome {
    let mut bench = Bench::script(
        "cat a; pwd > where; echo $HOME; cd /workspace && pwd | grep -q sandbox- && echo replaced; \
         mkdir dark; echo x > dark/in; chmod 000 dark; test -d $HOME && test -d /tmp && exit 4",
    )
    .fill(|tar| raw_entry(tar, EntryType::Regular, "a", "", 0o644, "filled\n"));
    bench
        .spec
        .env
        .insert("HOME".to_owned(), "/home/user".to_owned());
    let ran = bench.run_in(&UnconfinedRuntime);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((lines[0], lines[2]), ("filled", "replaced"), "{}", ran.err);
    assert!(lines[1].ends_with("/home/user") && lines[1] != "/home/user");
    assert_eq!(ran.outcome.exit, Exit::Code(4));
    let collected = bench.collected();
    let names: Vec<&str> = collected.iter().map(|e| e.0.as_str()).collect();
    assert_eq!(names, ["a", "dark/", "dark/in", "where"]);
    let where_it_was = collected[3].2.trim();
    assert!(
        !std::path::Path::new(where_it_was).exists(),
        "{where_it_was}"
    );
    Ok(())
}

fn unconfined_trees_are_killed() -> Outcome {
    let bench = Bench::script(
        "setsid sh -c 'trap \"\" TERM HUP; echo up > up; exec sleep 98766' & \
         while [ ! -s up ]; do :; done",
    );
    let ran = bench.run_in(&UnconfinedRuntime);
    assert_eq!(ran.outcome.leftover_processes, 1);
    let left = std::process::Command::new("pgrep")
        .args(["-f", "^sleep 98766"])
        .output()?;
    assert_eq!(String::from_utf8_lossy(&left.stdout), "");
    Ok(())
}

fn unconfined_limits_hold() -> Outcome {
    let bench = Bench::script("trap '' TERM; while :; do sleep 0.1; done").limits(|l| {
        l.wall = Duration::from_millis(300);
        l.grace = Duration::from_millis(100);
    });
    let ran = bench.run_in(&UnconfinedRuntime);
    assert_eq!(
        (ran.outcome.exit, ran.outcome.limits),
        (Exit::Signal(9), vec![LimitHit::Wall])
    );
    // Not a bomb: as root nothing but supervision would hold it.
    let many = "exec python3 -c \"import os, time\nchildren = 0\nwhile children < 9:\n\
                \x20   try:\n        if os.fork() == 0: break\n        children += 1\n\
                \x20   except OSError: time.sleep(0.02)\ntime.sleep(600)\"";
    let ran = Bench::script(many)
        .limits(|l| l.processes = 8)
        .run_in(&UnconfinedRuntime);
    assert_eq!(ran.outcome.limits, [LimitHit::Processes]);
    Ok(())
}

fn unconfined_listeners_work() -> Outcome {
    let taken = std::net::TcpListener::bind("127.0.0.1:0")?;
    let mut bench = Bench::script(
        "exec python3 -c \"import os, urllib.parse as u, socket\n\
         a = u.urlparse(os.environ['URL'])\n\
         print(socket.create_connection((a.hostname, a.port)).recv(10).decode())\"",
    );
    let port = taken.local_addr()?.port();
    bench.spec.network = Network::Listener(port);
    bench
        .spec
        .env
        .insert("URL".to_owned(), format!("http://127.0.0.1:{port}/v1"));
    let mut running = UnconfinedRuntime.start(&bench.spec)?;
    let (mut stream, _) = running.take_listener().unwrap().accept()?;
    stream.write_all(b"hi")?;
    stream.shutdown(std::net::Shutdown::Write)?;
    let _ = stream.read(&mut [0])?;
    let outcome = running.wait()?;
    assert_eq!(bench.ran(outcome).out, "hi\n");
    Ok(())
}

fn unconfined_launchers_start_programs() -> Outcome {
    let ran = grader(
        "echo in | $L cat; $L sh -c 'exit 5'; echo $?; $L nonexistent 2>/dev/null; echo $?; \
         $L sh -c 'echo ${PYTEST_CURRENT_TEST-stripped} $EXTRA'; $L sh -c 'kill -TERM $$' 2>/dev/null; echo $?",
    )
    .run_in(&UnconfinedRuntime);
    assert_eq!(ran.out, "in\n5\n127\nstripped set\n143\n", "{}", ran.err);
    Ok(())
}
