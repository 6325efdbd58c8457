use std::sync::atomic::AtomicBool;
use std::time::Instant;
use ashta_position::*;
use ashta_study::problem::mate::MateSolver;
fn main() {
    let rules = CompiledRules::new(ashta_rules::load("chess").unwrap());
    let CompiledRules::W64(tables) = &rules else { panic!() };
    let stop = AtomicBool::new(false);
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut solver = MateSolver::new(tables, &stop);
        let mut times = vec![]; let mut bad = 0; let mut nodes = 0;
        for line in text.lines() {
            let fen: Vec<&str> = line.split_whitespace().take(4).collect();
            let fen = format!("{} 0 1", fen.join(" "));
            let dm: u16 = line.split("dm ").nth(1).unwrap().split(';').next().unwrap().trim().parse().unwrap();
            let keys = line.split("c0 \"").nth(1).unwrap().split('"').next().unwrap();
            let mut want: Vec<&str> = keys.split_whitespace().filter(|w| !matches!(*w, "key"|"keys"|"unique")).collect();
            let game = Game::from_text(&rules, &fen).unwrap();
            let AnyLine::W64(l) = game.line() else { panic!() };
            let mut pos = l.position().clone();
            let t = Instant::now();
            solver.clear();
            let mut got = vec![];
            for n in 1..=dm { got = solver.keys(&mut pos, n).unwrap(); if !got.is_empty() { if n != dm {println!("short {n} {line}");} break; } }
            times.push(t.elapsed().as_secs_f64());
            let mut got: Vec<String> = got.iter().map(|m| notation::write_coordinates(&game, *m)).collect();
            got.sort(); want.sort();
            if got != want { bad += 1; println!("BAD {got:?} {want:?} {line}"); }
            nodes += solver.n_nodes; solver.n_nodes = 0;
        }
        let geo = (times.iter().map(|t| t.ln()).sum::<f64>() / times.len() as f64).exp();
        let total: f64 = times.iter().sum();
        times.sort_by(|a, b| a.total_cmp(b));
        println!("{path}: n {} bad {bad} median {:.3} ms geo {:.3} ms max {:.1} ms total {total:.2} s nodes {nodes} {:.2} M/s", times.len(), times[times.len()/2]*1e3, geo*1e3, times.last().unwrap()*1e3, nodes as f64/total/1e6);
    }
}
