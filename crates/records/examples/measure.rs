//! Imports files and prints what each section of the segments costs.
use std::path::{Path, PathBuf};
use std::time::Instant;
use ashta_position::CompiledRules;
use ashta_records::*;
struct W(usize);
impl Watcher for W {
    fn refused(&mut self, r: &Refusal) { self.0 += 1; if self.0 < 40 { println!("{}:{}: game {:?}: {}", r.path.display(), r.line, r.game, r.what); } }
    fn progress(&mut self, _: &ImportReport, _: u64) {}
    fn wants_stop(&mut self) -> bool { false }
}
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rules = CompiledRules::new(ashta_rules::load(&args[1]).expect("game"));
    let t = Instant::now();
    let mut w = CollectionWriter::open(Path::new(&args[0]), &rules, &args[1]).expect("writer");
    let files = files_below(&args[2..].iter().map(PathBuf::from).collect::<Vec<_>>()).expect("files");
    let r = import(&mut w, &files, ImportPlan::default(), &mut W(0)).expect("import");
    println!("{r:?} {:?}", t.elapsed());
    let t = Instant::now();
    while w.merge_step().expect("merge") {}
    println!("merged {:?}", t.elapsed());
    let c = w.collection().expect("open");
    let plies = c.n_positions() - c.n_games();
    let mut total = std::collections::BTreeMap::new();
    for (_, s) in c.segments() { for (n, l) in s.file().sections() { *total.entry(n.to_string()).or_insert(0) += l; } }
    println!("games {} positions {} segments {}", c.n_games(), c.n_positions(), c.manifest().segments.len());
    for (n, l) in total { println!("{n:10} {l:12} {:.3} bytes/ply", l as f64 / plies as f64); }
}
