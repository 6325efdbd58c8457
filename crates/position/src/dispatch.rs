//! Choosing the compiled generator: by what the game needs and by what the processor can do.
//!
//! In: tables, a state, a sink. Out: a call of the one generator body, specialised. Never: rules.
//!
//! A plain `cargo build` reaches full speed this way: everything below these functions is inlined into them, and they
//! are compiled for the instructions that they were chosen for.

use crate::generate::generate_body;
use crate::groups::{Exchanges, Groups};
use crate::sink::{Any, Count, MoveList, Sink};
use crate::state::State;
use crate::tables::{Tables, features};
use crate::wanted::Wanted;
use crate::word::{Wide, Word};

/// Whether this processor gathers and spreads bits.
pub fn gathers() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("lzcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// A generator compiled for one word, one sink, one set of features and some instructions of the processor.
// It is unsafe to call on a processor that lacks them.
pub type Generate<W, S> = unsafe fn(&Tables<W>, &State<W>, &mut S);

/// The generators that serve a game on this processor, one for each sink.
///
/// They are chosen once, when rules are compiled, and called through pointers: nothing is asked in between, and no crate
/// that uses this one compiles the generators again.
#[derive(Clone, Copy, Debug)]
pub struct Generators<W> {
    pub(crate) count: Generate<W, Count>,
    pub(crate) any: Generate<W, Any>,
    pub(crate) list: Generate<W, MoveList>,
    pub(crate) groups: Generate<W, Groups<W>>,
    pub(crate) exchanges: Generate<W, Exchanges<W>>,
    pub(crate) wanted: Generate<W, Wanted<W>>,
}

impl<W: Word> Generators<W> {
    /// Those for a game that needs these features.
    pub fn new(needed: u8) -> Generators<W> {
        Generators {
            count: choose(needed),
            any: choose(needed),
            list: choose(needed),
            groups: choose(needed),
            exchanges: choose(needed),
            wanted: choose(needed),
        }
    }
}

fn choose<W: Word, S: Sink<W>>(needed: u8) -> Generate<W, S> {
    if gathers() { W::generator(needed) } else { generate_anywhere }
}

/// Which generators are compiled for a word; each costs seconds.
pub trait Compiled: Sized {
    /// The one for a game that needs these features, on a processor that [`gathers`].
    fn generator<S: Sink<Self>>(needed: u8) -> Generate<Self, S>
    where
        Self: Word;
}

macro_rules! compiled_for_each_need {
    ($word:ty) => {
        impl Compiled for $word {
            fn generator<S: Sink<Self>>(needed: u8) -> Generate<Self, S> {
                match needed {
                    features::PLAIN => generate_fast::<Self, S, { features::PLAIN }>,
                    features::DROPS => generate_fast::<Self, S, { features::DROPS }>,
                    _ => generate_fast::<Self, S, { features::EVERYTHING }>,
                }
            }
        }
    };
}
compiled_for_each_need!(u64);
compiled_for_each_need!(u128);

impl<const N: usize> Compiled for Wide<N>
where
    Wide<N>: Word,
{
    /// On large boards the look for something in hand is lost among the rest.
    fn generator<S: Sink<Self>>(needed: u8) -> Generate<Self, S> {
        match needed {
            features::PLAIN | features::DROPS => generate_fast::<Self, S, { features::DROPS }>,
            _ => generate_fast::<Self, S, { features::EVERYTHING }>,
        }
    }
}

/// Gives every legal move to the sink.
#[inline(always)]
pub fn generate<W: Word, S: Sink<W>>(tables: &Tables<W>, state: &State<W>, sink: &mut S) {
    // SAFETY: `Generators::new` chose a generator that this processor can run; tables are made nowhere else.
    // It earns the plain build 1.6 times the speed it has without.
    #[allow(unsafe_code)]
    unsafe {
        S::generator(&tables.generators)(tables, state, sink);
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "bmi1,bmi2,popcnt,lzcnt"))]
fn generate_fast<W: Word, S: Sink<W>, const F: u8>(tables: &Tables<W>, state: &State<W>, sink: &mut S) {
    generate_body::<W, S, F, true>(tables, state, sink);
}

/// Without those instructions, which is seldom: moves are listed and handed on.
fn generate_anywhere<W: Word, S: Sink<W>>(tables: &Tables<W>, state: &State<W>, sink: &mut S) {
    let mut list = MoveList::new();
    list_anywhere(tables, state, &mut list);
    list.iter().for_each(|mv| sink.single(*mv));
}

/// The one body compiled for them.
#[inline(never)]
fn list_anywhere<W: Word>(tables: &Tables<W>, state: &State<W>, list: &mut MoveList) {
    generate_body::<W, MoveList, { features::EVERYTHING }, false>(tables, state, list);
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
        let (mut list, mut count) = (MoveList::new(), Count::default());
        generate_anywhere(position.tables(), position.state(), &mut list);
        generate_anywhere(position.tables(), position.state(), &mut count);
        assert_eq!(count.0, list.len() as u64);
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
