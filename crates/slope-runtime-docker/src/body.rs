//! Parts and rights of a container.

use std::collections::HashMap;

use bollard::models::{
    ContainerCreateBody, HostConfig, HostConfigCgroupnsModeEnum, HostConfigLogConfig, Mount,
    MountBindOptions, MountBindOptionsPropagationEnum, MountType, MountVolumeOptions,
    ResourcesUlimits,
};
use slope_sandbox::hosted::{self, INIT, SHARED_MEMORY, USER};
use slope_sandbox::{Spec, Volume};

use crate::engine::About;
use crate::image::is_layer;
use crate::runtime::Config;

/// Folder of a container's first process.
pub(crate) const SEAT: &str = "/run/init";
/// The first process's own memory, in addition to the command's memory and the volumes, in bytes.
const OWN_MEMORY: u64 = 128 << 20;
/// Maximum number of open files of one process.
const OPEN_FILES: i64 = 8192;

/// Processes of all sandboxes of an engine together, where it is podman.
const PODMAN_PROCESSES: i64 = 32_768;

/// Everything that a container's description is made of.
pub(crate) struct Wanted<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) config: &'a Config,
    pub(crate) about: &'a About,
    pub(crate) image: &'a str,
    /// Folder on the host of the first process.
    pub(crate) seat: &'a std::path::Path,
    /// Bytes of slope's binary.
    pub(crate) binary: u64,
    pub(crate) labels: HashMap<String, String>,
}

