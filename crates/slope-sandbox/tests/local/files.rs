//! What a command sees of the file system, and what of its own files comes back.

use tar::EntryType;

use crate::bench::{Bench, raw_entry};
use crate::{Outcome, Test};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_command_sees_only_the_sandbox",
        a_command_sees_only_the_sandbox,
    ),
    ("no_host_path_shows_anywhere", no_host_path_shows_anywhere),
    (
        "a_hostile_workspace_is_collected",
        a_hostile_workspace_is_collected,
    ),
    (
        "a_hostile_tar_file_stays_inside",
        a_hostile_tar_file_stays_inside,
    ),
    (
        "collecting_and_filling_round_trips",
        collecting_and_filling_round_trips,
    ),
    (
        "deep_nesting_and_sparse_giants_are_bounded",
        deep_nesting_and_sparse_giants_are_bounded,
    ),
    (
        "a_read_only_volume_stays_as_it_is",
        a_read_only_volume_stays_as_it_is,
    ),
    ("two_volumes_may_be_nested", two_volumes_may_be_nested),
];

fn a_command_sees_only_the_sandbox() -> Outcome {
    let bench = Bench::script(
        "id -u; id -un; hostname; pwd; echo $HOME; ls /; ls /home; ls /proc | grep -c '^[0-9]'; \
         touch /usr/x /etc/x /x /dev/x 2>/dev/null || echo sealed; touch ~user/ok /tmp/ok && echo writable",
    );
    let ran = bench.run();
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[..5],
        [crate::USER, "user", "sandbox", "/workspace", ""],
        "{}{}",
        ran.out,
        ran.err
    );
    for host_only in crate::HOST_ONLY {
        assert!(!lines.contains(host_only), "{}", ran.out);
    }
    assert!(
        lines.contains(&"sealed") && lines.contains(&"writable"),
        "{}",
        ran.out
    );
    Ok(())
}

fn no_host_path_shows_anywhere() -> Outcome {
    let marker = "hostpathmarker";
    let bench = Bench::script(
        "cat /proc/self/mountinfo /proc/mounts; env; set; \
         for p in /proc/[0-9]*; do \
           for f in cmdline environ comm status maps mountinfo cgroup; do cat $p/$f; done; \
           readlink $p/exe $p/cwd $p/root; ls -l $p/fd; \
         done 2>/dev/null; cat /proc/keys; find / -xdev -name '*marker*' 2>/dev/null; true",
    )
    .fill(|tar| raw_entry(tar, EntryType::Regular, "a", "", 0o644, "x"));
    let ran = bench.run();
    let binary = std::env::current_exe().unwrap();
    let binary = binary.file_name().unwrap().to_str().unwrap();
    assert!(
        ran.out.contains("/workspace"),
        "the script must have worked: {}",
        ran.err
    );
    // The script itself names the second half, so the whole marker is what counts.
    for secret in [marker, binary, "target/debug"] {
        assert!(!ran.out.contains(secret), "{secret} shows in {}", ran.out);
    }
    Ok(())
}

fn a_hostile_workspace_is_collected() -> Outcome {
    let bench = Bench::script(
        "echo secret > closed; chmod 000 closed; mkdir dark; echo d > dark/in; chmod 000 dark; \
         ln -s /etc/passwd out; ln -s ../../.. up; ln -s ./odd odd; echo one > h1; ln h1 h2; \
         mkfifo pipe; mkdir empty; echo x > run; chmod 4777 run; \
         python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"sock\")'; \
         touch \"$(printf 'new\\nline')\"",
    );
    let ran = bench.run();
    let plain = |path: &str, kind: &str, content: &str| {
        (path.to_owned(), kind.to_owned(), content.to_owned())
    };
    let expected = [
        plain("closed", "Regular 644", "secret\n"),
        plain("dark/", "Directory 755", ""),
        plain("dark/in", "Regular 644", "d\n"),
        plain("empty/", "Directory 755", ""),
        plain("h1", "Regular 644", "one\n"),
        plain("h2", "Regular 644", "one\n"),
        plain("new\nline", "Regular 644", ""),
        plain("odd", "Symlink 777", "./odd"),
        plain("out", "Symlink 777", "/etc/passwd"),
        plain("run", "Regular 755", "x\n"),
        plain("up", "Symlink 777", "../../.."),
    ];
    assert_eq!(bench.collected(), expected, "{}", ran.err);
    assert_eq!(ran.outcome.left_out, ["pipe: fifo", "sock: socket"]);
    let first = std::fs::read(bench.tar()).unwrap();
    bench.run();
    assert_eq!(
        first,
        std::fs::read(bench.tar()).unwrap(),
        "same tree, same bytes"
    );
    Ok(())
}

