//! The first process of an unconfined command: it supervises, but hides nothing.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::net::TcpListener;
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::inner::outcome;
use super::outer::{Partial, VolumeFiles, open_volumes};
use super::{Job, setup};
use crate::enclosure::{CONFIG, Config};
use crate::outcome::Outcome;
use crate::procfs::Scope;
use crate::space::Space;
use crate::spec::{Command, Network, Spec};
use crate::supervise::{Watched, supervise};
use crate::wire::{self, Told};
use crate::{Error, archive};

/// A text and its replacement.
type Swap = (String, String);

pub(super) fn run(job: &Job<'_>) -> Result<(), Error> {
    let mut volumes = open_volumes(&job.spec)?;
    let folder = setup("a temporary folder", temporary_folder())?;
    let done = run_in(job, &folder, &mut volumes);
    let removed = setup("removing the temporary folder", remove(&folder));
    let mut collected = volumes.into_iter().filter_map(|v| v.collect);
    match done {
        Ok(outcome) => {
            collected.try_for_each(Partial::keep)?;
            removed?;
            setup(
                "reporting",
                wire::send(&job.control, &Told::Ended(outcome), None),
            )
        }
        Err(error) => {
            collected.for_each(Partial::discard);
            Err(error)
        }
    }
}

fn temporary_folder() -> io::Result<PathBuf> {
    let parent = fs::canonicalize(std::env::temp_dir())?;
    for attempt in 0..1000 {
        let path = parent.join(format!("sandbox-{}-{attempt}", std::process::id()));
        match fs::DirBuilder::new().mode(0o700).create(&path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path),
        }
    }
    Err(io::Error::other("no free name"))
}

fn run_in(job: &Job<'_>, folder: &Path, files: &mut [VolumeFiles]) -> Result<Outcome, Error> {
    setup(
        "becoming the reaper of orphans",
        rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1)).map_err(Into::into),
    )?;
    let (listeners, port) = setup("listening", listen(job.spec.network))?;
    let mut places = setup("the folders", folders(&job.spec, folder))?;
    places.extend(port);
    let mut left_out = Vec::new();
    for (volume, files) in job.spec.volumes.iter().zip(files.iter_mut()) {
        let root = setup("a volume", File::open(below(folder, &volume.target)))?;
        if let Some(tar) = files.fill.take() {
            let notes = archive::fill(root.as_fd(), io::BufReader::with_capacity(1 << 20, tar));
            left_out.extend(setup("laying down a volume", notes)?);
        }
    }
    let job = Job {
        spec: translated(&job.spec, &places),
        temporary: job.temporary.clone(),
        control: setup("control", job.control.try_clone())?,
        builtins: job.builtins,
        own_users: job.own_users,
    };
    setup("the launcher", launcher(&job.spec))?;
    let started = Instant::now();
    let child = job.start_command(Scope::Descendants, None)?;
    job.report_running(listeners)?;
    let watched = Watched {
        limits: &job.spec.limits,
        scope: Scope::Descendants,
        space: &Space::default(),
    };
    let ended = supervise(child, started, &job.control, watched);
    let ended = setup("supervising", ended)?;
    for (volume, files) in job.spec.volumes.iter().zip(files) {
        let Some(partial) = &files.collect else {
            continue;
        };
        let root = setup("a volume", File::open(&volume.target))?;
        let out = BufWriter::with_capacity(1 << 20, &partial.file);
        left_out.extend(setup(
            "collecting a volume",
            archive::collect(root.as_fd(), out, volume.size),
        )?);
    }
    Ok(outcome(ended, left_out))
}

/// Listeners on the requested ports if they are free, otherwise on any; and replacements for the
/// requested addresses.
fn listen(network: Network) -> io::Result<(Vec<TcpListener>, Vec<Swap>)> {
    let (mut listeners, mut swaps) = (Vec::new(), Vec::new());
    for port in network.ports() {
        let listener = TcpListener::bind(("127.0.0.1", port))
            .or_else(|_| TcpListener::bind(("127.0.0.1", 0)))?;
        let real = listener.local_addr()?.port();
        let swap = |host: &str| (format!("{host}:{port}"), format!("{host}:{real}"));
        swaps.extend([swap("127.0.0.1"), swap("localhost")]);
        listeners.push(listener);
    }
    Ok((listeners, swaps))
}

