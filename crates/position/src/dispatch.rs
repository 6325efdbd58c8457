//! Chooses the compiled generator: by the features that the game needs and by what the processor can do.
//!
//! In: tables, a state, a sink. Out: a call of the one generator body, specialised. Never: rules.
//!
//! A plain `cargo build` reaches full speed this way: everything below these functions is inlined into them, and they are
//! compiled for the instructions that they were chosen for.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use ashta_rules::Rules;

use crate::bmi2::has_pext;
use crate::generate::{generate_body, keep_legal};
use crate::legality_query::LegalityQuery;
use crate::move_groups::{MoveGroups, TacticalMoves};
use crate::perft_tree::{PerftGenerators, perft_body};
use crate::piece_attacks::PieceAttacks;
use crate::sink::{AnyMove, MoveCount, MoveList, Sink};
use crate::state::State;
use crate::tables::{RuleTables, features};
use crate::word::Word;

/// Rules compiled for one word, with the generators that serve them on this processor.
#[derive(Debug)]
pub struct Tables<W> {
    rule_tables: RuleTables<W>,
    generators: Generators<W>,
    piece_attacks: OnceLock<PieceAttacks<W>>,
}

impl<W: Word> Tables<W> {
    /// Compiles rules whose board fits the word.
    pub fn new(rules: Arc<Rules>) -> Tables<W> {
        let rule_tables = RuleTables::new(rules);
        let generators = match rule_tables.filters_moves {
            true => Generators::filtered(),
            false => Generators::new(rule_tables.features),
        };
        Tables { rule_tables, generators, piece_attacks: OnceLock::new() }
    }

    /// Counts the leaves of a tree, with a list of moves for each ply.
    pub(crate) fn perft(&self, state: &mut State<W>, depth: u32, lists: &mut [MoveList]) -> u64 {
        // SAFETY: `choose_perft` took one that this processor can run.
        #[expect(unsafe_code, reason = "see SAFETY")]
        unsafe {
            (self.generators.perft)(&self.rule_tables, state, depth, lists)
        }
    }

    /// What each piece attacks from where it stands; made when first asked for.
    #[inline]
    pub fn piece_attacks(&self) -> &PieceAttacks<W> {
        self.piece_attacks.get_or_init(|| PieceAttacks::new(&self.rules))
    }
}

impl<W> Deref for Tables<W> {
    type Target = RuleTables<W>;

    #[inline(always)]
    fn deref(&self) -> &RuleTables<W> {
        &self.rule_tables
    }
}

/// A generator compiled for one word, one sink, one set of features and some instructions of the processor.
// It is unsafe to call on a processor that lacks them.
type Generate<W, S> = unsafe fn(&RuleTables<W>, &State<W>, &mut S);

/// Perft with such generators, given a list of moves for each ply.
type Perft<W> = unsafe fn(&RuleTables<W>, &mut State<W>, u32, &mut [MoveList]) -> u64;

/// The generators that serve a game on this processor, one for each sink.
///
/// They are chosen once, when rules are compiled, and called through pointers, so that no other crate compiles the
/// generators again.
#[derive(Clone, Copy, Debug)]
pub struct Generators<W> {
    count: Generate<W, MoveCount>,
    any: Generate<W, AnyMove>,
    list: Generate<W, MoveList>,
    groups: Generate<W, MoveGroups<W>>,
    tactical: Generate<W, TacticalMoves<W>>,
    query: Generate<W, LegalityQuery<W>>,
    perft: Perft<W>,
}

impl<W: Word> Generators<W> {
    fn new(needed: u8) -> Generators<W> {
        Generators {
            count: choose(needed),
            any: choose(needed),
            list: choose(needed),
            groups: choose(needed),
            tactical: choose(needed),
            query: choose(needed),
            perft: choose_perft(needed),
        }
    }

    /// For games whose moves are all looked at again.
    fn filtered() -> Generators<W> {
        Generators {
            count: generate_filtered,
            any: generate_filtered,
            list: generate_filtered,
            groups: generate_filtered,
            tactical: generate_filtered,
            query: generate_filtered,
            perft: perft_filtered,
        }
    }
}

