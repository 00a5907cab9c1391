//! Ways to take the walls down from inside.

use super::*;

#[tokio::test]
async fn mounts_cannot_be_made_changed_or_taken_away() {
    for support in every().await {
        let yard = Yard::new();
        for words in [
            ["mount", "."],
            ["remount", "/"],
            ["remount", ".git"],
            ["umount", ".git"],
            ["umount", "/proc"],
        ] {
            assert_eq!(yard.attempt(&support, &words).await, "EPERM", "{words:?}");
        }
        for call in [
            libc::SYS_move_mount,
            libc::SYS_open_tree,
            libc::SYS_mount_setattr,
            libc::SYS_fsopen,
            libc::SYS_pivot_root,
            libc::SYS_setns,
        ] {
            assert_eq!(yard.attempt(&support, &["call", &call.to_string()]).await, "EPERM");
        }
    }
}

#[tokio::test]
async fn no_namespace_gives_rights_back() {
    for support in every().await {
        let yard = Yard::new();
        for flag in
            [libc::CLONE_NEWUSER, libc::CLONE_NEWNS, libc::CLONE_NEWUSER | libc::CLONE_NEWNET]
        {
            assert_eq!(yard.attempt(&support, &["unshare", &flag.to_string()]).await, "EPERM");
            let clone = yard.attempt(&support, &["call", &libc::SYS_clone3.to_string()]).await;
            assert_eq!(clone, "ENOSYS");
        }
        // Threads and file tables of one's own are nobody else's business.
        let own = libc::CLONE_FILES.to_string();
        assert_eq!(yard.attempt(&support, &["unshare", &own]).await, "ok");
    }
}

#[tokio::test]
async fn the_filter_cannot_be_gone_round() {
    for support in every().await {
        let yard = Yard::new();
        for call in [
            libc::SYS_io_uring_setup,
            libc::SYS_open_by_handle_at,
            libc::SYS_keyctl,
            libc::SYS_bpf,
            libc::SYS_perf_event_open,
        ] {
            assert_eq!(yard.attempt(&support, &["call", &call.to_string()]).await, "EPERM");
        }
        if cfg!(target_arch = "x86_64") {
            assert_eq!(yard.attempt(&support, &["second-set"]).await, "ENOSYS");
        }
    }
}
