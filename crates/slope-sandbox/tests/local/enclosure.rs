//! Programs under test, started by a runner through the launcher.

use std::collections::BTreeMap;
use std::time::Duration;

use slope_sandbox::{Enclosure, Exit, Limits, Volume};
use tar::EntryType;

use crate::bench::{Bench, raw_entry};
use crate::{Outcome, Test};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_program_does_not_see_the_tests",
        a_program_does_not_see_the_tests,
    ),
    ("data_named_by_path_is_passed", data_named_by_path_is_passed),
    (
        "exit_codes_and_signals_come_through",
        exit_codes_and_signals_come_through,
    ),
    (
        "signals_are_forwarded_to_the_program",
        signals_are_forwarded_to_the_program,
    ),
    (
        "a_programs_daemons_die_with_it",
        a_programs_daemons_die_with_it,
    ),
    (
        "a_killed_launcher_takes_the_program_along",
        a_killed_launcher_takes_the_program_along,
    ),
    (
        "a_program_cannot_touch_the_runner",
        a_program_cannot_touch_the_runner,
    ),
    (
        "streams_of_a_program_are_its_own",
        streams_of_a_program_are_its_own,
    ),
    (
        "program_is_reapable_at_end_of_output",
        program_is_reapable_at_end_of_output,
    ),
    (
        "output_closed_early_ends_while_running",
        output_closed_early_ends_while_running,
    ),
    ("a_programs_output_is_cut", a_programs_output_is_cut),
    ("a_programs_limits_hold", a_programs_limits_hold),
    (
        "limits_of_programs_are_logged",
        limits_of_programs_are_logged,
    ),
    (
        "a_program_talks_to_its_test_over_loopback",
        a_program_talks_to_its_test_over_loopback,
    ),
];

/// A grader: tests in `/grader`, of which `data` may be passed; the script is the runner.
pub(crate) fn grader(script: &str) -> Bench {
    let mut bench = Bench::script(script);
    let tar = bench.dir.path().join("grader.tar");
    let mut builder = tar::Builder::new(std::fs::File::create(&tar).unwrap());
    for (path, content) in [
        ("test_it.py", "answer = 42\n"),
        ("data/in.txt", "input\n"),
        ("data/set/one", "1\n"),
        ("data/set/solution.py", "answer = 42\n"),
        ("data/set/deep/helper.py", "answer = 42\n"),
        ("data/with space.txt", "spaced\n"),
        ("data/other.txt", "not named\n"),
    ] {
        raw_entry(&mut builder, EntryType::Regular, path, "", 0o644, content);
    }
    raw_entry(
        &mut builder,
        EntryType::Symlink,
        "data/sly",
        "../test_it.py",
        0o777,
        "",
    );
    builder.into_inner().unwrap();
    bench.spec.volumes.push(Volume {
        target: "/grader".into(),
        fill: Some(tar),
        collect: None,
        size: 8 << 20,
        writable: true,
        shared: false,
    });
    bench.spec.enclosure = Some(Enclosure {
        launcher: "/launcher/slope-enter".into(),
        hidden: vec!["/grader".into(), "/nowhere".into()],
        passable: vec!["/grader/data".into()],
        never_pass: vec!["*.py".to_owned()],
        strip_env: vec!["PYTEST_CURRENT_TEST".to_owned()],
        env: BTreeMap::from([("EXTRA".to_owned(), "set".to_owned())]),
        limits: Limits {
            wall: Duration::from_secs(30),
            ..Limits::default()
        },
        limit_log: Some("/grader/limits".into()),
    });
    bench
        .spec
        .env
        .insert("L".to_owned(), "/launcher/slope-enter".to_owned());
    bench.spec.env.insert(
        "PYTEST_CURRENT_TEST".to_owned(),
        "/grader/data/other.txt".to_owned(),
    );
    bench
}

/// Runs the script as a runner and compares its output.
#[track_caller]
fn expect(script: &str, expected: &str) -> Outcome {
    let ran = grader(script).run();
    assert_eq!(ran.out, expected, "{}\n{:?}", ran.err, ran.outcome);
    Ok(())
}

fn a_program_does_not_see_the_tests() -> Outcome {
    // The runner looks in the same way, and finds them. The system's own folders are large and have none.
    expect(
        "cat > look <<'END'\n\
         dirs=$(ls -A / | grep -vx -e usr -e proc -e sys | sed s:^:/:)\n\
         find $dirs -name '*test_it*' -o -name solution.py -o -name 'slope*' | sort\n\
         grep -rl 'answer = 42' $dirs --include=*.py | sort\n\
         END\n\
         look=$PWD/look; sh $look 2>/dev/null; cat /grader/test_it.py; cd /grader; \
         $L sh -c 'sh $0; pwd; ls -A /grader /launcher; cat test_it.py ./test_it.py /grader/data/sly; \
           umount /grader; umount -l /grader; unshare -Um true; mount -t tmpfs none /tmp; \
           env | cut -d= -f1 | sort | tr \"\\n\" \" \"' $look 2>/dev/null",
        "/grader/data/set/solution.py\n/grader/test_it.py\n/launcher/slope-enter\n/launcher/slope-enter.json\n\
         /grader/data/set/deep/helper.py\n/grader/data/set/solution.py\n/grader/test_it.py\n\
         answer = 42\n/grader\n/grader:\n\n/launcher:\nEXTRA L OLDPWD PATH PWD ",
    )
}