/// Each instance costs seconds of compile time: a word without [`Word::SPLITS_DROPS`] has two, the others three.
fn choose<W: Word, S: Sink<W>>(needed: u8) -> Generate<W, S> {
    if !has_pext() {
        return generate_portable;
    }
    match needed {
        features::PLAIN if W::SPLITS_DROPS => generate_bmi2::<W, S, { features::PLAIN }>,
        features::PLAIN | features::DROPS => generate_bmi2::<W, S, { features::DROPS }>,
        _ => generate_bmi2::<W, S, { features::EVERYTHING }>,
    }
}

fn choose_perft<W: Word>(needed: u8) -> Perft<W> {
    if !has_pext() {
        return perft_portable;
    }
    match needed {
        features::PLAIN if W::SPLITS_DROPS => perft_bmi2::<W, { features::PLAIN }>,
        features::PLAIN | features::DROPS => perft_bmi2::<W, { features::DROPS }>,
        _ => perft_bmi2::<W, { features::EVERYTHING }>,
    }
}

/// A sink that generators are compiled for.
pub trait Dispatched<W: Word>: Sink<W> {
    /// Gives every legal move to the sink.
    fn generate(&mut self, tables: &Tables<W>, state: &State<W>);
}

macro_rules! dispatched {
    ($($sink:ty: $generator:ident),*) => {$(
        impl<W: Word> Dispatched<W> for $sink {
            #[inline(always)]
            fn generate(&mut self, tables: &Tables<W>, state: &State<W>) {
                // SAFETY: `choose` took a generator that this processor can run.
                // It makes the plain build 1.6 times as fast.
                #[expect(unsafe_code, reason = "see SAFETY")]
                unsafe {
                    (tables.generators.$generator)(&tables.rule_tables, state, self);
                }
            }
        }
    )*};
}
dispatched!(
    MoveCount: count,
    AnyMove: any,
    MoveList: list,
    MoveGroups<W>: groups,
    TacticalMoves<W>: tactical,
    LegalityQuery<W>: query
);

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
fn generate_bmi2<W: Word, S: Sink<W>, const F: u8>(tables: &RuleTables<W>, state: &State<W>, sink: &mut S) {
    generate_body::<W, S, F, true>(tables, state, generate_bmi2::<W, AnyMove, F>, sink);
}

/// For processors without these instructions, which are rare: moves are listed and handed on.
fn generate_portable<W: Word, S: Sink<W>>(tables: &RuleTables<W>, state: &State<W>, sink: &mut S) {
    let mut list = MoveList::new();
    list_portable(tables, state, &mut list);
    list.iter().for_each(|mv| sink.single(*mv));
}

/// The one body compiled for them.
#[inline(never)]
fn list_portable<W: Word>(tables: &RuleTables<W>, state: &State<W>, list: &mut MoveList) {
    let any = generate_portable::<W, AnyMove>;
    generate_body::<W, MoveList, { features::EVERYTHING }, false>(tables, state, any, list);
}

/// Lists moves, keeps those that are legal by what they bring about, and hands them on.
fn generate_filtered<W: Word, S: Sink<W>>(tables: &RuleTables<W>, state: &State<W>, sink: &mut S) {
    let mut list = MoveList::new();
    match has_pext() {
        // SAFETY: the processor has these instructions.
        #[expect(unsafe_code, reason = "see SAFETY")]
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_unsafe, reason = "the function is safe there"))]
        true => unsafe {
            generate_bmi2::<W, MoveList, { features::EVERYTHING }>(tables, state, &mut list);
        },
        false => list_portable(tables, state, &mut list),
    }
    keep_legal(tables, state, &mut list);
    list.iter().for_each(|mv| sink.single(*mv));
}

struct Bmi2Generators<const F: u8>;

