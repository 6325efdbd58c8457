use std::sync::Arc; use std::time::Instant;
use ashta_position::*;
fn run<W: Word>(game: &str, fen: Option<&str>, depth: u32) {
    let rules = Arc::new(ashta_rules::load(game).unwrap());
    let t = Arc::new(Tables::<W>::new(rules.clone()));
    let mut p = match fen { None => Position::start(t), Some(f) => Position::new(t, &ashta_rules::Setup::read(f, &rules).unwrap()).unwrap() };
    let mut best = 0f64; let mut n=0;
    for _ in 0..5 { let s = Instant::now(); n = perft(&mut p, depth); let e = s.elapsed().as_secs_f64(); best = best.max(n as f64/e/1e6); }
    println!("{game} {depth} {n} {best:.1} Mn/s");
}
fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    if which.contains('c') { run::<u64>("chess", None, 5); }
    if which.contains('k') { run::<u64>("chess", Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 5);}
    if which.contains('s') { run::<u128>("shogi", None, 4);}
    if which.contains('m') { run::<u128>("shogi", Some("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"), 3);}
    if which.contains('x') { run::<u128>("xiangqi", None, 4); }
}
