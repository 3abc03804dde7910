//! A wall clock that a test can step: a library that is loaded before the C library, built here.

use std::path::{Path, PathBuf};
use std::process::Command;

const SHIM: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long steps(void) {
    const char *path = getenv("SLOPE_TEST_CLOCK");
    char text[32] = {0};
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    return got > 0 ? atoll(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += steps();
    return result;
}
"#;

/// The clock of the processes that are started with [`Clock::environment`].
pub(crate) struct Clock {
    library: PathBuf,
    offset: PathBuf,
}

impl Clock {
    /// Builds it below `dir`; it shows the true time at first.
    pub(crate) fn new(dir: &Path) -> Self {
        let source = dir.join("clock.c");
        std::fs::write(&source, SHIM).expect("written");
        let library = dir.join("clock.so");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-O1", "-o"]);
        let built = cc.arg(&library).arg(&source).status();
        assert!(built.is_ok_and(|status| status.success()), "cc builds it");
        let clock = Self {
            library,
            offset: dir.join("clock.offset"),
        };
        clock.step(0);
        clock
    }

    /// Lets it differ from the true time by `seconds` from now on.
    pub(crate) fn step(&self, seconds: i64) {
        let part = self.offset.with_extension("part");
        std::fs::write(&part, seconds.to_string()).expect("written");
        std::fs::rename(&part, &self.offset).expect("renamed");
    }

    /// What a process needs to see it.
    pub(crate) fn environment(&self) -> [(&'static str, &Path); 2] {
        [
            ("LD_PRELOAD", &self.library),
            ("SLOPE_TEST_CLOCK", &self.offset),
        ]
    }
}
