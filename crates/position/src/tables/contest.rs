//! What a contest needs beyond the moves of pieces: numbers, blocks, thrones, promotions.

use ashta_rules::{
    Choice, ContestRules, CountOfWaiting, FallenOnThrone, KindId, Rules, Side, Square, Targets, Throne,
    Waiting,
};

use super::attack_table::AttackTables;
use super::compile::{SideCompiler, kind_mask};
use super::geometry::word_of;
use super::promotion::file_for;
use super::{ContestClasses, MoveClasses, SideTables, features};
use crate::word::{PerSquare, Word};

/// A contest's rules, compiled.
#[derive(Debug)]
pub struct ContestTables<W> {
    /// The numbers that move pieces, ascending; a number's place here is its class. Without dice one class has all.
    pub numbers: Vec<u8>,
    /// What the game needs of a generator.
    pub features: u8,
    /// The class of each kind.
    pub class_of_kind: [u8; 64],
    /// The team of each side.
    pub teams: [u8; 4],
    /// By side: the sides of its team and itself, as bits.
    pub partners: [u8; 4],
    /// How many sides there are.
    pub n_sides: u8,
    /// Each side's throne.
    pub thrones: [W; 4],
    /// The same, where a royal piece taken there by another counts twice.
    pub doubled: [W; 4],
    /// Blocks that capture when they are full.
    pub blocks: Blocks<W>,
    /// Squares of a block.
    pub block_size: u32,
    /// Kinds that fill blocks, as bits.
    pub block_kinds: u64,
    /// Where each side's royal piece comes back.
    pub returns: [W; 4],
    /// What comes back.
    pub royal_kind: KindId,
    /// Royal kinds, as bits.
    pub royal_kinds: u64,
    /// Kinds that promote.
    pub promoting: Vec<Promoting<W>>,
    /// Points for the capture of each kind.
    pub points: [u16; 64],
    /// How pieces move that only leap and ride.
    pub attack_tables: AttackTables<W>,
}

/// How a kind promotes in a contest.
#[derive(Debug)]
pub struct Promoting<W> {
    /// Which kind.
    pub kind: KindId,
    /// Where, for each side.
    pub zones: [W; 4],
    /// By side: what it becomes on a square; nothing where it stays.
    pub targets: Vec<PerSquare<Option<KindId>>>,
    /// By what it becomes: kinds, and how many of each its side may have at most.
    pub most: Vec<(KindId, Vec<(KindId, u8)>)>,
    /// What becomes of a piece that may promote only later.
    pub waiting: Waiting,
    /// Whether pieces that wait are counted.
    pub waiting_count: CountOfWaiting,
    /// Whether a piece may stay as it is.
    pub choice: Choice,
}

impl<W: Word> ContestTables<W> {
    /// Compiles the contest of a game, if it is one.
    pub fn new(rules: &Rules, sides: &[SideTables<W>]) -> Option<ContestTables<W>> {
        let contest = rules.contest()?;
        let royal: Vec<KindId> = rules.kind_ids().filter(|kind| rules.kind(*kind).royal).collect();
        let per_side = |set: &dyn Fn(usize) -> W| {
            std::array::from_fn(|side| if side < rules.sides().len() { set(side) } else { W::ZERO })
        };
        let block_kinds = contest.block.as_ref().map_or(0, |block| kind_mask(&block.kinds));
        Some(ContestTables {
            numbers: numbers(contest),
            features: needed(sides),
            class_of_kind: std::array::from_fn(|kind| {
                rules.kinds().get(kind).map_or(0, |kind| class_of(contest, kind.number))
            }),
            teams: std::array::from_fn(|side| rules.sides().get(side).map_or(0, |side| side.team)),
            partners: std::array::from_fn(|side| {
                let team = |side: usize| rules.sides().get(side).map(|side| side.team);
                (0..4).fold(0, |all, other| all | u8::from(team(other) == team(side)) << other)
            }),
            n_sides: rules.sides().len() as u8,
            thrones: per_side(&|side| {
                contest.throne.as_ref().map_or(W::ZERO, |throne| W::from_set(&throne.squares[side]))
            }),
            doubled: per_side(&|side| {
                let doubles = |throne: &&Throne| throne.fallen == FallenOnThrone::CountsTwice;
                let throne = contest.throne.as_ref().filter(doubles);
                throne.map_or(W::ZERO, |throne| W::from_set(&throne.squares[side]))
            }),
            blocks: Blocks::new(rules, contest),
            block_size: contest.block.as_ref().map_or(0, |block| u32::from(block.files * block.ranks)),
            block_kinds,
            returns: per_side(&|side| W::from_set(&contest.captives.place[side])),
            royal_kind: royal.first().copied().unwrap_or(KindId(0)),
            royal_kinds: kind_mask(&royal),
            promoting: rules.kind_ids().filter_map(|kind| Promoting::new(rules, kind)).collect(),
            points: std::array::from_fn(|kind| {
                rules
                    .kinds()
                    .get(kind)
                    .and_then(|kind| kind.value)
                    .map_or(0, |value| value.clamp(0.0, 1e3) as u16)
            }),
            attack_tables: AttackTables::new(sides.iter().filter_map(|side| side.contest.as_ref())),
        })
    }

