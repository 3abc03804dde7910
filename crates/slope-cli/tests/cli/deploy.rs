//! Files for running a server as a service.

use std::path::Path;
use std::process::Command;

use crate::common::stderr;

#[test]
fn systemd_accepts_the_unit() {
    if Command::new("systemd-analyze")
        .arg("--version")
        .output()
        .is_err()
    {
        println!("skipped: systemd is not installed");
        return;
    }
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/slope.service");
    let text = std::fs::read_to_string(shipped).unwrap();
    let path = "/usr/local/bin/slope";
    assert!(text.contains(path), "{text}");
    let dir = tempfile::tempdir().unwrap();
    let unit = dir.path().join("slope.service");
    std::fs::write(&unit, text.replace(path, env!("CARGO_BIN_EXE_slope"))).unwrap();
    let verified = Command::new("systemd-analyze")
        .arg("verify")
        .arg(&unit)
        .output()
        .unwrap();
    assert!(verified.status.success(), "{}", stderr(&verified));
    assert!(
        !stderr(&verified).contains("slope.service"),
        "{}",
        stderr(&verified)
    );
}
