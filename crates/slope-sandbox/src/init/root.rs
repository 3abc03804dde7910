//! The sandbox's file system.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

use super::inner::LiveVolume;
use super::outer::VolumeFiles;
use super::pool::Pool;
use super::{etc, setup};
use crate::defaults::{DEFAULTS, SHARED_MEMORY};
use crate::enclosure::Config;
use crate::mounts::{self, Kind};
use crate::space::Space;
use crate::spec::{Enclosure, Spec, Volume};
use crate::{Error, archive, probe};

/// Parts of the host's system that programs need; links stay links.
const SYSTEM: &[&str] = &["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"];
/// Device files.
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty"];
/// Room for the root itself: mount points and `/etc`.
const ROOT_SIZE: u64 = 16 << 20;

/// A part of the host's system, ready to be attached.
enum Part {
    Link(PathBuf),
    Tree(OwnedFd, Kind),
}

/// All files and folders from the host, opened with the host user's rights.
pub(super) struct Sources {
    parts: Vec<(PathBuf, Part)>,
    devices: Vec<(&'static str, OwnedFd)>,
    binds: Vec<(PathBuf, OwnedFd, Kind)>,
    launcher: Option<File>,
}

impl Sources {
    pub(super) fn open(spec: &Spec) -> Result<Self, Error> {
        let mut parts = Vec::new();
        let system = SYSTEM.iter().map(PathBuf::from);
        let shared = etc::FROM_HOST
            .iter()
            .map(|name| Path::new("etc").join(name));
        for name in system.chain(shared) {
            let path = Path::new("/").join(&name);
            let Ok(meta) = fs::symlink_metadata(&path) else {
                continue;
            };
            if meta.is_symlink() && stays_inside(&path) {
                parts.push((
                    name,
                    Part::Link(setup(path.display(), fs::read_link(&path))?),
                ));
            } else {
                let (fd, kind) = setup(path.display(), mounts::clone_tree(&path))?;
                parts.push((name, Part::Tree(fd, kind)));
            }
        }
        let device = |name: &&'static str| {
            let path = Path::new("/dev").join(name);
            setup(path.display(), mounts::clone_tree(&path)).map(|(fd, _)| (*name, fd))
        };
        let bind = |bind: &crate::spec::Bind| match mounts::clone_tree(&bind.source) {
            Ok((fd, kind)) => Ok((bind.target.clone(), fd, kind)),
            Err(source) => Err(Error::HostFile {
                path: bind.source.clone(),
                action: "bind",
                source,
            }),
        };
        let launcher = spec
            .enclosure
            .as_ref()
            .map(|_| File::open("/proc/self/exe"));
        Ok(Self {
            parts,
            devices: DEVICES.iter().map(device).collect::<Result<_, _>>()?,
            binds: spec.binds.iter().map(bind).collect::<Result<_, _>>()?,
            launcher: setup("the running binary", launcher.transpose())?,
        })
    }
}

/// Whether a link of the host's system leads to a path that the sandbox has too.
fn stays_inside(link: &Path) -> bool {
    fs::canonicalize(link).is_ok_and(|real| real.starts_with("/usr"))
}

/// A finished root.
pub(super) struct Built {
    pub(super) volumes: Vec<LiveVolume>,
    /// The writable folders.
    pub(super) space: Space,
    /// Entries of the volumes' tar files that were left out.
    pub(super) left_out: Vec<String>,
}

/// Builds the root, fills the volumes, and moves in. `disk` is a file system for large places.
pub(super) fn build(
    spec: &Spec,
    sources: Sources,
    files: &mut [VolumeFiles],
    disk: Option<OwnedFd>,
) -> Result<Built, Error> {
    let base = base();
    let root = setup("the root", mounts::tmpfs(ROOT_SIZE, 0o755))?;
    let over = setup("the root", File::open(base))?;
    setup("the root", mounts::attach(root.as_fd(), over.as_fd()))?;
    setup("the system", system(base, root.as_fd(), sources.parts))?;
    proc(root.as_fd())?;
    let shared = setup("/dev", devices(base, root.as_fd(), sources.devices))?;
    let trees = trees(spec, sources.binds);
    let mut pool = setup("space for files", Pool::open(root.as_fd(), disk))?;
    let (volumes, left_out) = attach_trees(root.as_fd(), spec, trees, files, &mut pool)?;
    let mut space = setup("space for files", pool.close(base))?;
    space.share(shared);
    if let (Some(enclosure), Some(binary)) = (&spec.enclosure, sources.launcher) {
        let what = format!("the launcher {}", enclosure.launcher.display());
        setup(what, launcher(root.as_fd(), enclosure, binary))?;
    }
    setup("moving into the root", move_in(base))?;
    setup("sealing the root", mounts::seal(root.as_fd()))?;
    Ok(Built {
        volumes,
        space,
        left_out,
    })
}

