//! The resident memory of the server: of every life at the same age, and of the last life all along.

use std::time::Duration;

use crate::told::Told;

/// What it may grow by, for caches that fill late.
const MOST_GROWTH: f64 = 1.10;

/// In MB.
#[derive(Default, Debug)]
pub struct Memory {
    pub lives: Vec<f64>,
    pub last_life: Vec<f64>,
    pub restarts: Vec<Duration>,
}

impl Memory {
    /// Like with like: lives of the first fifth with those of the last.
    pub fn check_lives(&self, told: &Told) {
        check("lives of one age", &self.lives, 0, told);
    }

    /// The second fifth of the last life with the last; the first is when caches fill.
    pub fn check_last_life(&self, told: &Told) {
        check("the last life", &self.last_life, 1, told);
    }

    pub fn print(&self) {
        let shown = |all: &[f64]| all.iter().map(|mb| format!("{mb:.0}")).collect::<Vec<_>>().join(" ");
        println!("resident memory of the lives, MB: {}", shown(&self.lives));
        println!("resident memory of the last life, MB: {}", shown(&self.last_life));
        let slowest = self.restarts.iter().max().copied().unwrap_or_default();
        println!("{} kills, there again within {:.2} s", self.restarts.len(), slowest.as_secs_f64());
    }
}

fn check(what: &str, all: &[f64], first: usize, told: &Told) {
    if all.len() < 5 {
        return;
    }
    let fifth = |n: usize| median(&all[all.len() * n / 5..all.len() * (n + 1) / 5]);
    let (early, late) = (fifth(first), fifth(4));
    println!("memory of {what}: {early:.0} MB, later {late:.0} MB");
    if late > early * MOST_GROWTH {
        told.error("memory grew", format!("{what}: from {early:.0} to {late:.0} MB"));
    }
}

fn median(all: &[f64]) -> f64 {
    let mut all = all.to_vec();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}
