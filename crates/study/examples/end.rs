//! x
use ashta_position::*; use ashta_study::ending::*; use std::time::Instant; use std::sync::atomic::AtomicBool;
fn all(p: &mut Position<u64>, m: &Material, t: &mut EndingTables, stop:&AtomicBool) {
    if t.contains_key(m) { return; }
    let rules = p.tables().rules.clone();
    for n in next_materials(m, &rules) { all(p, &n, t, stop); }
    let s = Instant::now();
    let table = build(p, m, t, &mut |_| {}, stop).unwrap();
    println!("{} {:.2}s len {} longest first {:?} second {:?} counts {:?} {:?}", m.name(&rules), s.elapsed().as_secs_f64(), table.len(), table.longest(0,1), table.longest(1,1), table.counts(0), table.counts(1));
    t.insert(m.clone(), table);
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let rules = CompiledRules::new(ashta_rules::load(&a[1]).unwrap());
    let g = Game::start(&rules); let AnyLine::W64(l) = g.line() else { panic!() };
    let mut p = l.position().clone(); let mut t = EndingTables::new(); let stop = AtomicBool::new(false);
    for m in &a[2..] { let m = Material::read(m, rules.rules()).unwrap(); all(&mut p, &m, &mut t, &stop); }
}
