//! Builds the guard (`guard/main.rs`): a program without any library, which the server carries
//! inside itself.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=guard");
    let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder")).join("guard");
    let target = env::var("TARGET").expect("cargo names the target");
    if !target.contains("linux") {
        fs::write(output, []).expect("the folder can be written");
        return;
    }
    #[expect(clippy::disallowed_methods, reason = "a build script starts the compiler")]
    let mut compiler = Command::new(env::var_os("RUSTC").expect("cargo names the compiler"));
    compiler.args(["--edition", "2024", "--crate-type", "bin", "--crate-name", "guard"]);
    compiler.args(["--target", &target, "guard/main.rs", "-o"]).arg(&output);
    for option in [
        "opt-level=s",
        "panic=abort",
        "strip=symbols",
        "relocation-model=static",
        "link-arg=-nostartfiles",
        "link-arg=-nostdlib",
        "link-arg=-static",
        "link-arg=-Wl,--build-id=none,-z,norelro,-z,noexecstack",
    ] {
        compiler.args(["-C", option]);
    }
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = std::ffi::OsString::from("linker=");
        option.push(linker);
        compiler.arg("-C").arg(option);
    }
    let status = compiler.status().expect("the compiler can be started");
    assert!(status.success(), "the guard does not compile");
}
