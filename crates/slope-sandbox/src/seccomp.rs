//! System call filters.
//!
//! The namespaces isolate; the filters also close the riskier parts of the kernel: mounting, keys,
//! tracing facilities, module loading, asynchronous rings, sockets of families that ignore network
//! namespaces.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};

/// Strictness of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filter {
    /// Programs and agents.
    Strict,
    /// The grader's runner, whose launcher creates nested namespaces and mounts.
    MayNest,
    /// Workers of a server, which start no program and use no network.
    Worker,
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Never allowed.
const DENIED: &[libc::c_long] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_bpf,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_name_to_handle_at,
    libc::SYS_nfsservctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_perf_event_open,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setns,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
];

/// Denied unless nested sandboxes are made.
const DENIED_NESTING: &[libc::c_long] = &[
    libc::SYS_chroot,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_pivot_root,
    libc::SYS_umount2,
    libc::SYS_unshare,
];

/// Calls answered as if the kernel lacked them, so that programs use their fall-backs.
const ABSENT: &[libc::c_long] = &[
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Denied to workers.
const DENIED_WORKING: &[libc::c_long] = &[
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_kill,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_process_madvise,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_socket,
    libc::SYS_tkill,
];

/// Calls that act on the process which is their first argument. A worker may only name itself.
const OF_ANY_PROCESS: &[libc::c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_tgkill,
];

/// Socket families that network namespaces contain.
const FAMILIES: &[libc::c_int] = &[
    libc::AF_UNSPEC,
    libc::AF_UNIX,
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
];

/// Calls that change limits and scheduling of another process of the same user, which is their
/// first argument. Nothing else protects the supervisor, process 1, from them.
const OF_ANOTHER: &[libc::c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
];

/// Flags of `clone` that make namespaces.
const NAMESPACES: &[libc::c_int] = &[
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Installs the filter for this thread and everything it starts. Who is `pinned` may not choose other
/// processors. Needs `no_new_privs`.
pub(crate) fn install(filter: Filter, pinned: bool) -> io::Result<()> {
    for program in programs(filter, pinned).map_err(io::Error::other)? {
        seccompiler::apply_filter(&program).map_err(io::Error::other)?;
    }
    Ok(())
}

fn programs(filter: Filter, pinned: bool) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let mut denied: Rules = DENIED.iter().map(|nr| (*nr, Vec::new())).collect();
    let mut absent: Rules = ABSENT.iter().map(|nr| (*nr, Vec::new())).collect();
    // Typing into the terminal from which slope was started.
    let tiocsti = condition(1, SeccompCmpOp::Eq, libc::TIOCSTI)?;
    let tioclinux = condition(1, SeccompCmpOp::Eq, libc::TIOCLINUX)?;
    denied.insert(
        libc::SYS_ioctl,
        vec![
            SeccompRule::new(vec![tiocsti])?,
            SeccompRule::new(vec![tioclinux])?,
        ],
    );
    let families = FAMILIES
        .iter()
        .map(|family| condition(0, SeccompCmpOp::Ne, *family as u64))
        .collect::<Result<Vec<_>, _>>()?;
    denied.insert(libc::SYS_socket, vec![SeccompRule::new(families)?]);
    for call in OF_ANOTHER {
        let supervisor = condition(0, SeccompCmpOp::Eq, 1)?;
        denied.insert(*call, vec![SeccompRule::new(vec![supervisor])?]);
    }
    if pinned {
        denied.insert(libc::SYS_sched_setaffinity, Vec::new());
    }
    if filter == Filter::Worker {
        denied.extend(DENIED_WORKING.iter().map(|nr| (*nr, Vec::new())));
        let own = u64::from(std::process::id());
        for call in OF_ANY_PROCESS {
            let another = vec![
                condition(0, SeccompCmpOp::Ne, 0)?,
                condition(0, SeccompCmpOp::Ne, own)?,
            ];
            denied.insert(*call, vec![SeccompRule::new(another)?]);
        }
    }
    if filter != Filter::MayNest {
        denied.extend(DENIED_NESTING.iter().map(|nr| (*nr, Vec::new())));
        let clone = NAMESPACES
            .iter()
            .map(|flag| {
                let flag = *flag as u64;
                SeccompRule::new(vec![condition(0, SeccompCmpOp::MaskedEq(flag), flag)?])
            })
            .collect::<Result<Vec<_>, _>>()?;
        denied.insert(libc::SYS_clone, clone);
        // Its flags are in memory, which a filter cannot read. C libraries fall back to clone.
        absent.insert(libc::SYS_clone3, Vec::new());
    }
    Ok(vec![
        compile(denied, libc::EPERM)?,
        compile(absent, libc::ENOSYS)?,
    ])
}

fn condition(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

fn compile(rules: Rules, errno: i32) -> Result<BpfProgram, seccompiler::BackendError> {
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(errno.unsigned_abs()),
        std::env::consts::ARCH.try_into()?,
    )?;
    let mut program = no_x32();
    program.extend(BpfProgram::try_from(filter)?);
    Ok(program)
}

/// On x86-64 the same calls have second numbers (the x32 interface), which the rules do not know.
fn no_x32() -> BpfProgram {
    if cfg!(not(target_arch = "x86_64")) {
        return Vec::new();
    }
    const X32_BIT: u32 = 0x4000_0000;
    let load_number = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    let jump_if_set = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
    let answer = (libc::BPF_RET | libc::BPF_K) as u16;
    vec![
        sock_filter {
            code: load_number,
            jt: 0,
            jf: 0,
            k: 0,
        },
        sock_filter {
            code: jump_if_set,
            jt: 0,
            jf: 1,
            k: X32_BIT,
        },
        sock_filter {
            code: answer,
            jt: 0,
            jf: 0,
            k: libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32,
        },
    ]
}
