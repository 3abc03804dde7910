//! Commands that want more than they may have.

use std::time::Duration;

use slope_sandbox::{Exit, Feature, LimitHit, State};

use crate::bench::Bench;
use crate::{Outcome, Test};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_clean_end_is_reported_as_it_was",
        a_clean_end_is_reported_as_it_was,
    ),
    (
        "a_command_that_ignores_sigterm_is_killed",
        a_command_that_ignores_sigterm_is_killed,
    ),
    (
        "a_command_may_clean_up_at_sigterm",
        a_command_may_clean_up_at_sigterm,
    ),
    (
        "daemons_are_counted_and_killed",
        daemons_are_counted_and_killed,
    ),
    ("a_fork_bomb_ends", a_fork_bomb_ends),
    ("a_memory_hog_ends", a_memory_hog_ends),
    ("unmapped_memory_counts_too", unmapped_memory_counts_too),
    ("shared_memory_counts_once", shared_memory_counts_once),
    (
        "memory_that_supervision_cannot_see_is_limited",
        memory_that_supervision_cannot_see_is_limited,
    ),
    (
        "free_space_follows_disk_limit",
        free_space_follows_disk_limit,
    ),
    (
        "full_temporary_folders_are_reported",
        full_temporary_folders_are_reported,
    ),
    ("large_files_are_not_memory", large_files_are_not_memory),
    ("nothing_of_the_disk_remains", nothing_of_the_disk_remains),
    ("a_full_volume_is_reported", a_full_volume_is_reported),
    ("a_gigabyte_of_output_is_cut", a_gigabyte_of_output_is_cut),
    (
        "cpu_time_of_the_tree_is_limited",
        cpu_time_of_the_tree_is_limited,
    ),
    ("a_giant_file_is_refused", a_giant_file_is_refused),
    (
        "a_killer_ends_it_from_another_thread",
        a_killer_ends_it_from_another_thread,
    ),
    ("dropping_it_kills_everything", dropping_it_kills_everything),
    ("it_stays_on_its_processors", it_stays_on_its_processors),
    (
        "the_supervisor_keeps_its_own_limits",
        the_supervisor_keeps_its_own_limits,
    ),
    ("kernel_limits_are_named", kernel_limits_are_named),
    ("rights_are_gone", rights_are_gone),
];

fn a_clean_end_is_reported_as_it_was() -> Outcome {
    let ran = Bench::script("echo out; echo err >&2; exit 3").run();
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("out\n", "err\n"));
    assert_eq!(ran.outcome.exit, Exit::Code(3));
    assert_eq!(ran.outcome.limits, []);
    assert_eq!(ran.outcome.leftover_processes, 0);
    assert!(ran.outcome.wall_s > 0.0);
    assert!(ran.outcome.cpu_s > Some(0.0) && ran.outcome.peak_memory > Some(0));
    let ran = Bench::script("kill -SEGV $$").run();
    assert_eq!(ran.outcome.exit, Exit::Signal(libc_signal("SEGV")));
    Ok(())
}

fn libc_signal(name: &str) -> i32 {
    match name {
        "KILL" => 9,
        "SEGV" => 11,
        "XFSZ" => 25,
        _ => unreachable!(),
    }
}

fn a_command_that_ignores_sigterm_is_killed() -> Outcome {
    let bench = Bench::script("trap '' TERM; echo ready; while :; do sleep 1; done").limits(|l| {
        l.wall = Duration::from_millis(400);
        l.grace = Duration::from_millis(200);
    });
    let ran = bench.run();
    assert_eq!(ran.outcome.exit, Exit::Signal(libc_signal("KILL")));
    assert_eq!(ran.outcome.limits, [LimitHit::Wall]);
    assert_eq!(ran.out, "ready\n");
    Ok(())
}

fn a_command_may_clean_up_at_sigterm() -> Outcome {
    let bench = Bench::script("trap 'echo bye > note; exit 5' TERM; while :; do sleep 0.05; done")
        .limits(|l| l.wall = Duration::from_millis(400));
    let ran = bench.run();
    assert_eq!(ran.outcome.exit, Exit::Code(5));
    assert_eq!(ran.outcome.limits, [LimitHit::Wall]);
    assert_eq!(bench.collected()[0].2, "bye\n");
    Ok(())
}

fn daemons_are_counted_and_killed() -> Outcome {
    // They keep standard output open, too, and would write after the end.
    let bench = Bench::script(
        "for i in 1 2 3; do setsid sh -c 'trap \"\" TERM HUP; echo up > up'$i'; \
         exec sleep 600' & done; while [ ! -e up3 ] || [ ! -e up2 ] || [ ! -e up1 ]; do :; done; exit 0",
    );
    let ran = bench.run();
    assert_eq!(ran.outcome.exit, Exit::Code(0));
    assert_eq!(ran.outcome.leftover_processes, 3);
    Ok(())
}

