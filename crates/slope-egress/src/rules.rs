//! Hosts and addresses that may be reached.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Default port of an entry.
const HTTPS: u16 = 443;

/// Invalid entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// Not a host with a port.
    #[error(
        "invalid host {0:?}\nhelp: write it as `pypi.org`, `*.example.org` or `example.org:8443`"
    )]
    Host(String),
    /// Not an address with a port.
    #[error("invalid address {0:?}\nhelp: write the address and its port, as in `10.1.2.3:8081`")]
    Address(String),
    /// An address that no environment may open.
    #[error("cannot allow the address {0:?}: it is link-local, where clouds serve their metadata")]
    LinkLocal(String),
}

/// Hosts and addresses that may be reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    hosts: Vec<Host>,
    private: Vec<SocketAddr>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Host {
    /// Name in lower case, without `*.`.
    name: String,
    /// Whether the names below it are meant, and not itself.
    below: bool,
    port: u16,
}

impl Rules {
    /// Parses entries. `allow` are names, with `*.` for all subdomains, each with port 443 by
    /// default. `private` are non-public addresses with a port that may nevertheless be reached, by
    /// a listed name or directly.
    ///
    /// # Errors
    /// Returns the first invalid entry.
    pub fn parse(allow: &[String], private: &[String]) -> Result<Self, RuleError> {
        Ok(Self {
            hosts: allow
                .iter()
                .map(|text| host(text))
                .collect::<Result<_, _>>()?,
            private: private
                .iter()
                .map(|text| address(text))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Whether a client may request this host and port.
    #[must_use]
    pub fn lists(&self, host: &str, port: u16) -> bool {
        if let Some(ip) = literal(host) {
            return self.private.contains(&SocketAddr::new(ip, port));
        }
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        self.hosts.iter().any(|rule| {
            let named = if rule.below {
                host.strip_suffix(&rule.name)
                    .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            } else {
                host == rule.name
            };
            named && rule.port == port
        })
    }

    /// Whether connections to this address are allowed, whatever name led there.
    #[must_use]
    pub fn reaches(&self, address: SocketAddr) -> bool {
        is_public(address.ip()) || self.private.contains(&address)
    }
}

/// The address that a host is written as, if it is.
fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[')
        .trim_end_matches(']')
        .parse()
        .ok()
}

fn host(text: &str) -> Result<Host, RuleError> {
    let wrong = || RuleError::Host(text.to_owned());
    let (name, port) = match text.split_once(':') {
        Some((name, port)) => (
            name,
            port.parse().ok().filter(|p| *p != 0).ok_or_else(wrong)?,
        ),
        None => (text, HTTPS),
    };
    let (name, below) = match name.strip_prefix("*.") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let label = |part: &str| {
        !part.is_empty()
            && part.len() < 64
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    if !name.split('.').all(label) || literal(name).is_some() {
        return Err(wrong());
    }
    Ok(Host {
        name: name.to_ascii_lowercase(),
        below,
        port,
    })
}

fn address(text: &str) -> Result<SocketAddr, RuleError> {
    let address: SocketAddr = text
        .parse()
        .ok()
        .filter(|address: &SocketAddr| address.port() != 0)
        .ok_or_else(|| RuleError::Address(text.to_owned()))?;
    let link_local = match address.ip().to_canonical() {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    };
    if link_local {
        return Err(RuleError::LinkLocal(text.to_owned()));
    }
    Ok(address)
}

/// Whether an address is public: neither this machine nor a private network nor reserved (RFC 6890
/// and its registries).
fn is_public(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || ip.is_multicast();
    // This network, shared addresses of providers, protocol assignments, benchmarks, the rest.
    let kept = a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a, b, c) == (192, 0, 0)
        || (a, b, c) == (192, 88, 99)
        || (a == 198 && (18..20).contains(&b))
        || a >= 240;
    !special && !kept
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let parts = ip.segments();
    // Only these are given out; in them, tunnels that carry an address of the fourth version.
    let given_out = parts[0] & 0xe000 == 0x2000;
    let tunnel = parts[0] == 0x2002 || (parts[0] == 0x2001 && parts[1] < 0x200);
    let documentation = (parts[0] == 0x2001 && parts[1] == 0xdb8) || parts[0] == 0x3fff;
    given_out && !tunnel && !documentation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(allow: &[&str], private: &[&str]) -> Result<Rules, RuleError> {
        let owned = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        Rules::parse(&owned(allow), &owned(private))
    }

    #[test]
    fn host_rules_match_exactly_or_subdomains() {
        let rules = rules(&["pypi.org", "*.example.org:8443"], &["10.1.2.3:81"]).unwrap();
        for (host, port, listed) in [
            ("pypi.org", 443, true),
            ("PyPI.org.", 443, true),
            ("pypi.org", 80, false),
            ("evil-pypi.org", 443, false),
            ("pypi.org.evil.net", 443, false),
            ("a.pypi.org", 443, false),
            ("a.b.example.org", 8443, true),
            ("example.org", 8443, false),
            (".example.org", 8443, false),
            ("xexample.org", 8443, false),
            ("10.1.2.3", 81, true),
            ("10.1.2.3", 82, false),
            ("1.1.1.1", 443, false),
        ] {
            assert_eq!(rules.lists(host, port), listed, "{host}:{port}");
        }
    }

    #[test]
    fn only_public_or_listed_addresses_pass() {
        let rules = rules(&[], &["10.1.2.3:81", "127.0.0.1:3141"]).unwrap();
        for (address, reached) in [
            ("151.101.0.223:443", true),
            ("[2a04:4e42::223]:443", true),
            ("127.0.0.1:443", false),
            ("127.0.0.1:3141", true),
            ("10.1.2.3:81", true),
            ("10.1.2.3:443", false),
            ("169.254.169.254:80", false),
            ("100.100.100.200:80", false),
            ("172.17.0.1:443", false),
            ("192.168.1.1:443", false),
            ("0.0.0.0:443", false),
            ("198.18.0.1:443", false),
            ("224.0.0.1:443", false),
            ("255.255.255.255:443", false),
            ("[::1]:443", false),
            ("[::]:443", false),
            ("[::ffff:10.0.0.1]:443", false),
            ("[::ffff:169.254.169.254]:80", false),
            ("[fe80::1]:443", false),
            ("[fd00:ec2::254]:80", false),
            ("[64:ff9b::a00:1]:443", false),
            ("[2002:a00:1::]:443", false),
            ("[2001:db8::1]:443", false),
            ("[ff02::1]:443", false),
        ] {
            assert_eq!(
                rules.reaches(address.parse().unwrap()),
                reached,
                "{address}"
            );
        }
    }

    #[test]
    fn invalid_entries_are_named() {
        for bad in [
            "",
            "http://pypi.org",
            "pypi.org:0",
            "pypi.org:x",
            "*",
            "a..b",
            "10.0.0.1",
            "*.*.org",
        ] {
            assert_eq!(rules(&[bad], &[]), Err(RuleError::Host(bad.to_owned())));
        }
        for bad in ["10.0.0.1", "mirror:80", "10.0.0.1:0"] {
            assert_eq!(rules(&[], &[bad]), Err(RuleError::Address(bad.to_owned())));
        }
        let metadata = "169.254.169.254:80";
        assert_eq!(
            rules(&[], &[metadata]),
            Err(RuleError::LinkLocal(metadata.to_owned()))
        );
    }
}
