//! What is counted: answers by operation, with their times, and errors by kind.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use serde_json::Value;

/// An operation of the API: the method and the parts of its path, `None` for a parameter.
struct Operation {
    name: String,
    method: String,
    parts: Vec<Option<String>>,
}

#[derive(Default)]
pub struct Told {
    operations: OnceLock<Vec<Operation>>,
    /// Milliseconds of every answer.
    times: Mutex<BTreeMap<String, Vec<u32>>>,
    /// How often, and the first of them.
    errors: Mutex<BTreeMap<String, (usize, String)>>,
    n_busy: AtomicUsize,
    n_verified: AtomicUsize,
    n_killed: AtomicUsize,
}

impl Told {
    /// Learns which operations there are.
    pub fn describe(&self, description: &Value) {
        let paths = description["paths"].as_object().expect("paths");
        let of_path = |(path, methods): (&String, &Value)| {
            let part = |part: &str| (!part.starts_with('{')).then(|| part.to_string());
            let parts: Vec<Option<String>> = path.split('/').map(part).collect();
            let methods: Vec<String> = methods.as_object().expect("methods").keys().cloned().collect();
            let of_method = |method: String| {
                let method = method.to_uppercase();
                Operation { name: format!("{method} {path}"), method, parts: parts.clone() }
            };
            methods.into_iter().map(of_method).collect::<Vec<_>>()
        };
        self.operations.get_or_init(|| paths.iter().flat_map(of_path).collect());
    }

    /// The operation that a request asks for.
    fn operation(&self, method: &str, path: &str) -> String {
        let parts: Vec<&str> = path.split('?').next().unwrap_or_default().split('/').collect();
        let fits = |operation: &&Operation| {
            let same = |(wanted, part): (&Option<String>, &&str)| {
                wanted.as_ref().is_none_or(|wanted| wanted == part)
            };
            operation.method == method
                && operation.parts.len() == parts.len()
                && operation.parts.iter().zip(&parts).all(same)
        };
        let n_parameters =
            |operation: &&Operation| operation.parts.iter().filter(|part| part.is_none()).count();
        let known = self.operations.get().into_iter().flatten().filter(fits).min_by_key(n_parameters);
        known.map_or_else(|| format!("{method} {path}"), |operation| operation.name.clone())
    }

    pub fn answered(&self, method: &str, path: &str, elapsed: Duration) {
        let name = self.operation(method, path);
        let elapsed_ms = elapsed.as_millis() as u32;
        self.times.lock().expect("no panic").entry(name).or_default().push(elapsed_ms);
    }

    pub fn was_busy(&self) {
        self.n_busy.fetch_add(1, Ordering::Relaxed);
    }

    pub fn was_killed(&self) {
        self.n_killed.fetch_add(1, Ordering::Relaxed);
    }

    pub fn verified(&self, n: usize) {
        self.n_verified.fetch_add(n, Ordering::Relaxed);
    }

    pub fn error(&self, kind: impl Into<String>, what: impl Into<String>) {
        let mut errors = self.errors.lock().expect("no panic");
        let (kind, what) = (kind.into(), what.into());
        if !errors.contains_key(&kind) {
            println!("error: {kind}: {what}");
        }
        errors.entry(kind).or_insert((0, what)).0 += 1;
    }

    pub fn n_errors(&self) -> usize {
        self.errors.lock().expect("no panic").values().map(|(n, _)| n).sum()
    }

    /// Says that nothing was left out, or what.
    pub fn check_every_operation(&self) {
        let times = self.times.lock().expect("no panic");
        let all = self.operations.get().into_iter().flatten().map(|operation| operation.name.clone());
        let left: Vec<String> = all.filter(|name| !times.contains_key(name)).collect();
        drop(times);
        for name in left {
            self.error(format!("never answered: {name}"), "no client got an answer");
        }
    }

    pub fn print(&self) {
        let mut times = self.times.lock().expect("no panic").clone();
        for (name, times) in &mut times {
            times.sort_unstable();
            let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
            println!("{name}: {} answers, median {} ms, 99% {} ms", times.len(), at(0.5), at(0.99));
        }
        let n_answers: usize = times.values().map(Vec::len).sum();
        let load = |n: &AtomicUsize| n.load(Ordering::Relaxed);
        println!(
            "{} operations, {n_answers} answers, {} cut off by a kill, {} asked again as the server was busy, \
             {} acknowledged writes looked up again",
            times.len(),
            load(&self.n_killed),
            load(&self.n_busy),
            load(&self.n_verified)
        );
        for (kind, (n, first)) in self.errors.lock().expect("no panic").iter() {
            println!("{n} errors: {kind}: {first}");
        }
    }
}
