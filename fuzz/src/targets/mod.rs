//! The targets, by family, and the list of them all.
//!
//! In: bytes. Out: whether they were accepted. Never: a panic that is not a finding.

mod collections;
mod lab;
mod positions;
mod protocols;
mod records;
mod rules;
mod study;
mod web;

/// What became of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// It was read, and the laws hold.
    Accepted,
    /// It was refused, with a reason.
    Refused,
}

/// A reader of bytes and its laws.
#[derive(Debug)]
pub struct Target {
    /// What it is called.
    pub name: &'static str,
    /// What is read.
    pub reads: &'static str,
    /// Reads an input; panics where a law does not hold.
    pub run: fn(&[u8]) -> Reading,
    /// Small inputs that are accepted, or nearly.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format, put in by the mutator.
    pub words: &'static [&'static str],
    /// Longer inputs are cut.
    pub max_bytes: usize,
    /// Its share of the inputs of a run over all targets: quick readers have the larger ones.
    pub share: u32,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    rules::GAME_FILE,
    rules::BETZA,
    rules::XBOARD_BETZA,
    rules::VARIANTS,
    positions::POSITION,
    positions::MOVES,
    positions::PLAY,
    positions::CONTEST,
    records::PGN,
    records::KIF,
    records::KI2,
    records::CSA,
    records::JKF,
    records::USI,
    records::TSV,
    records::QUERY,
    collections::MANIFEST,
    collections::SEGMENT,
    lab::WEIGHTS,
    lab::PLAN,
    lab::EVOLUTION,
    lab::JOURNAL,
    lab::LEARNING_JOURNAL,
    lab::PLAYER,
    study::POLYGLOT,
    study::BOOK,
    study::ENDING_TABLE,
    study::PROBLEM_FILE,
    protocols::UCI_LINE,
    protocols::USI_LINE,
    protocols::XBOARD_LINE,
    protocols::UCI_SESSION,
    protocols::USI_SESSION,
    protocols::XBOARD_SESSION,
    web::JSON_BODY,
];

/// The target with a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
