//! Fuzz targets: every reader of bytes is given mutated inputs, and laws are asserted of what it returns.
//!
//! In: bytes. Out: accepted or refused; a panic is a finding. Never: a dependency on libFuzzer or on the nightly toolchain.

mod fixtures;
mod input;
mod mutate;
mod run;
mod targets;

pub use mutate::Mutator;
pub use run::{Finding, RunPlan, TargetReport, replay, run_target};
pub use targets::{Reading, TARGETS, Target, target};