/// Folder in which the root is assembled; covered only in this mount namespace.
fn base() -> &'static Path {
    let tmp = Path::new("/tmp");
    if tmp.is_dir() { tmp } else { Path::new("/usr") }
}

fn system(base: &Path, root: BorrowedFd<'_>, parts: Vec<(PathBuf, Part)>) -> io::Result<()> {
    for dir in ["etc", "dev", "proc", "tmp", "home", "run", "var"] {
        fs::create_dir(base.join(dir))?;
    }
    symlink("/tmp", base.join("var/tmp"))?;
    symlink("/run", base.join("var/run"))?;
    symlink("/proc/mounts", base.join("etc/mtab"))?;
    for (name, part) in parts {
        match part {
            Part::Link(target) => symlink(target, base.join(&name))?,
            Part::Tree(fd, kind) => {
                mounts::attach_at(fd.as_fd(), root, &Path::new("/").join(&name), kind)?;
            }
        }
    }
    for (name, text) in etc::OWN {
        fs::write(base.join("etc").join(name), text)?;
    }
    Ok(())
}

/// A fresh `/proc` of the new process namespace.
fn proc(root: BorrowedFd<'_>) -> Result<(), Error> {
    let mounted = mounts::new_file_system("proc", &[], true)
        .and_then(|fd| mounts::attach_at(fd.as_fd(), root, Path::new("/proc"), Kind::Dir));
    mounted.map_err(|e| probe::explain_proc(&e))
}

/// Fills `/dev`. Returns the root of `/dev/shm`.
fn devices(
    base: &Path,
    root: BorrowedFd<'_>,
    devices: Vec<(&str, OwnedFd)>,
) -> io::Result<OwnedFd> {
    let dev = Path::new("/dev");
    for (name, fd) in devices {
        mounts::attach_at(fd.as_fd(), root, &dev.join(name), Kind::File)?;
    }
    let options = [
        ("newinstance", None),
        ("ptmxmode", Some("0666")),
        ("mode", Some("0620")),
    ]
    .map(|(key, value)| (key, value.map(str::to_owned)));
    let pts = mounts::new_file_system("devpts", &options, true)?;
    mounts::attach_at(pts.as_fd(), root, &dev.join("pts"), Kind::Dir)?;
    let shm = mounts::tmpfs(SHARED_MEMORY, 0o1777)?;
    mounts::attach_at(shm.as_fd(), root, &dev.join("shm"), Kind::Dir)?;
    let dev = base.join("dev");
    symlink("pts/ptmx", dev.join("ptmx"))?;
    symlink("/proc/self/fd", dev.join("fd"))?;
    for (i, name) in ["stdin", "stdout", "stderr"].iter().enumerate() {
        symlink(format!("/proc/self/fd/{i}"), dev.join(name))?;
    }
    mounts::root_of(shm.as_fd())
}

/// Something to attach at a path of the specification.
enum Tree {
    Bind(OwnedFd, Kind),
    /// By its place in the specification.
    Volume(usize),
    /// A default tree that the specification does not mention, with its mode.
    Default(u32),
}

/// All trees, outer ones first.
fn trees(spec: &Spec, binds: Vec<(PathBuf, OwnedFd, Kind)>) -> Vec<(PathBuf, Tree)> {
    let mut all: Vec<(PathBuf, Tree)> = binds
        .into_iter()
        .map(|(target, fd, kind)| (target, Tree::Bind(fd, kind)))
        .collect();
    let volumes = spec.volumes.iter().enumerate();
    all.extend(volumes.map(|(i, volume)| (volume.target.clone(), Tree::Volume(i))));
    for (default, mode) in DEFAULTS {
        if !all.iter().any(|(target, _)| target == Path::new(default)) {
            all.push((default.into(), Tree::Default(mode)));
        }
    }
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all
}

