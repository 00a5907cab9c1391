use super::{Concurrency, Gate};

fn is_ready<F: Future>(future: &mut std::pin::Pin<Box<F>>) -> bool {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    future.as_mut().poll(&mut context).is_ready()
}

/// SPEC C4: A(par) B(par) C(serial) D(par).
#[tokio::test]
async fn a_serial_call_waits_for_those_before_it_and_holds_up_those_after_it() {
    let mut gate = Gate::default();
    let [a, b] = [gate.enter(Concurrency::Parallel), gate.enter(Concurrency::Parallel)];
    let mut c = Box::pin(gate.enter(Concurrency::Serial).wait());
    let mut d = Box::pin(gate.enter(Concurrency::Parallel).wait());

    let (a, b) = (a.wait().await, b.wait().await);
    assert!(!is_ready(&mut c), "C must not meet A and B");
    drop(a);
    assert!(!is_ready(&mut c), "B still runs");
    drop(b);
    let pass = c.await;
    assert!(!is_ready(&mut d), "D must not meet C");
    drop(pass);
    d.await;
}

#[tokio::test]
async fn a_ticket_that_is_dropped_unused_lets_the_next_pass() {
    let mut gate = Gate::default();
    drop(gate.enter(Concurrency::Serial));
    let _pass = gate.enter(Concurrency::Serial).wait().await;
}
