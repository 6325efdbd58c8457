fn cozy(b: &cozy_chess::Board, d: u32) -> u64 {
    let mut n = 0;
    if d == 1 { b.generate_moves(|m| { n += m.len() as u64; false }); }
    else { b.generate_moves(|m| { for mv in m { let mut c = b.clone(); c.play_unchecked(mv); n += cozy(&c, d-1); } false }); }
    n
}
fn hai(b: &haitaka::Board, d: u32) -> u64 {
    let mut n = 0;
    if d == 1 { b.generate_board_moves(|m| { n += m.into_iter().len() as u64; false }); 
       b.generate_drops(|m| { n += m.into_iter().len() as u64; false }); }
    else { 
      b.generate_board_moves(|m| { for mv in m { let mut c = b.clone(); c.play_unchecked(mv); n += hai(&c, d-1); } false });
      b.generate_drops(|m| { for mv in m { let mut c = b.clone(); c.play_unchecked(mv); n += hai(&c, d-1); } false });
    }
    n
}
use std::sync::Arc; use std::time::Instant;
use ashta_position::*;
fn ours<W: Word>(game: &str, fen: Option<&str>) -> Position<W> {
    let rules = Arc::new(ashta_rules::load(game).unwrap());
    let t = Arc::new(Tables::<W>::new(rules.clone()));
    match fen { None => Position::start(t), Some(f) => Position::new(t, &ashta_rules::Setup::read(f, &rules).unwrap()).unwrap() }
}
fn time(mut f: impl FnMut() -> u64) -> (f64,u64) { let s = Instant::now(); let n = f(); (n as f64 / s.elapsed().as_secs_f64()/1e6, n) }
fn cmp(name: &str, mut a: impl FnMut() -> u64, mut b: impl FnMut() -> u64) {
    let (mut x, mut y) = (0f64, 0f64);
    for _ in 0..5 { let (p, n) = time(&mut a); let (q, m) = time(&mut b); assert_eq!(n, m, "{name}"); x = x.max(p); y = y.max(q); }
    println!("{name}: ours {x:.1} peer {y:.1} ratio {:.2}", x/y);
}
fn main() {
    let kiwi = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let matsuri = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    let mut p = ours::<u64>("chess", None); let c = cozy_chess::Board::default();
    cmp("chess start 5", || perft(&mut p, 5), || cozy(&c, 5));
    let mut p = ours::<u64>("chess", Some(kiwi)); let c: cozy_chess::Board = kiwi.parse().unwrap();
    cmp("kiwipete 4", || perft(&mut p, 4), || cozy(&c, 4));
    let mut p = ours::<u128>("shogi", None); let c = haitaka::Board::startpos();
    cmp("shogi start 4", || perft(&mut p, 4), || hai(&c, 4));
    let mut p = ours::<u128>("shogi", Some(matsuri)); let c: haitaka::Board = haitaka::Board::from_sfen(matsuri).unwrap();
    cmp("matsuri 3", || perft(&mut p, 3), || hai(&c, 3));
}