fn a_fork_bomb_ends() -> Outcome {
    let bench = Bench::script(
        "exec python3 -c \"import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\"",
    )
    .limits(|l| l.processes = 100);
    let ran = bench.run();
    assert_eq!(ran.outcome.limits, [LimitHit::Processes]);
    assert!(
        ran.outcome.wall_s < 50.0,
        "it must end before the wall clock does"
    );
    Ok(())
}

fn a_memory_hog_ends() -> Outcome {
    let bench = Bench::script(
        "exec python3 -c \"import time\nkeep = []\nwhile True: keep.append(bytearray(8 << 20)); time.sleep(0.005)\"",
    )
    .limits(|l| l.memory = 200 << 20);
    let ran = bench.run();
    assert_eq!(
        ran.outcome.exit,
        Exit::Signal(libc_signal("KILL")),
        "{}",
        ran.err
    );
    assert_eq!(ran.outcome.limits, [LimitHit::Memory]);
    assert!(ran.outcome.peak_memory > Some(200 << 20));
    Ok(())
}

fn unmapped_memory_counts_too() -> Outcome {
    let bench = Bench::script(
        "exec python3 -c \"import os, time\nkeep = []\n\
         while True:\n    f = os.memfd_create('x'); keep.append(f); os.write(f, bytes(8 << 20)); time.sleep(0.01)\"",
    )
    .limits(|l| l.memory = 200 << 20);
    let ran = bench.run();
    assert_eq!(ran.outcome.limits, [LimitHit::Memory], "{}", ran.err);
    let bench = Bench::script(
        "exec python3 -c \"import ctypes, time\nc = ctypes.CDLL(None)\nc.shmat.restype = ctypes.c_void_p\n\
         while True:\n    i = c.shmget(0, 8 << 20, 0o600)\n    a = c.shmat(i, None, 0)\n\
         \x20   ctypes.memset(a, 1, 8 << 20)\n    c.shmdt(ctypes.c_void_p(a)); time.sleep(0.01)\"",
    )
    .limits(|l| l.memory = 200 << 20);
    let ran = bench.run();
    assert_eq!(ran.outcome.limits, [LimitHit::Memory], "{}", ran.err);
    Ok(())
}

fn memory_that_supervision_cannot_see_is_limited() -> Outcome {
    // Only a control group counts it, and not every user may make one.
    let group = crate::runtime().probe().state(Feature::Cgroup).cloned();
    if !matches!(group, Some(State::Works(_))) {
        return Ok(());
    }
    // Memory files in flight over a socket belong to no process.
    let bench = Bench::script(
        "exec python3 -c \"import os, socket, time\n\
         kept = []\n\
         for _ in range(60):\n    a, b = socket.socketpair()\n    f = os.memfd_create('x')\n\
         \x20   os.write(f, b'x' * (16 << 20)); socket.send_fds(a, [b'm'], [f]); os.close(f)\n\
         \x20   kept.append((a, b))\n\
         time.sleep(60)\"",
    )
    .small()
    .limits(|l| l.memory = 64 << 20);
    let ran = bench.run();
    let limits = &ran.outcome.limits;
    assert_eq!(limits, &[LimitHit::Memory], "{:?} {}", ran.outcome, ran.err);
    Ok(())
}

fn shared_memory_counts_once() -> Outcome {
    let bench = Bench::script(
        "exec python3 -c \"import os, time\nkeep = b'x' * (100 << 20)\n\
         for _ in range(4):\n    if os.fork() == 0:\n        time.sleep(0.7); os._exit(0)\n\
         for _ in range(4): os.wait()\nprint('done')\"",
    )
    .limits(|l| l.memory = 250 << 20);
    let ran = bench.run();
    assert_eq!(ran.out, "done\n", "{:?} {}", ran.outcome, ran.err);
    Ok(())
}

fn a_full_volume_is_reported() -> Outcome {
    let mut bench = Bench::script("cat /dev/zero > big; echo full");
    bench.spec.volumes[0].size = 8 << 20;
    let ran = bench.run();
    assert_eq!(ran.out, "full\n");
    assert_eq!(ran.outcome.limits, [LimitHit::Disk]);
    assert!(ran.err.contains("No space left"), "{}", ran.err);
    let mut bench = Bench::script("i=0; while : > f$i; do i=$((i+1)); done");
    bench.spec.volumes[0].size = 1 << 20;
    assert_eq!(bench.run().outcome.limits, [LimitHit::Disk]);
    Ok(())
}