fn data_named_by_path_is_passed() -> Outcome {
    expect(
        "$L cat /grader/data/in.txt; $L cat '/grader/data/with space.txt'; \
         $L sh -c 'cat ${1#--in=}' x --in=/grader/data/in.txt; \
         IN=/grader/data/in.txt $L sh -c 'cat $IN; ls ${IN%/*}'; \
         $L find /grader/data/set -type f -size +0c; $L cat /grader/data/set/one; \
         $L sh -c 'echo x > /grader/data/in.txt || echo sealed' /grader/data/in.txt; \
         cd /grader/data/set; $L cat one; $L cat ../in.txt; \
         cd /grader; $L cat data/in.txt; \
         $L cat /grader/data/sly /grader/test_it.py /grader/data/set/solution.py || echo hidden; \
         $L cat ../grader/data/../test_it.py || echo hidden; cat /grader/data/other.txt",
        "input\nspaced\ninput\ninput\nin.txt\n/grader/data/set/one\n1\nsealed\n1\ninput\ninput\n\
         hidden\nhidden\nnot named\n",
    )
}

fn exit_codes_and_signals_come_through() -> Outcome {
    expect(
        "$L sh -c 'exit 42'; echo $?; $L nonexistent; echo $?; $L /etc/passwd; echo $?; $L /; echo $?; \
         exec 3>&2 2>/dev/null; $L sh -c 'kill -9 $$'; echo $?; $L sh -c 'kill -USR1 $$'; echo $?; \
         $L; echo $?; \
         python3 -c \"import subprocess\nprint(subprocess.run(['$L', 'sh', '-c', 'kill -SEGV \\$\\$']).returncode)\"",
        "42\n127\n126\n126\n137\n138\n125\n-11\n",
    )
}

fn signals_are_forwarded_to_the_program() -> Outcome {
    expect(
        "for s in TERM INT HUP USR1; do \
           $L sh -c \"trap 'echo got $s; exit 9' $s; echo ready > up; while :; do sleep 0.02; done\" & \
           p=$!; while [ ! -s up ]; do sleep 0.01; done; kill -$s $p; wait $p; echo $?; rm up; done; \
         $L sh -c 'echo ready > up; exec sleep 600' & \
         p=$!; while [ ! -s up ]; do sleep 0.01; done; kill $p; wait $p; echo $?",
        "got TERM\n9\ngot INT\n9\ngot HUP\n9\ngot USR1\n9\n143\n",
    )
}

fn a_programs_daemons_die_with_it() -> Outcome {
    let ran = grader(
        "$L sh -c 'setsid sh -c \"trap \\\"\\\" TERM HUP; echo d > daemon; exec sleep 600\" & \
           while [ ! -s daemon ]; do :; done; exit 3'; echo $?; pgrep sleep || echo none",
    )
    .run();
    assert_eq!(ran.out, "3\nnone\n", "{}", ran.err);
    assert_eq!(ran.outcome.leftover_processes, 0);
    Ok(())
}

fn a_killed_launcher_takes_the_program_along() -> Outcome {
    expect(
        "$L sh -c 'setsid sleep 600 & echo up > up; exec sleep 600' & \
         while [ ! -s up ]; do sleep 0.01; done; kill -9 $!; wait $!; echo $?; \
         for i in 1 2 3 4 5 6 7 8 9; do pgrep -x sleep > /dev/null || break; read -t 0.1 x < /dev/zero; done; \
         pgrep -x sleep || echo none",
        "137\nnone\n",
    )
}

fn a_program_cannot_touch_the_runner() -> Outcome {
    expect(
        "sleep 600 & runner=$!; \
         $L sh -c 'kill -9 $0 2>/dev/null; set -- /proc/[0-9]*; echo $#; \
           cat /proc/1/environ /proc/1/maps /proc/1/mem; readlink /proc/1/exe /proc/1/cwd; \
           tr \"\\0\" \" \" < /proc/1/cmdline | cut -c1-20; \
           kill -9 1; kill -0 1 && echo alone' $runner 2>/dev/null; \
         kill -0 $runner && echo survived; kill $runner; wait $runner",
        // Process 1 and the shell, nobody else.
        "2\n/launcher/slope-ente\nalone\nsurvived\n",
    )
}

fn streams_of_a_program_are_its_own() -> Outcome {
    expect(
        "echo in | $L cat; echo two | $L sh -c 'cat; echo err >&2' 2>&1; \
         $L sh -c 'for i in 1 2 3; do echo o$i; echo e$i >&2; done' 2>&1 | tr '\\n' ' '; echo; \
         $L yes | head -n 1; $L sh -c 'echo file' > f; cat f; \
         $L sh -c 'ls /proc/self/fd | wc -l' 7< f; $L true < /dev/null; echo $?; \
         $L sh -c 'exec >&-; sleep 0.2; echo late >&2' 2>&1 | cat",
        "in\ntwo\nerr\no1 e1 o2 e2 o3 e3 \ny\nfile\n4\n0\nlate\n",
    )
}