/// Place of a path below the temporary folder.
fn below(folder: &Path, target: &Path) -> PathBuf {
    folder.join(target.strip_prefix("/").unwrap_or(target))
}

/// Creates the folders, and lists the path replacements.
fn folders(spec: &Spec, folder: &Path) -> io::Result<Vec<Swap>> {
    let mut places = BTreeMap::new();
    let show = |path: &Path| path.to_string_lossy().into_owned();
    for default in ["/tmp", "/home/user"].map(Path::new) {
        places.insert(show(default), show(&below(folder, default)));
    }
    for volume in &spec.volumes {
        places.insert(show(&volume.target), show(&below(folder, &volume.target)));
    }
    for place in places.values() {
        fs::create_dir_all(place)?;
    }
    for bind in &spec.binds {
        places.insert(show(&bind.target), show(&bind.source));
    }
    if let Some(parent) = spec.enclosure.as_ref().and_then(|e| e.launcher.parent()) {
        let place = below(folder, parent);
        fs::create_dir_all(&place)?;
        places.insert(show(parent), show(&place));
    }
    let mut places: Vec<_> = places.into_iter().collect();
    // Inner folders before the ones around them.
    places.sort_by_key(|(target, _)| std::cmp::Reverse(target.len()));
    Ok(places)
}

/// The specification with real paths in place of those inside.
fn translated(spec: &Spec, places: &[Swap]) -> Spec {
    let mut spec = spec.clone();
    let swap = |text: &mut String| *text = replace(text, places);
    let swap_path = |path: &mut PathBuf| {
        *path = PathBuf::from(replace(&path.to_string_lossy(), places));
    };
    match &mut spec.command {
        Command::Exec(argv) => argv.iter_mut().for_each(swap),
        Command::Builtin { payload, .. } => swap(payload),
    }
    spec.env.values_mut().for_each(swap);
    swap_path(&mut spec.workdir);
    spec.volumes
        .iter_mut()
        .for_each(|v| swap_path(&mut v.target));
    if let Some(enclosure) = &mut spec.enclosure {
        swap_path(&mut enclosure.launcher);
        enclosure.env.values_mut().for_each(swap);
    }
    spec
}

/// Replaces complete paths. `/tmp` in `/var/tmp` or `/tmpfoo` is not changed.
fn replace(text: &str, places: &[Swap]) -> String {
    let word = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let before = out.chars().next_back();
        let free = before.is_none_or(|c| !word(c) && c != '/') || !first.eq(&'/');
        let fits = |(target, _): &&Swap| {
            rest.strip_prefix(target.as_str())
                .is_some_and(|after| !after.chars().next().is_some_and(word))
        };
        match places.iter().find(fits) {
            Some((target, place)) if free => {
                out.push_str(place);
                rest = &rest[target.len()..];
            }
            _ => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    out
}

/// Creates a link to the running binary at the launcher's path.
fn launcher(spec: &Spec) -> io::Result<()> {
    let Some(enclosure) = &spec.enclosure else {
        return Ok(());
    };
    symlink(fs::read_link("/proc/self/exe")?, &enclosure.launcher)?;
    let config = serde_json::to_vec(&Config::unconfined(enclosure))?;
    fs::write(enclosure.launcher.with_file_name(CONFIG), config)
}

/// Removes a tree, whatever its modes.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {}
        done => return done,
    }
    let mut open = vec![folder.to_owned()];
    while let Some(dir) = open.pop() {
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            }
        }
    }
    fs::remove_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_paths_only() {
        let places = [
            ("/home/user", "/x/h"),
            ("/tmp", "/x/t"),
            ("localhost:80", "localhost:99"),
        ]
        .map(|(a, b)| (a.to_owned(), b.to_owned()));
        for (text, expected) in [
            ("/tmp/a:/tmp", "/x/t/a:/x/t"),
            ("--dir=/home/user/b", "--dir=/x/h/b"),
            (
                "/var/tmp /tmpfoo /home/user2",
                "/var/tmp /tmpfoo /home/user2",
            ),
            (
                "http://localhost:80/v1 localhost:8080",
                "http://localhost:99/v1 localhost:8080",
            ),
        ] {
            assert_eq!(replace(text, &places), expected);
        }
    }
}
