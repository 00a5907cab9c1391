//! The environment variables by which programs find the way out of their network.

use crate::env::Environment;
use crate::sandbox::link::PORT;

/// Variables that name a proxy for HTTP; most programs know one of them.
const HTTP: [&str; 21] = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "http_proxy",
    "https_proxy",
    "WS_PROXY",
    "WSS_PROXY",
    "ws_proxy",
    "wss_proxy",
    "NPM_CONFIG_PROXY",
    "NPM_CONFIG_HTTP_PROXY",
    "NPM_CONFIG_HTTPS_PROXY",
    "npm_config_proxy",
    "npm_config_http_proxy",
    "npm_config_https_proxy",
    "YARN_HTTP_PROXY",
    "YARN_HTTPS_PROXY",
    "BUNDLE_HTTP_PROXY",
    "BUNDLE_HTTPS_PROXY",
    "DOCKER_HTTP_PROXY",
    "DOCKER_HTTPS_PROXY",
    "PIP_PROXY",
];
/// Variables that name a proxy for everything else.
const SOCKS: [&str; 4] = ["ALL_PROXY", "all_proxy", "FTP_PROXY", "ftp_proxy"];
/// Variables that name hosts to be reached without one.
const NONE: [&str; 5] =
    ["NO_PROXY", "no_proxy", "NPM_CONFIG_NOPROXY", "npm_config_noproxy", "BUNDLE_NO_PROXY"];
/// What a command may always reach by itself when it may reach what is local: its own network.
const OWN: &str = "localhost,127.0.0.1,::1";

/// Returns the variables for a command in a network of its own. `local` is that of the
/// [`Limits`](super::Limits).
pub fn variables(local: bool) -> Environment {
    let http = format!("http://127.0.0.1:{PORT}");
    let socks = format!("socks5h://127.0.0.1:{PORT}");
    let direct = if local { OWN } else { "" };
    let flags = [
        ("NODE_USE_ENV_PROXY", "1"),
        ("ELECTRON_GET_USE_PROXY", "true"),
        ("CODEX_NETWORK_PROXY_ACTIVE", "1"),
        ("CODEX_NETWORK_ALLOW_LOCAL_BINDING", if local { "1" } else { "0" }),
    ];
    let all = HTTP.iter().map(|name| (*name, &*http));
    let all = all.chain(SOCKS.iter().map(|name| (*name, &*socks)));
    let all = all.chain(NONE.iter().map(|name| (*name, direct))).chain(flags);
    all.map(|(name, value)| (name.into(), value.into())).collect()
}
