use super::*;

fn rest(idle: &Arc<Idle>, after: u64) -> Rest {
    let unload_after = (after > 0).then(|| Duration::from_secs(after));
    Rest { thread: ThreadId::new(), idle: idle.clone(), unload_after }
}

async fn next_within(idle: &Idle, secs: u64) -> Option<(ThreadId, Chore)> {
    tokio::time::timeout(Duration::from_secs(secs), idle.next()).await.ok()
}

#[tokio::test(start_paused = true)]
async fn a_thread_that_nobody_follows_is_due_after_its_time() {
    let idle = Arc::<Idle>::default();
    let left = rest(&idle, 600);
    left.begins(false);
    assert_eq!(next_within(&idle, 121).await, Some((left.thread, Chore::Forget)));
    assert_eq!(next_within(&idle, 470).await, None);
    assert_eq!(next_within(&idle, 20).await, Some((left.thread, Chore::Unload)));
    assert_eq!(next_within(&idle, 1_000_000).await, None, "nothing is due any more");
}

#[tokio::test(start_paused = true)]
async fn a_followed_thread_and_one_that_is_to_be_kept_are_never_due() {
    let idle = Arc::<Idle>::default();
    rest(&idle, 10).begins(true);
    rest(&idle, 0).begins(false);
    for _ in 0..2 {
        let (_, chore) = next_within(&idle, 1_000).await.expect("what is kept is let go of");
        assert_eq!(chore, Chore::Forget);
    }
    assert_eq!(next_within(&idle, 1_000_000).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_later_rest_takes_the_place_of_an_earlier_one() {
    let idle = Arc::<Idle>::default();
    let left = rest(&idle, 100);
    for _ in 0..50 {
        left.is_left();
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    assert_eq!(idle.plans.lock().due.len(), 1, "a thread has one plan of a kind");
    assert_eq!(next_within(&idle, 98).await, None);
    assert_eq!(next_within(&idle, 2).await, Some((left.thread, Chore::Unload)));
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_hears_of_a_plan_that_is_due_before_the_others() {
    let idle = Arc::<Idle>::default();
    let (late, early) = (rest(&idle, 1_000), rest(&idle, 10));
    late.is_left();
    let waiting = tokio::spawn({
        let idle = idle.clone();
        async move { next_within(&idle, 20).await }
    });
    tokio::task::yield_now().await;
    early.is_left();
    let due = waiting.await.expect("the wait ends");
    assert_eq!(due, Some((early.thread, Chore::Unload)));
}

#[tokio::test(start_paused = true)]
async fn quiet_is_when_the_last_turn_has_ended() {
    let idle = Arc::<Idle>::default();
    idle.is_quiet().await;
    let (one, two) = (rest(&idle, 0).turn_runs(), rest(&idle, 0).turn_runs());
    let quiet = tokio::spawn({
        let idle = idle.clone();
        async move { idle.is_quiet().await }
    });
    tokio::task::yield_now().await;
    drop(one);
    tokio::task::yield_now().await;
    assert!(!quiet.is_finished());
    drop(two);
    quiet.await.expect("it is quiet");
}
