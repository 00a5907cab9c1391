use super::*;

fn host(text: &str) -> Host {
    Host::parse(text).unwrap_or_else(|| panic!("{text} is a host"))
}

#[test]
fn a_host_has_one_form_however_it_is_written() {
    assert_eq!(host("Example.COM."), Host::Name("example.com".into()));
    assert_eq!(host("[::1]"), host("::1"));
    assert_eq!(host("::ffff:127.0.0.1"), host("127.0.0.1"));
    assert_eq!(host("[::ffff:a00:1]").to_string(), "10.0.0.1");
}

#[test]
fn what_is_no_plain_name_or_address_is_no_host() {
    for text in [
        "",
        ".",
        "a..b",
        "a b",
        "a/b",
        "a@b",
        "a:80",
        "127.1",
        "0x7f000001",
        "2130706433",
        "1.2.3.4.5",
        "fe80::1%eth0",
        "[fe80::1%1]",
        "[a.example]",
        "bücher.example",
        "a\0b",
        "0177.0.0.1",
        "*.example",
    ] {
        assert_eq!(Host::parse(text), None, "{text:?}");
    }
    assert_eq!(Host::parse(&"a.".repeat(200)), None);
    assert_eq!(Host::parse(&"a".repeat(64)), None);
}

#[test]
fn a_star_stands_for_names_below() {
    let below = Pattern::parse("*.wild.example").expect("a pattern");
    assert!(below.fits(&host("a.wild.example")));
    assert!(below.fits(&host("A.B.Wild.Example.")));
    assert!(!below.fits(&host("wild.example")));
    assert!(!below.fits(&host("notwild.example")));
    assert!(!below.fits(&host("wild.example.evil.test")));
    let at = Pattern::parse("**.wild.example").expect("a pattern");
    assert!(at.fits(&host("wild.example")) && at.fits(&host("a.wild.example")));
    assert!(!at.fits(&host("notwild.example")));
    let any = Pattern::parse("*").expect("a pattern");
    assert!(any.fits(&host("a.example")) && any.fits(&host("10.0.0.1")));
}

#[test]
fn a_star_elsewhere_is_no_pattern() {
    for text in ["a.*.example", "*example", "***.example", "*.", "*.10.0.0.1", "a*", "**"] {
        assert_eq!(Pattern::parse(text), None, "{text}");
    }
}

#[test]
fn an_address_fits_however_it_is_written() {
    let pattern = Pattern::parse("[::1]").expect("a pattern");
    assert!(pattern.fits(&host("0:0:0:0:0:0:0:1")));
    let pattern = Pattern::parse("127.0.0.1").expect("a pattern");
    assert!(pattern.fits(&host("[::ffff:7f00:1]")));
    assert!(!pattern.fits(&host("127.0.0.2")));
}

#[test]
fn addresses_of_this_machine_and_its_surroundings_are_not_public() {
    for text in [
        "0.0.0.0",
        "0.1.2.3",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "::10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::a00:1",
        "2002:a00:1::1",
        "2002:7f00:1::",
        "2001::1",
        "2001:db8::1",
        "3fff::1",
        "fc00::1",
        "fd12::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "100::1",
        "5f00::1",
    ] {
        assert!(!is_public(text.parse().expect("an address")), "{text}");
    }
}

#[test]
fn addresses_of_the_world_are_public() {
    for text in [
        "1.1.1.1",
        "9.255.255.255",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "198.17.0.1",
        "198.20.0.1",
        "223.255.255.1",
        "2606:4700::1111",
        "2001:4860:4860::8888",
        "64:ff9b::808:808",
        "::ffff:8.8.8.8",
        "2002:808:808::1",
    ] {
        assert!(is_public(text.parse().expect("an address")), "{text}");
    }
}

#[test]
fn a_name_for_this_machine_is_local() {
    for text in ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "[::1]", "10.0.0.1"] {
        assert!(host(text).is_local(), "{text}");
    }
    for text in ["a.example", "localhost.example", "1.1.1.1"] {
        assert!(!host(text).is_local(), "{text}");
    }
}