fn attach_trees(
    root: BorrowedFd<'_>,
    spec: &Spec,
    trees: Vec<(PathBuf, Tree)>,
    files: &mut [VolumeFiles],
    pool: &mut Pool,
) -> Result<(Vec<LiveVolume>, Vec<String>), Error> {
    let mut live: Vec<Option<LiveVolume>> = spec.volumes.iter().map(|_| None).collect();
    let mut notes = Vec::new();
    for (target, tree) in trees {
        let failed = |source: io::Error| Error::Step {
            step: format!("making a mount point at {}", target.display()),
            source,
        };
        match tree {
            Tree::Bind(fd, kind) => {
                mounts::attach_at(fd.as_fd(), root, &target, kind).map_err(failed)?;
            }
            Tree::Default(mode) => {
                let mount = setup(target.display(), pool.place(spec.limits.disk, mode))?;
                mounts::attach_at(mount.as_fd(), root, &target, Kind::Dir).map_err(failed)?;
            }
            Tree::Volume(i) => {
                let volume = &spec.volumes[i];
                let made = if volume.writable {
                    pool.place(volume.size, 0o755)
                } else {
                    mounts::tmpfs(volume.size, 0o755)
                };
                let mount = setup(target.display(), made)?;
                mounts::attach_at(mount.as_fd(), root, &target, Kind::Dir).map_err(failed)?;
                notes.extend(fill(volume, mount.as_fd(), files[i].fill.take())?);
                let root = setup(target.display(), mounts::root_of(mount.as_fd()))?;
                live[i] = Some(LiveVolume {
                    root,
                    size: volume.size,
                });
            }
        }
    }
    Ok((live.into_iter().flatten().collect(), notes))
}

fn fill(volume: &Volume, mount: BorrowedFd<'_>, tar: Option<File>) -> Result<Vec<String>, Error> {
    let target = volume.target.display();
    let root = setup(&target, mounts::root_of(mount))?;
    let notes = lay_down(volume, root.as_fd(), tar)?;
    if !volume.writable {
        setup(&target, mounts::seal(mount))?;
    }
    Ok(notes)
}

/// Unpacks a volume's tar file in its folder `root`.
pub(super) fn lay_down(
    volume: &Volume,
    root: BorrowedFd<'_>,
    tar: Option<File>,
) -> Result<Vec<String>, Error> {
    let target = volume.target.display();
    match tar {
        None => Ok(Vec::new()),
        Some(tar) => {
            let filled = archive::fill(root, io::BufReader::with_capacity(1 << 20, tar));
            filled.map_err(|source| {
                let limit = if source.kind() == io::ErrorKind::StorageFull {
                    format!(", whose limit is {} bytes", volume.size)
                } else {
                    String::new()
                };
                Error::Step {
                    step: format!("unpacking the tar file of {target}{limit}"),
                    source,
                }
            })
        }
    }
}

/// The launcher and its configuration in a folder of their own. A copy, because a bind would show the host's path.
fn launcher(root: BorrowedFd<'_>, enclosure: &Enclosure, mut binary: File) -> io::Result<()> {
    let (Some(folder), Some(name)) = (enclosure.launcher.parent(), enclosure.launcher.file_name())
    else {
        return Err(io::Error::other("not an absolute path of a file"));
    };
    if name != crate::enclosure::NAME {
        return Err(io::Error::other(format!(
            "must be called {}",
            crate::enclosure::NAME
        )));
    }
    let config = serde_json::to_vec(&Config::confined(enclosure))?;
    let size = binary.metadata()?.len() + config.len() as u64 + (1 << 20);
    let mount = mounts::tmpfs(size, 0o755)?;
    mounts::attach_at(mount.as_fd(), root, folder, Kind::Dir)?;
    let here = PathBuf::from(format!(
        "/proc/self/fd/{}",
        std::os::fd::AsRawFd::as_raw_fd(&mount)
    ));
    write_launcher(&here, &config, &mut binary)?;
    mounts::seal(mount.as_fd())
}

/// Writes the launcher and its configuration into the folder `here`.
pub(super) fn write_launcher(here: &Path, config: &[u8], binary: &mut File) -> io::Result<()> {
    let create = |name: &Path, mode: u32| {
        File::options()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(here.join(name))
    };
    io::copy(
        binary,
        &mut create(Path::new(crate::enclosure::NAME), 0o555)?,
    )?;
    create(Path::new(crate::enclosure::CONFIG), 0o444)?.write_all(config)
}

/// Makes `base` the root and detaches the old one.
fn move_in(base: &Path) -> io::Result<()> {
    std::env::set_current_dir(base)?;
    nix::unistd::pivot_root(".", ".")?;
    nix::mount::umount2(".", nix::mount::MntFlags::MNT_DETACH)?;
    std::env::set_current_dir("/")
}