/// Bytes that a program sees as free in `/tmp`, the home and the working directory.
const FREE: &str = "exec python3 -c \"import shutil\n\
    print(*(shutil.disk_usage(p).free >> 20 for p in ['/tmp', '/home/user', '.']))\"";

fn free_space_follows_disk_limit() -> Outcome {
    for limit in [1 << 30, 6 << 30, 20 << 30] {
        let mut bench = Bench::script(FREE).limits(|l| l.disk = limit);
        bench.spec.volumes[0].size = limit;
        let ran = bench.run();
        let free: Vec<u64> = ran.out.split_whitespace().flat_map(str::parse).collect();
        let expected = limit >> 20;
        assert_eq!(free.len(), 3, "{} {}", ran.out, ran.err);
        for free in free {
            assert!(
                free <= expected && free * 10 > expected * 9,
                "{free} of {expected} MiB"
            );
        }
    }
    Ok(())
}

fn full_temporary_folders_are_reported() -> Outcome {
    for (what, place) in [("/tmp", "/tmp/big"), ("the home", "/home/user/big")] {
        // Free space is watched every 50 ms.
        let script = format!("cat /dev/zero > {place}; sleep 0.4; rm {place}; echo full");
        let ran = Bench::script(&script).limits(|l| l.disk = 300 << 20).run();
        assert_eq!(ran.out, "full\n", "{what}: {}", ran.err);
        assert_eq!(ran.outcome.limits, [LimitHit::Disk], "{what}");
    }
    Ok(())
}

/// Programs that reach limits which the kernel keeps, and the limits that slope names.
fn kernel_limits_are_named() -> Outcome {
    let shared = "dd if=/dev/zero of=/dev/shm/big bs=1M status=none; exit 1";
    let forks = "exec python3 -c \"import os, time\nwhile True:\n    if os.fork() == 0:\n        time.sleep(60)\"";
    let open = "exec python3 -c \"import time\nkeep = []\ntry:\n    \
                while True: keep.append(open('/dev/null'))\nexcept OSError:\n    time.sleep(1)\"";
    for (script, limit) in [
        (shared, LimitHit::SharedMemory),
        (forks, LimitHit::Processes),
        (open, LimitHit::OpenFiles),
    ] {
        let ran = Bench::script(script).limits(|l| l.processes = 100).run();
        assert_eq!(ran.outcome.limits, [limit], "{} {}", ran.out, ran.err);
    }
    Ok(())
}

/// Files do not count as memory, and may be larger than the memory limit.
fn large_files_are_not_memory() -> Outcome {
    let script =
        "head -c 600000000 /dev/zero > /tmp/a && cp /tmp/a /home/user/b && stat -c %s /home/user/b";
    let ran = Bench::script(script)
        .limits(|l| {
            l.memory = 100 << 20;
            l.disk = 2 << 30;
        })
        .run();
    assert_eq!(ran.out, "600000000\n", "{:?} {}", ran.outcome, ran.err);
    assert_eq!(ran.outcome.limits, []);
    Ok(())
}

fn nothing_of_the_disk_remains() -> Outcome {
    let devices = || {
        std::fs::read_dir("/sys/block").map(|all| {
            let loops = all
                .flatten()
                .filter(|dir| dir.path().join("loop/backing_file").exists());
            loops.count()
        })
    };
    let before = devices()?;
    let ran =
        Bench::script("echo > /tmp/x; ls -A / | tr '\\n' ' '; cut -d' ' -f5 /proc/self/mountinfo")
            .run();
    assert!(!ran.out.contains("pool"), "{}", ran.out);
    // The kernel lets go of a device some time after the last process.
    for _ in 0..100 {
        if devices()? <= before {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err("a loop device remains".into())
}

fn a_gigabyte_of_output_is_cut() -> Outcome {
    let bench =
        Bench::script("head -c 1000000000 /dev/zero; echo end >&2").limits(|l| l.output = 1000);
    let ran = bench.run();
    assert_eq!(ran.out.len(), 1000);
    assert_eq!(ran.err, "end\n");
    assert_eq!(ran.outcome.exit, Exit::Code(0));
    assert_eq!(ran.outcome.limits, [LimitHit::Output]);
    Ok(())
}

fn cpu_time_of_the_tree_is_limited() -> Outcome {
    let bench = Bench::script("(while :; do :; done) & (while :; do :; done) & wait")
        .limits(|l| l.cpu = Some(Duration::from_millis(500)));
    let ran = bench.run();
    assert_eq!(ran.outcome.limits, [LimitHit::Cpu]);
    assert!(ran.outcome.cpu_s >= Some(0.5));
    Ok(())
}

fn a_giant_file_is_refused() -> Outcome {
    let bench =
        Bench::script("exec head -c 3000000 /dev/zero > big").limits(|l| l.file_size = 1 << 20);
    let ran = bench.run();
    assert_eq!(ran.outcome.exit, Exit::Signal(libc_signal("XFSZ")));
    assert_eq!(bench.collected()[0].2, format!("{} bytes", 1 << 20));
    Ok(())
}

fn a_killer_ends_it_from_another_thread() -> Outcome {
    let bench = Bench::script("echo kept > note; sleep 600");
    let running = crate::runtime().start(&bench.spec)?;
    let killer = running.killer();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        killer.kill();
    });
    let outcome = running.wait()?;
    thread.join().unwrap();
    assert_eq!(outcome.exit, Exit::Signal(libc_signal("KILL")));
    assert_eq!(outcome.limits, []);
    assert_eq!(
        bench.collected()[0].2,
        "kept\n",
        "a killed command's volume is collected, too"
    );
    Ok(())
}

