//! Requests of slope itself to other servers: points and watches to a server, messages to receivers.
//!
//! Models are asked through the gateway, which has a client of its own.

use std::sync::Once;

use ureq::Agent;
use ureq::config::ConfigBuilder;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::typestate::AgentScope;

/// The settings of a client: TLS with the system's certificates, no redirects, because secrets are for the named
/// server only, and an answer with an error status is an answer.
#[must_use]
pub fn settings() -> ConfigBuilder<AgentScope> {
    static PROVIDER: Once = Once::new();
    // If another part of the program has chosen a provider, that one is used.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier);
    Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .user_agent(concat!("slope/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls.build())
}