    /// The sides in their order.
    #[inline(always)]
    pub fn sides(&self) -> impl DoubleEndedIterator<Item = Side> + Clone + use<W> {
        (0..self.n_sides).map(Side)
    }
}

impl<W: Word> Promoting<W> {
    fn new(rules: &Rules, kind: KindId) -> Option<Promoting<W>> {
        let rule = rules.kind(kind).promotion.as_ref()?;
        let target = |side: usize, square: Square| match &rule.to {
            Targets::Kinds(kinds) => kinds.first().copied(),
            Targets::ByFile(kinds) => {
                kinds.get(file_for(rules, Side(side as u8), square) as usize).copied().flatten()
            }
        };
        let targets = |side: usize| {
            let mut table = PerSquare::filled(None);
            for square in rule.zone[side].iter() {
                *table.at_mut(square) = target(side, square);
            }
            table
        };
        let most = rule.company.iter().map(|company| (company.target, company.most.clone()));
        Some(Promoting {
            kind,
            zones: std::array::from_fn(|side| rule.zone.get(side).map_or(W::ZERO, |zone| W::from_set(zone))),
            targets: (0..rules.sides().len()).map(targets).collect(),
            most: most.collect(),
            waiting: rule.waiting,
            waiting_count: rule.waiting_count,
            choice: rule.choice,
        })
    }
}

/// The numbers on the dice, ascending; without dice there is one, which moves everything.
fn numbers(contest: &ContestRules) -> Vec<u8> {
    let Some(dice) = &contest.dice else { return vec![0] };
    let mut numbers = dice.faces.clone();
    numbers.sort_unstable();
    numbers
}

fn class_of(contest: &ContestRules, number: Option<u8>) -> u8 {
    let class = number.and_then(|number| numbers(contest).iter().position(|n| *n == number));
    class.unwrap_or(0) as u8
}

/// Blocks by the squares they hold.
#[derive(Debug)]
pub struct Blocks<W>(Vec<Vec<W>>);

impl<W: Word> Blocks<W> {
    fn new(rules: &Rules, contest: &ContestRules) -> Blocks<W> {
        let all = blocks::<W>(rules, contest);
        let of = |square: Square| all.iter().filter(|block| block.has(square)).copied().collect();
        Blocks(if all.is_empty() { Vec::new() } else { rules.grid().places().map(of).collect() })
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that hold a square.
    #[inline(always)]
    pub fn at(&self, square: Square) -> &[W] {
        self.0.get(square.index()).map_or(&[], Vec::as_slice)
    }
}

fn blocks<W: Word>(rules: &Rules, contest: &ContestRules) -> Vec<W> {
    let Some(block) = &contest.block else { return Vec::new() };
    let grid = rules.grid();
    let squares = |corner: Square| -> Option<W> {
        let offsets = (0..block.files).flat_map(|file| (0..block.ranks).map(move |rank| (file, rank)));
        let squares = offsets.map(|(file, rank)| {
            grid.at(i16::from(grid.file(corner) + file), i16::from(grid.rank(corner) + rank))
        });
        squares.collect::<Option<Vec<Square>>>().map(word_of)
    };
    grid.squares().filter_map(squares).collect()
}

/// Whether the plain generator serves, or the one that knows everything.
fn needed<W: Word>(sides: &[SideTables<W>]) -> u8 {
    let plain = |classes: &MoveClasses<W>| {
        let spares =
            |class: &super::MoveClass<W>| class.spares == super::KindGroup::NONE && !class.first_move;
        classes.lame_leaps.is_empty()
            && classes.hops.is_empty()
            && classes.bent_rides.is_empty()
            && classes.overlapping.is_empty()
            && classes.steps.iter().all(|steps| spares(&steps.class))
            && classes.leaps.iter().all(|leaps| spares(&leaps.class))
            && classes.rides.iter().all(|rides| spares(&rides.class))
    };
    let all = sides.iter().filter_map(|side| side.contest.as_ref());
    let plain = all.flat_map(|contest| contest.by_number.iter().chain(&contest.by_kind)).all(plain);
    if plain { features::PLAIN } else { features::EVERYTHING }
}

impl SideCompiler<'_> {
    /// How the side moves, by number and by kind.
    pub(super) fn contest_units<W: Word>(&self, contest: &ContestRules) -> ContestClasses<W> {
        let classes = 0..numbers(contest).len() as u8;
        let of_class = |class: u8| {
            let mut classes = MoveClasses::empty();
            for kind in self.rules.kind_ids() {
                if class_of(contest, self.rules.kind(kind).number) == class {
                    self.add_kind(kind, &mut classes);
                }
            }
            classes
        };
        let of_kind = |kind: KindId| {
            let mut classes = MoveClasses::empty();
            self.add_kind_apart(kind, &mut classes);
            classes
        };
        let block = contest.block.as_ref().map_or(0, |block| kind_mask(&block.kinds));
        ContestClasses {
            by_number: classes.map(of_class).collect(),
            by_kind: self.rules.kind_ids().map(of_kind).collect(),
            kinds: self.rules.kind_ids().map(|kind| self.group(kind)).collect(),
            block: self.groups.group(block),
        }
    }
}