fn dropping_it_kills_everything() -> Outcome {
    let bench = Bench::script("sleep 600 & sleep 600");
    let running = crate::runtime().start(&bench.spec)?;
    drop(running);
    assert!(!bench.tar().exists());
    assert!(!bench.dir.path().join("workspace.tar.partial").exists());
    Ok(())
}

fn the_supervisor_keeps_its_own_limits() -> Outcome {
    // The same user may change limits of a process, whatever else is closed about it.
    let bench = Bench::script(
        "python3 - <<'E'\nimport os, resource\n\
         resource.prlimit(os.getpid(), resource.RLIMIT_NOFILE, (100, 100))\n\
         for do in (lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0)),\n    \
         lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),\n    \
         lambda: os.sched_setaffinity(1, {0})):\n    \
         try: print(do())\n    except PermissionError: print('refused')\nE\nsleep 0.2",
    );
    let ran = bench.run();
    assert_eq!(ran.out, "refused\nrefused\nrefused\n", "{}", ran.err);
    Ok(())
}

fn it_stays_on_its_processors() -> Outcome {
    let mut bench = Bench::script(
        "python3 - <<'E'\nimport os\n\
         print(len(os.sched_getaffinity(0)))\n\
         try: os.sched_setaffinity(0, range(os.cpu_count()))\n\
         except PermissionError: print('refused')\n\
         print(len(os.sched_getaffinity(0)))\nE",
    );
    bench.spec.limits.processors = Some(1);
    let ran = bench.run();
    assert_eq!(ran.out, "1\nrefused\n1\n", "{}", ran.err);
    bench.spec.limits.processors = Some(100_000);
    let (ran, all) = (bench.run(), std::thread::available_parallelism()?);
    assert!(ran.out.starts_with(&format!("{all}\n")), "{}", ran.out);
    Ok(())
}

fn rights_are_gone() -> Outcome {
    let bench = Bench::script(
        "grep -E 'Cap|NoNewPrivs|Seccomp:' /proc/self/status | tr -s '\\t\\n' '  '; echo; \
         unshare -U true 2>/dev/null || echo no-unshare; \
         mount -t tmpfs none /tmp 2>/dev/null || echo no-mount; \
         chroot / true 2>/dev/null || echo no-chroot; \
         python3 -c 'import socket; socket.socket(40, 1)' 2>/dev/null || echo no-vsock; \
         python3 -c 'import threading; t = threading.Thread(target=print, args=(\"thread\",)); t.start(); t.join()'; \
         ls /proc/self/fd | wc -l; cat /proc/sys/kernel/random/boot_id > /dev/null && echo proc",
    );
    let ran = bench.run();
    let none = "0000000000000000";
    let caps =
        format!("CapInh: {none} CapPrm: {none} CapEff: {none} CapBnd: {none} CapAmb: {none}");
    assert!(ran.out.starts_with(&caps), "{}", ran.out);
    assert!(ran.out.contains("NoNewPrivs: 1 Seccomp: 2"), "{}", ran.out);
    let rest: Vec<&str> = ran.out.lines().skip(1).collect();
    // `ls` itself has the folder open.
    let expected = [
        "no-unshare",
        "no-mount",
        "no-chroot",
        "no-vsock",
        "thread",
        "4",
        "proc",
    ];
    assert_eq!(rest, expected, "{}", ran.err);
    Ok(())
}
