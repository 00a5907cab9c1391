//! The HTTP clients: built once, when the first request needs them.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::error::{ErrorKind, ModelError};
use crate::offline::{self, Pace};
use crate::provider::{OFFLINE_URL, Provider};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
const POOL_IDLE_TIMEOUT: Duration = Duration::from_mins(1);

/// Two connection pools: the proxies of the environment are for the world, never for loopback.
#[derive(Debug, Default)]
pub(crate) struct Transport {
    world: OnceLock<reqwest::Client>,
    loopback: OnceLock<reqwest::Client>,
    /// Roots beside those of the program, for a proxy or provider with its own authority.
    roots: Vec<CertificateDer<'static>>,
    /// The stand-in inside this process; lives as long as this.
    offline: OnceCell<Endpoint>,
}

#[derive(Debug)]
struct Endpoint {
    base_url: String,
    _stop: DropGuard,
}

impl Transport {
    /// Trusts the certificates of a PEM text too.
    pub(crate) fn with_roots(pem: &[u8]) -> Result<Self, ModelError> {
        let roots = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
        let roots = roots.map_err(|error| invalid(&error))?;
        if roots.is_empty() {
            let why = "the file of certificates holds none".to_owned();
            return Err(ErrorKind::InvalidRequest(why).into());
        }
        Ok(Self { roots, ..Self::default() })
    }

    /// Where a provider is reached. Starts the stand-in when it is asked for the first time.
    pub(crate) async fn address_of<'a>(
        &'a self,
        provider: &'a Provider,
    ) -> Result<&'a str, ModelError> {
        if provider.base_url != OFFLINE_URL {
            return Ok(&provider.base_url);
        }
        let endpoint = self.offline.get_or_try_init(start_offline).await;
        endpoint.map(|endpoint| endpoint.base_url.as_str()).map_err(|error| invalid(&error))
    }

    /// The client for an address.
    pub(crate) fn client_for(&self, url: &reqwest::Url) -> Result<&reqwest::Client, ModelError> {
        if is_loopback(url) {
            self.once(&self.loopback, || builder().no_proxy())
        } else {
            self.once(&self.world, builder)
        }
    }

    fn once<'a>(
        &self,
        slot: &'a OnceLock<reqwest::Client>,
        builder: impl FnOnce() -> reqwest::ClientBuilder,
    ) -> Result<&'a reqwest::Client, ModelError> {
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let built = builder().tls_backend_preconfigured(self.tls()?).build();
        let built = built.map_err(|error| invalid(&error))?;
        Ok(slot.get_or_init(|| built))
    }

    /// The roots are part of the program: the default reads every certificate file of the
    /// system.
    fn tls(&self) -> Result<rustls::ClientConfig, ModelError> {
        let mut roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        roots.add_parsable_certificates(self.roots.iter().cloned());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| invalid(&error))?;
        let mut config = builder.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }
}

/// Any process of this machine can reach the stand-in. It only computes an answer from a
/// request and holds nothing.
async fn start_offline() -> std::io::Result<Endpoint> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let base_url = format!("http://{}/v1", listener.local_addr()?);
    let stop = CancellationToken::new();
    let serving = offline::serve(listener, Pace::default(), stop.clone());
    tokio::spawn(async move {
        if let Err(error) = serving.await {
            tracing::warn!(%error, "the offline stand-in stopped");
        }
    });
    Ok(Endpoint { base_url, _stop: stop.drop_guard() })
}

fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(POOL_IDLE_TIMEOUT)
        .tcp_nodelay(true)
}

fn invalid(error: &dyn std::error::Error) -> ModelError {
    ErrorKind::InvalidRequest(error.to_string()).into()
}

/// Whether an address is this machine's own.
pub(crate) fn is_loopback(url: &reqwest::Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether an error of connecting looks like a network that is away, as opposed to a
/// certificate that no waiting makes good.
pub(crate) fn is_lost_network(error: &reqwest::Error) -> bool {
    !comes_from_tls(error)
}

fn comes_from_tls(error: &(dyn std::error::Error + 'static)) -> bool {
    // An I/O error hides the error it was made of: its source is that one's source.
    let hidden = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    error.is::<rustls::Error>()
        || hidden.is_some_and(|hidden| comes_from_tls(hidden))
        || error.source().is_some_and(comes_from_tls)
}

#[cfg(test)]
mod tests {
    use super::{Transport, is_loopback};

    fn url(text: &str) -> reqwest::Url {
        reqwest::Url::parse(text).expect("the address of a test")
    }

    #[test]
    fn loopback_is_known_by_name_and_number() {
        for own in
            ["http://localhost:1", "http://127.0.0.9/", "http://[::1]:2/", "http://a.localhost"]
        {
            assert!(is_loopback(&url(own)), "{own}");
        }
        for other in ["http://example.com", "http://10.0.0.1", "http://localhost.example.com"] {
            assert!(!is_loopback(&url(other)), "{other}");
        }
    }

    #[test]
    fn a_file_without_certificates_is_refused() {
        for pem in
            [&b""[..], b"no PEM", b"-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"]
        {
            assert!(Transport::with_roots(pem).is_err());
        }
    }

    #[test]
    fn a_client_is_built_once_for_each_kind_of_address() {
        let transport = Transport::default();
        let address = |text: &str| {
            let client = transport.client_for(&url(text)).expect("clients can be built");
            std::ptr::from_ref(client)
        };
        assert_eq!(address("https://a.example/"), address("https://b.example/"));
        assert_eq!(address("http://localhost/"), address("http://127.0.0.1:8080/"));
        assert_ne!(address("http://localhost/"), address("https://a.example/"));
    }
}