// SAFETY: all three are called only below `perft_bmi2`.
#[expect(unsafe_code, reason = "see SAFETY")]
impl<W: Word, const F: u8> PerftGenerators<W> for Bmi2Generators<F> {
    #[inline(always)]
    fn list(tables: &RuleTables<W>, state: &State<W>, moves: &mut MoveList) {
        unsafe { generate_bmi2::<W, MoveList, F>(tables, state, moves) }
    }
    #[inline(always)]
    fn count(tables: &RuleTables<W>, state: &State<W>) -> u64 {
        let mut count = MoveCount::default();
        unsafe { generate_bmi2::<W, MoveCount, F>(tables, state, &mut count) }
        count.0
    }
    #[inline(always)]
    fn deeper(tables: &RuleTables<W>, state: &mut State<W>, depth: u32, lists: &mut [MoveList]) -> u64 {
        unsafe { perft_bmi2::<W, F>(tables, state, depth, lists) }
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
fn perft_bmi2<W: Word, const F: u8>(
    tables: &RuleTables<W>,
    state: &mut State<W>,
    depth: u32,
    lists: &mut [MoveList],
) -> u64 {
    perft_body::<W, Bmi2Generators<F>>(tables, state, depth, lists)
}

struct FilteredGenerators;

impl<W: Word> PerftGenerators<W> for FilteredGenerators {
    fn list(tables: &RuleTables<W>, state: &State<W>, moves: &mut MoveList) {
        generate_filtered(tables, state, moves);
    }
    fn count(tables: &RuleTables<W>, state: &State<W>) -> u64 {
        let mut count = MoveCount::default();
        generate_filtered(tables, state, &mut count);
        count.0
    }
    fn deeper(tables: &RuleTables<W>, state: &mut State<W>, depth: u32, lists: &mut [MoveList]) -> u64 {
        perft_filtered(tables, state, depth, lists)
    }
}

fn perft_filtered<W: Word>(
    tables: &RuleTables<W>,
    state: &mut State<W>,
    depth: u32,
    lists: &mut [MoveList],
) -> u64 {
    perft_body::<W, FilteredGenerators>(tables, state, depth, lists)
}

struct PortableGenerators;

impl<W: Word> PerftGenerators<W> for PortableGenerators {
    fn list(tables: &RuleTables<W>, state: &State<W>, moves: &mut MoveList) {
        generate_portable(tables, state, moves);
    }
    fn count(tables: &RuleTables<W>, state: &State<W>) -> u64 {
        let mut count = MoveCount::default();
        generate_portable(tables, state, &mut count);
        count.0
    }
    fn deeper(tables: &RuleTables<W>, state: &mut State<W>, depth: u32, lists: &mut [MoveList]) -> u64 {
        perft_portable(tables, state, depth, lists)
    }
}

fn perft_portable<W: Word>(
    tables: &RuleTables<W>,
    state: &mut State<W>,
    depth: u32,
    lists: &mut [MoveList],
) -> u64 {
    perft_body::<W, PortableGenerators>(tables, state, depth, lists)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{CompiledRules, Game};
    use crate::moves::Move;
    use crate::position::Position;
    use crate::with_line;

    /// What a processor without the instructions gets, sorted; counting and listing must agree.
    fn anywhere<W: Word>(position: &Position<W>) -> Vec<Move> {
        let (mut list, mut count) = (MoveList::new(), MoveCount::default());
        generate_portable(position.tables(), position.state(), &mut list);
        generate_portable(position.tables(), position.state(), &mut count);
        assert_eq!(count.0, list.len() as u64);
        if position.tables().filters_moves {
            keep_legal(position.tables(), position.state(), &mut list);
        }
        let mut moves = list.to_vec();
        moves.sort_unstable();
        moves
    }

    #[test]
    fn every_processor_gets_the_same_moves() {
        let mut seed = 5u64;
        for name in ashta_rules::game_names() {
            let rules = ashta_rules::load(name).expect("the library is sound");
            // `Game` does not play contests; `contest_turns.rs` tests them.
            if rules.contest().is_some() {
                continue;
            }
            let rules = CompiledRules::new(rules);
            let mut game = Game::start(&rules);
            for _ in 0..80 {
                let mut moves = game.legal_moves();
                moves.sort_unstable();
                let told = with_line!(game.line(), line => anywhere(line.position()));
                assert_eq!(told, moves, "{name} {}", game.text());
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                game.play_unchecked(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
    }
}
