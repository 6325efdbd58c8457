use std::sync::Arc; use std::time::Instant;
use ashta_position::*;
fn run<W: Word>(game: &str, fen: Option<&str>, depth: u32) {
    let rules = Arc::new(ashta_rules::load(game).unwrap());
    let t = Arc::new(Tables::<W>::new(rules.clone()));
    let mut p = match fen { None => Position::start(t), Some(f) => Position::new(t, &ashta_rules::Setup::read(f, &rules).unwrap()).unwrap() };
    for d in 1..=depth { let s = Instant::now(); let n = perft(&mut p, d); let e = s.elapsed().as_secs_f64(); println!("{game} {d} {n} {:.1} Mn/s", n as f64/e/1e6); }
}
fn main() {
    run::<u64>("chess", None, 6);
    run::<u64>("chess", Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 5);
    run::<u128>("shogi", None, 5);
    run::<u128>("shogi", Some("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"), 3);
    run::<u128>("xiangqi", None, 4);
}