fn a_hostile_tar_file_stays_inside() -> Outcome {
    let bench = Bench::script("find . | sort; cat good; test ! -e /tmp/escaped && echo contained")
        .fill(|tar| {
            raw_entry(tar, EntryType::Regular, "../escaped", "", 0o644, "x");
            raw_entry(tar, EntryType::Regular, "/tmp/escaped", "", 0o644, "x");
            raw_entry(tar, EntryType::Symlink, "link", "/tmp", 0o777, "");
            raw_entry(tar, EntryType::Regular, "link/escaped", "", 0o644, "x");
            raw_entry(tar, EntryType::Symlink, "up", "..", 0o777, "");
            raw_entry(tar, EntryType::Regular, "up/tmp/escaped", "", 0o644, "x");
            raw_entry(tar, EntryType::Link, "hard", "/etc/passwd", 0o644, "");
            raw_entry(tar, EntryType::Block, "disk", "", 0o666, "");
            raw_entry(tar, EntryType::Fifo, "fifo", "", 0o666, "");
            raw_entry(tar, EntryType::Regular, "./a//b/./c", "", 0o6777, "deep");
            raw_entry(tar, EntryType::Regular, "good", "", 0o644, "old\n");
            raw_entry(tar, EntryType::Regular, "good", "", 0o644, "new\n");
            raw_entry(tar, EntryType::Directory, "good", "", 0o755, "");
        });
    let ran = bench.run();
    assert_eq!(
        ran.out, ".\n./a\n./a/b\n./a/b/c\n./good\n./link\n./up\nnew\ncontained\n",
        "{}",
        ran.err
    );
    assert_eq!(ran.outcome.left_out.len(), 7, "{:?}", ran.outcome.left_out);
    assert!(!std::path::Path::new("/tmp/escaped").exists());
    let c = bench
        .collected()
        .into_iter()
        .find(|(path, ..)| path == "a/b/c")
        .unwrap();
    assert_eq!(c.1, "Regular 755");
    Ok(())
}

fn collecting_and_filling_round_trips() -> Outcome {
    let long = "n".repeat(180);
    let script = format!(
        "mkdir -p a/{long}/b; echo deep > a/{long}/b/file; ln -s {long}/{long} a/far; \
         printf '#!/bin/sh\\necho ran' > tool; chmod +x tool; head -c 3000000 /dev/zero > big"
    );
    let first = Bench::script(&script);
    first.run();
    let packed = std::fs::read(first.tar()).unwrap();
    let mut second = Bench::script("./tool");
    second.spec.volumes[0].fill = Some(first.tar());
    assert_eq!(second.run().out, "ran\n");
    assert_eq!(packed, std::fs::read(second.tar()).unwrap());
    Ok(())
}

fn deep_nesting_and_sparse_giants_are_bounded() -> Outcome {
    let bench = Bench::script(
        "truncate -s 1G sparse; for i in 1 2 3 4 5; do truncate -s 30M half$i; done; \
         python3 -c \"import os\nfor _ in range(9000): os.mkdir('d' * 40); os.chdir('d' * 40)\"",
    )
    .limits(|l| l.file_size = 4 << 30);
    let ran = bench.run();
    assert_eq!(ran.outcome.left_out.len(), 5, "{:?}", ran.outcome.left_out);
    let size = std::fs::metadata(bench.tar()).unwrap().len();
    assert!(size < 80 << 20, "{size}");
    Ok(())
}

fn a_read_only_volume_stays_as_it_is() -> Outcome {
    let mut bench = Bench::script("cat a; echo x > a || echo sealed")
        .fill(|tar| raw_entry(tar, EntryType::Regular, "a", "", 0o666, "old\n"));
    bench.spec.volumes[0].writable = false;
    assert_eq!(bench.run().out, "old\nsealed\n");
    assert_eq!(bench.collected()[0].2, "old\n");
    Ok(())
}

fn two_volumes_may_be_nested() -> Outcome {
    let mut bench = Bench::script("echo in > inner/file; echo out > file");
    let mut inner = bench.spec.volumes[0].clone();
    inner.target = "/workspace/inner".into();
    inner.collect = Some(bench.dir.path().join("inner.tar"));
    bench.spec.volumes.push(inner);
    bench.run();
    assert_eq!(
        bench
            .collected()
            .iter()
            .map(|e| e.0.as_str())
            .collect::<Vec<_>>(),
        ["file"]
    );
    assert!(
        std::fs::metadata(bench.dir.path().join("inner.tar"))
            .unwrap()
            .len()
            > 1024
    );
    Ok(())
}