impl Wanted<'_> {
    pub(crate) fn body(&self) -> ContainerCreateBody {
        ContainerCreateBody {
            image: Some(self.image.to_owned()),
            hostname: Some("sandbox".to_owned()),
            user: Some(format!("{USER}:{USER}")),
            entrypoint: Some(vec![format!("{SEAT}/{INIT}")]),
            cmd: Some(Vec::new()),
            working_dir: Some("/".to_owned()),
            network_disabled: Some(true),
            attach_stdout: Some(false),
            attach_stderr: Some(false),
            labels: Some(self.labels.clone()),
            host_config: Some(self.host()),
            ..ContainerCreateBody::default()
        }
    }

    fn host(&self) -> HostConfig {
        let nests = self.spec.enclosure.is_some();
        let memory = signed(self.kill_limit());
        let mut host = HostConfig {
            network_mode: Some("none".to_owned()),
            readonly_rootfs: Some(true),
            privileged: Some(false),
            cap_drop: Some(vec!["ALL".to_owned()]),
            security_opt: Some(self.security(nests)),
            ipc_mode: Some("private".to_owned()),
            cgroupns_mode: Some(HostConfigCgroupnsModeEnum::PRIVATE),
            init: Some(false),
            auto_remove: Some(true),
            log_config: Some(HostConfigLogConfig {
                typ: Some("none".to_owned()),
                config: None,
            }),
            memory: Some(memory),
            // No additional swap.
            memory_swap: Some(memory),
            memory_reservation: self.config.memory_request.map(|r| signed(r).min(memory)),
            nano_cpus: self.config.cpus.map(nano),
            pids_limit: Some(signed(self.spec.limits.processes)),
            shm_size: Some(signed(SHARED_MEMORY)),
            oom_score_adj: Some(700),
            ulimits: Some(self.ulimits()),
            tmpfs: Some(self.tmpfs()),
            mounts: Some(self.mounts()),
            ..HostConfig::default()
        };
        if nests {
            // A fresh /proc can only be mounted if the existing one is not partly covered.
            host.masked_paths = Some(Vec::new());
            host.readonly_paths = Some(Vec::new());
        }
        host
    }

    fn ulimits(&self) -> Vec<ResourcesUlimits> {
        let mut all = vec![ulimit("nofile", OPEN_FILES), ulimit("core", 0)];
        if self.about.is_podman {
            // The default is a million, which not every machine allows. The control group's limit
            // applies; this one counts the processes of all sandboxes together.
            all.push(ulimit("nproc", PODMAN_PROCESSES));
        }
        all
    }

    /// Keeps the engine's own filters, except if the command creates nested sandboxes: then only
    /// slope's own filter applies, which allows exactly that.
    fn security(&self, nests: bool) -> Vec<String> {
        let mut options = vec!["no-new-privileges".to_owned()];
        if nests {
            options.push("seccomp=unconfined".to_owned());
            if self.about.has("apparmor") {
                options.push("apparmor=unconfined".to_owned());
            }
            if self.about.is_podman {
                // podman treats the empty lists of covered paths, which mean the same, as missing.
                options.push("unmask=ALL".to_owned());
            }
        }
        if self.about.has("selinux") {
            // The folder of the first process has the label of temporary files.
            options.push("label=disable".to_owned());
        }
        options
    }

    /// Volumes in memory, as the sandbox's user owns them: path and options.
    fn tmpfs(&self) -> HashMap<String, String> {
        let options = |size: u64, mode: u32| {
            // podman does not support a number of inodes (they count against the container's
            // memory), and has its own option for making the container's user the owner of the file
            // system.
            let own = if self.about.is_podman {
                "U".to_owned()
            } else {
                format!("nr_inodes={},uid={USER},gid={USER}", hosted::inodes(size))
            };
            format!("rw,exec,nosuid,nodev,size={size},mode={mode:o},{own}")
        };
        let mut all: HashMap<String, String> = hosted::default_volumes(self.spec)
            .into_iter()
            .map(|(path, size, mode)| (path.to_owned(), options(size, mode)))
            .collect();
        for volume in self.spec.volumes.iter().filter(|v| in_memory(v)) {
            let target = volume.target.to_string_lossy().into_owned();
            all.insert(target, options(volume.size.max(4096), 0o755));
        }
        if let Some(folder) = self
            .spec
            .enclosure
            .as_ref()
            .and_then(|e| e.launcher.parent())
        {
            all.insert(
                folder.to_string_lossy().into_owned(),
                options(self.launcher(), 0o755),
            );
        }
        all
    }

    /// Bytes of the launcher's folder.
    fn launcher(&self) -> u64 {
        self.binary + (2 << 20)
    }

    fn mounts(&self) -> Vec<Mount> {
        let bind = |source: &std::path::Path, target: String| Mount {
            typ: Some(MountType::BIND),
            source: Some(source.to_string_lossy().into_owned()),
            target: Some(target),
            read_only: Some(true),
            bind_options: Some(MountBindOptions {
                propagation: Some(MountBindOptionsPropagationEnum::RPRIVATE),
                ..MountBindOptions::default()
            }),
            ..Mount::default()
        };
        let binds = self.spec.binds.iter();
        let binds = binds.map(|b| bind(&b.source, b.target.to_string_lossy().into_owned()));
        let kept = self.spec.volumes.iter().filter(|v| is_private(v));
        let kept = kept.map(|volume| Mount {
            typ: Some(MountType::VOLUME),
            target: Some(volume.target.to_string_lossy().into_owned()),
            volume_options: Some(MountVolumeOptions {
                no_copy: Some(true),
                labels: Some(self.labels.clone()),
                ..MountVolumeOptions::default()
            }),
            ..Mount::default()
        });
        [bind(self.seat, SEAT.to_owned())]
            .into_iter()
            .chain(binds)
            .chain(kept)
            .collect()
    }

    /// Memory at which the kernel kills, in bytes. Volumes in memory count there, so it is above
    /// the limit of the specification, which the first process enforces as in the local runtime.
    pub(crate) fn kill_limit(&self) -> u64 {
        let volumes = self.spec.volumes.iter().filter(|v| in_memory(v));
        let defaults = hosted::default_volumes(self.spec);
        let room: u64 = volumes.map(|v| v.size).sum::<u64>()
            + defaults.iter().map(|(_, size, _)| size).sum::<u64>();
        let room = room.min(hosted::FREE_IN_MEMORY);
        let launcher = self.spec.enclosure.as_ref().map_or(0, |_| self.launcher());
        self.spec.limits.memory + room + SHARED_MEMORY + launcher + OWN_MEMORY
    }
}

/// Whether a volume is a memory file system.
fn in_memory(volume: &Volume) -> bool {
    volume.writable || volume.fill.is_none()
}

/// Whether a volume belongs to this container and is filled before it starts: neither written to
/// nor shared.
pub(crate) fn is_private(volume: &Volume) -> bool {
    !in_memory(volume) && !is_layer(volume)
}

fn ulimit(name: &str, value: i64) -> ResourcesUlimits {
    ResourcesUlimits {
        name: Some(name.to_owned()),
        soft: Some(value),
        hard: Some(value),
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Processors in the engine's unit.
#[expect(
    clippy::cast_possible_truncation,
    reason = "processors are few; a cast saturates"
)]
fn nano(cpus: f64) -> i64 {
    (cpus * 1e9) as i64
}
