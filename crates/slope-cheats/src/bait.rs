//! Bait on the host for an attack to find, and detection of whether it was found.
//!
//! Detection does not need the attack's cooperation: connections wait in the queue of a socket,
//! files are compared, and processes are searched for the attack's name.

use std::collections::BTreeMap;
use std::fs;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::Error;

/// Marker in every hidden text; no attack contains it.
pub(crate) const MARK: &str = "SECRET-MARK-";
/// Files of the bait: name, content.
const FILES: [(&str, &str); 3] = [
    ("key", "SECRET-MARK-key"),
    ("host.txt", "SECRET-MARK-host"),
    (".env", "API_KEY=SECRET-MARK-env"),
];
/// Name of the socket among them.
const SOCKET: &str = "host.sock";

/// The bait of one attack.
#[derive(Debug)]
pub(crate) struct Bait {
    dir: tempfile::TempDir,
    tcp: Vec<TcpListener>,
    udp: UdpSocket,
    unix: Vec<UnixListener>,
    process: Child,
    /// Name that all leftovers of the attack contain.
    pub(crate) name: String,
    abstract_name: String,
}

impl Bait {
    /// Creates the bait.
    pub(crate) fn new() -> Result<Self, Error> {
        let place = std::env::temp_dir();
        let failed = |source| Error::io("cannot create bait in", &place)(source);
        let dir = tempfile::Builder::new()
            .prefix("slope-bait-")
            .tempdir()
            .map_err(failed)?;
        for (name, text) in FILES {
            fs::write(dir.path().join(name), text).map_err(failed)?;
        }
        let token = slope_gateway::random_token().map_err(failed)?;
        let name = format!("attack-{}", &token[..16]);
        let abstract_name = format!("bait-{}", &token[16..32]);
        let v4 = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        let port = v4.local_addr().map_err(failed)?.port();
        // A host without IPv6 has nothing to find there.
        let v6 = TcpListener::bind((Ipv6Addr::LOCALHOST, port)).ok();
        let tcp: Vec<TcpListener> = std::iter::once(v4).chain(v6).collect();
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        let address = SocketAddr::from_abstract_name(abstract_name.as_bytes()).map_err(failed)?;
        let unix = vec![
            UnixListener::bind_addr(&address).map_err(failed)?,
            UnixListener::bind(dir.path().join(SOCKET)).map_err(failed)?,
        ];
        for listener in &tcp {
            listener.set_nonblocking(true).map_err(failed)?;
        }
        for listener in &unix {
            listener.set_nonblocking(true).map_err(failed)?;
        }
        udp.set_nonblocking(true).map_err(failed)?;
        let process = Command::new("sleep")
            .arg("86400")
            .env("API_KEY", format!("{MARK}process"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        Ok(Self {
            dir,
            tcp,
            udp,
            unix,
            process,
            name,
            abstract_name,
        })
    }

    /// Variables for the attack: places of the bait, without contents.
    pub(crate) fn env(&self) -> BTreeMap<String, String> {
        let port = |address: std::io::Result<std::net::SocketAddr>| {
            address.map_or(0, |address| address.port()).to_string()
        };
        [
            ("BAIT_DIR", self.dir.path().display().to_string()),
            ("BAIT_TCP", port(self.tcp[0].local_addr())),
            ("BAIT_UDP", port(self.udp.local_addr())),
            ("BAIT_ABSTRACT", self.abstract_name.clone()),
            ("BAIT_PID", self.process.id().to_string()),
            ("ATTACK_NAME", self.name.clone()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into()
    }

    /// The bait as JSON, for a program without such an environment.
    pub(crate) fn json(&self) -> String {
        let port = self.tcp[0].local_addr().map_or(0, |address| address.port());
        serde_json::json!({
            "tcp": port,
            "abstract": self.abstract_name,
            "dir": self.dir.path(),
            "name": self.name,
        })
        .to_string()
    }

    /// Messages about touched bait, and traces of the attack on the host.
    pub(crate) fn harm(&mut self) -> Vec<String> {
        let mut harm = self.connections();
        harm.extend(self.files());
        if !matches!(self.process.try_wait(), Ok(None)) {
            harm.push("a process of the host was killed".to_owned());
        }
        harm.extend(left_files(&self.name));
        harm.extend(left_processes(&self.name));
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
        if mounts.contains(&self.name) || mounts.contains(&*self.dir.path().to_string_lossy()) {
            harm.push("a mount is left on the host".to_owned());
        }
        harm
    }

    fn connections(&self) -> Vec<String> {
        let tcp = self.tcp.iter().filter_map(|l| l.accept().ok());
        let unix = self.unix.iter().filter_map(|l| l.accept().ok());
        let udp = self.udp.recv_from(&mut [0; 16]).ok();
        tcp.map(|(_, from)| format!("a TCP service of the host was reached from {from}"))
            .chain(unix.map(|_| "a Unix socket of the host was reached".to_owned()))
            .chain(
                udp.map(|(_, from)| format!("a UDP service of the host was reached from {from}")),
            )
            .collect()
    }

    fn files(&self) -> Vec<String> {
        let path = self.dir.path();
        let changed = FILES.iter().filter(|(name, text)| {
            fs::read_to_string(path.join(name)).map_or(true, |found| found != **text)
        });
        let mut harm: Vec<String> = changed
            .map(|(name, _)| format!("the file {name} of the host was changed"))
            .collect();
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name != SOCKET && !FILES.iter().any(|(known, _)| *known == name) {
                harm.push(format!("the file {name} was created on the host"));
            }
        }
        harm
    }
}

impl Drop for Bait {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

fn end(process: &mut Child) {
    // It may have ended already, which is fine.
    let _ = process.kill();
    let _ = process.wait();
}

/// Messages about files with the name, in the folders where attacks write.
fn left_files(name: &str) -> Vec<String> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let fixed = [
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        "/run",
        "/opt",
        "/etc/cron.d",
        "/var/spool/cron/crontabs",
        "/usr/local/bin",
        "/usr/bin",
    ];
    let folders = fixed.into_iter().map(PathBuf::from).chain(home);
    folders
        .map(|folder| folder.join(name))
        .filter(|path| path.symlink_metadata().is_ok())
        .map(|path| format!("{} was left on the host", path.display()))
        .collect()
}

/// Messages about processes with the name in their command line or environment.
fn left_processes(name: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|entry| {
            ["cmdline", "environ"]
                .iter()
                .any(|file| file_contains(&entry.path().join(file), name))
        })
        .map(|entry| format!("process {} was left", entry.file_name().to_string_lossy()))
        .collect()
}

fn file_contains(path: &Path, text: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| contains(&bytes, text))
}

/// Whether `bytes` contain `text`.
pub(crate) fn contains(bytes: &[u8], text: &str) -> bool {
    memchr::memmem::find(bytes, text.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_the_bait_is_reported() {
        let mut bait = Bait::new().unwrap();
        assert_eq!(bait.harm(), [""; 0]);
        let env = bait.env();
        let dir = Path::new(&env["BAIT_DIR"]);
        let tcp: u16 = env["BAIT_TCP"].parse().unwrap();
        let _tcp = std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, tcp)).unwrap();
        let udp: u16 = env["BAIT_UDP"].parse().unwrap();
        let from = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        from.send_to(b"x", (Ipv4Addr::LOCALHOST, udp)).unwrap();
        let _unix = std::os::unix::net::UnixStream::connect(dir.join(SOCKET)).unwrap();
        fs::write(dir.join("key"), "other").unwrap();
        fs::write(dir.join("planted"), "").unwrap();
        let left = std::env::temp_dir().join(&bait.name);
        fs::write(&left, "").unwrap();
        let mut process = Command::new("sleep")
            .arg("600")
            .env("X", &bait.name)
            .spawn()
            .unwrap();
        let harm = bait.harm().join("\n");
        end(&mut process);
        fs::remove_file(&left).unwrap();
        let wanted = "TCP|UDP|Unix|key of the host was changed|planted was created|left on the host|was left";
        let missing: Vec<&str> = wanted.split('|').filter(|w| !harm.contains(w)).collect();
        assert!(missing.is_empty(), "{missing:?} are not in {harm}");
        end(&mut bait.process);
        let harm = bait.harm();
        assert!(
            harm.contains(&"a process of the host was killed".to_owned()),
            "{harm:?}"
        );
    }
}
