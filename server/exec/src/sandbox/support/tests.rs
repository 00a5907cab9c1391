use super::*;

#[tokio::test]
async fn what_works_here_is_found_and_told() {
    let support = Support::detect().await;
    println!("{support:?}, gaps {:?}", support.gaps());
    let stronger = support
        .refused()
        .iter()
        .all(|(strategy, why)| strategy != support.strategy() && !why.is_empty());
    assert!(stronger);
}
