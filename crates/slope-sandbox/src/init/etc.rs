//! Content of the sandbox's `/etc`.

/// Files that slope generates.
pub(crate) const OWN: &[(&str, &str)] = &[
    (
        "passwd",
        "root:x:0:0:root:/:/usr/sbin/nologin\n\
         user:x:1000:1000:user:/home/user:/bin/sh\n\
         nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
    ),
    ("group", "root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n"),
    ("hosts", "127.0.0.1 localhost sandbox\n::1 localhost\n"),
    ("hostname", "sandbox\n"),
    ("host.conf", "multi on\n"),
    (
        "nsswitch.conf",
        "passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n",
    ),
    ("resolv.conf", ""),
];

/// Entries copied from the host if they exist: needed to start programs, without facts about the
/// host.
pub(super) const FROM_HOST: &[&str] = &[
    "alternatives",
    "ca-certificates",
    "crypto-policies",
    "fonts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "magic",
    "mime.types",
    "os-release",
    "pki",
    "protocols",
    "python3",
    "services",
    "ssl",
    "terminfo",
];
