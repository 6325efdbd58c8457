//! All integration tests of this crate in one binary: it is linked once, and slow tests of one file overlap with those of another.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "tests may ask the time and the environment, and give notices"
)]

mod contest_effects;
mod contest_ends;
mod contest_hostile;
mod contest_laws;
mod contest_perft;
mod contest_playthrough;
mod contest_position;
mod contest_rules;
mod contest_turns;
mod contest_twin;
mod diagrams;
mod fairy_fen;
mod fairy_stockfish;
mod fairy_variants;
mod fairy_written;
mod hostile;
mod laws;
mod legality;
mod notation;
mod outcomes;
mod peers;
mod perft_evidence;
mod playthroughs;
mod special_ends;
mod strange_games;
mod twin;
mod twin_moves;
mod twin_perft;
mod walk;