/// Through a pipe, two pipes, one pipe for both outputs, a socket and a terminal.
fn program_is_reapable_at_end_of_output() -> Outcome {
    expect(
        "exec python3 -c \"import os, pty, socket, subprocess, time\n\
         def end(read):\n\
         \x20   try:\n\
         \x20       while read(100): pass\n\
         \x20   except OSError: pass\n\
         def ends(kind):\n\
         \x20   argv = ['$L', 'sh', '-c', 'echo out; echo err >&2']\n\
         \x20   if kind == 'socket':\n\
         \x20       here, there = socket.socketpair(); here, there = here.detach(), there.detach()\n\
         \x20   elif kind == 'terminal': here, there = pty.openpty()\n\
         \x20   else: here, there = os.pipe()\n\
         \x20   err = subprocess.PIPE if kind == 'two pipes' else there if kind != 'pipe' else subprocess.DEVNULL\n\
         \x20   p = subprocess.Popen(argv, stdout=there, stderr=err); os.close(there)\n\
         \x20   end(lambda n: os.read(here, n)); ended = p.poll(); p.wait(); os.close(here); return ended\n\
         for kind in ['pipe', 'two pipes', 'one pipe', 'socket', 'terminal']:\n\
         \x20   print(kind, sum(ends(kind) is None for _ in range(10)))\"",
        "pipe 0\ntwo pipes 0\none pipe 0\nsocket 0\nterminal 0\n",
    )
}

fn output_closed_early_ends_while_running() -> Outcome {
    expect(
        "exec python3 -c \"import subprocess\n\
         p = subprocess.Popen(['$L', 'sh', '-c', 'exec >&-; exec sleep 600'], stdout=subprocess.PIPE)\n\
         print(p.stdout.read(), p.poll()); p.kill(); p.wait()\"",
        "b'' None\n",
    )
}

fn a_programs_output_is_cut() -> Outcome {
    let mut bench = grader("$L head -c 100000000 /dev/zero | wc -c; echo ok");
    bench.spec.enclosure.as_mut().unwrap().limits.output = 5000;
    assert_eq!(bench.run().out, "5000\nok\n");
    Ok(())
}

fn a_programs_limits_hold() -> Outcome {
    let ended = |program: &str, wall: Duration| {
        let mut bench = grader(&format!("$L {program}; echo $?"));
        let limits = &mut bench.spec.enclosure.as_mut().unwrap().limits;
        limits.wall = wall;
        limits.memory = 50 << 20;
        let ran = bench.run();
        assert_eq!(ran.outcome.exit, Exit::Code(0), "{}", ran.err);
        ran.out
    };
    assert_eq!(ended("sleep 600", Duration::from_millis(1500)), "143\n");
    // Time enough for a busy machine to start Python and to fill the memory.
    let large = "python3 -c 'import time; x = bytearray(100 << 20); time.sleep(600)'";
    assert_eq!(ended(large, Duration::from_secs(60)), "137\n");
    Ok(())
}

fn limits_of_programs_are_logged() -> Outcome {
    let mut bench = grader(
        "$L python3 -c 'import time; x = bytearray(100 << 20); time.sleep(600)'; \
         $L head -c 100000 /dev/zero | wc -c; $L head -c 3000000 /dev/zero > big; $L sleep 600; $L true; \
         $L cat /grader/limits || echo hidden; cat /grader/limits",
    );
    let limits = &mut bench.spec.enclosure.as_mut().unwrap().limits;
    limits.memory = 50 << 20;
    limits.output = 5000;
    limits.file_size = 1 << 20;
    limits.wall = Duration::from_secs(8);
    let ran = bench.run();
    let (head, log) = ran.out.split_at("5000\nhidden\n".len().min(ran.out.len()));
    assert_eq!(head, "5000\nhidden\n", "{}", ran.err);
    let lines = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    // Programs that reach no limit have a line, too.
    let reached = lines.filter(|line| line["limits"] != serde_json::json!([]));
    let reached: Vec<_> = reached
        .map(|line| (line["limits"][0].clone(), line["test"].clone()))
        .collect();
    let expected = ["memory", "output", "disk", "wall"];
    let expected = expected.map(|limit| (limit.into(), "/grader/data/other.txt".into()));
    assert_eq!(reached, expected, "{}", ran.out);
    Ok(())
}

fn a_program_talks_to_its_test_over_loopback() -> Outcome {
    expect(
        "exec python3 -c \"import socket, subprocess, sys\n\
         s = socket.create_server(('127.0.0.1', 0))\n\
         p = subprocess.Popen(['$L', 'python3', '-c', 'import socket, sys\\nsocket.create_connection((\\'127.0.0.1\\', int(sys.argv[1]))).sendall(b\\'hi\\')', str(s.getsockname()[1])])\n\
         s.settimeout(20)\n\
         c, _ = s.accept()\n\
         print(c.recv(10).decode(), p.wait())\"",
        "hi 0\n",
    )
}
