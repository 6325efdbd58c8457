//! The laws of every game: what must hold in any position that random play reaches, whatever the rules.
//!
//! The slow twin knows nothing of bitboards or tables; where the two agree on every game, either is right or both read
//! the rules wrongly in the same way. `ASHTA_DEEP=1` asks for twenty times as many positions, from new seeds.

use crate::twin;
use crate::twin::Twin;
use crate::walk;
use crate::walk::SplitMix64;
use ashta_position::notation::{read_coordinates, write_coordinates};
use ashta_position::{CompiledRules, Game, Line, Move, MoveGroups, Position, Word, with_line};
use ashta_rules::{Coordinates, Grid, Rules, Setup, Side, Square, Targets, Wraps};
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Random games are followed this far.
const MAX_PLIES: usize = 150;

/// A law: what it says is broken, if anything.
type Law = fn(&CompiledRules, &Game) -> Result<(), String>;

/// Combinations that have rules of more than one change at work.
const COMBINATIONS: &[&str] = &[
    "shatranj+double-step+queen-and-bishop+castling+stalemate-draws+promotes-to-any",
    "shatranj+double-step-and-en-passant+queen-and-bishop+castling",
    "shatranj+double-step+queen-and-bishop+paper-001",
    "chaturanga+king-leap+dabbaba-elephants",
    "chaturanga+king-leap+facing-kings-and-mantri+silver-elephants",
    "heian-shogi+board-9x9+two-rank-zone",
    "grant-acedrex+murray-lion+double-step",
];

fn check_everywhere(law: Law) {
    let mut specs = walk::every_game_and_change();
    specs.extend(COMBINATIONS.iter().map(|spec| spec.to_string()));
    let broken = walk::in_parallel(&specs, |spec| check_one_game(spec, law).err());
    let broken: Vec<String> = broken.into_iter().flatten().collect();
    assert!(broken.is_empty(), "\n{}", broken.join("\n\n"));
}

/// A case is a seed and a number of plies, so that proptest shrinks a broken law to the shortest game that breaks it.
fn check_one_game(spec: &str, law: Law) -> Result<(), String> {
    let rules = walk::compile(spec);
    let cases = if spec.contains('+') { 16 } else { 64 };
    let cases = if walk::is_deep() { 20 * cases } else { cases };
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2000, ..Config::default() };
    let mut runner = match walk::is_deep() {
        true => TestRunner::new(config),
        false => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    };
    let outcome = runner.run(&(any::<u64>(), 0..=MAX_PLIES), |(seed, plies)| {
        let game = walk::walk(&rules, seed, plies);
        let place = || format!("{spec}: {}\nseed {seed}, {plies} plies", game.text());
        law(&rules, &game).map_err(|broken| TestCaseError::fail(format!("{}\n{broken}", place())))
    });
    outcome.map_err(|error| error.to_string())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}\n   found {found:?}\nexpected {expected:?}")),
    }
}

/// The legal moves, sorted. A pass names no squares: which of several pieces steps out and back depends on the order of
/// the board.
fn texts(game: &Game) -> Vec<String> {
    let text = |(text, mv): (String, Move)| if mv == Move::PASS { "0000".to_string() } else { text };
    let mut texts: Vec<String> = walk::moves_by_text(game).into_iter().map(text).collect();
    texts.sort_unstable();
    texts
}

/// Positions found by these laws, with what was wrong.
fn check_positions(positions: &[(&str, &str)]) {
    let broken = positions.iter().filter_map(|(spec, text)| {
        let rules = walk::compile(spec);
        let game = Game::from_text(&rules, text).unwrap_or_else(|error| panic!("{spec}: {text}: {error}"));
        Some(format!("{spec}: {text}\n{}", agrees_with_twin(&rules, &game).err()?))
    });
    let broken: Vec<String> = broken.collect();
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn positions_that_broke_a_law() {
    // The eagle's king steps were given again with its lines.
    check_positions(&[("tori-shogi", "1r2F1l/Pc2c2/ss3pS/1kSSSsR/cP1s3/S2l2C/K1+s+fSP1 w 5S 70")]);
}

#[test]

fn two_checks_with_one_answer() {
    let bent =
        "2Ug8/10k1/3r2hr4/puhp1G1pUp1p/4a1pHl1p1/1p5PL3/4p6l/5P2PPP1/PPLPP2K3P/G11/3A8/R6H4 w @ - 5 53";
    check_positions(&[("grant-acedrex", bent)]);
}

#[test]

fn becoming_royal_in_check() {
    check_positions(&[
        ("sho-shogi", "s6+P1/l3esg2/1g1pk3l/ppE2pp2/L1p1Pr2p/S1PG4P/6P1R/5+n1GL/1N3K1N1 b - 109"),
        ("sho-shogi", "2k5b/l+S4r2/n6+NP/p4p3/P2PEg2L/5e1P1/1K2gP3/3G2S2/L3G4 w - 126"),
    ]);
}

fn agrees_with_twin(rules: &CompiledRules, game: &Game) -> Result<(), String> {
    let twin = Twin::new(rules.rules(), &game.setup());
    same("the position", &game.setup(), &twin.setup())?;
    same("check", &game.is_in_check(), &twin.is_in_check())?;
    let mut expected: Vec<(String, twin::TwinMove)> =
        twin.legal_moves().into_iter().map(|mv| (twin.text(&mv), mv)).collect();
    expected.sort_by(|a, b| a.0.cmp(&b.0));
    let names: Vec<String> = expected.iter().map(|(text, _)| text.clone()).collect();
    let found: Vec<String> = walk::moves_by_text(game).into_iter().map(|(text, _)| text).collect();
    if found != names {
        return Err(walk::difference(["fast", "slow"], [&found, &names]));
    }
    let mut after = game.clone();
    for ((text, mv), (_, slow)) in walk::moves_by_text(game).into_iter().zip(&expected) {
        let mut twin = twin.clone();
        twin.play(slow);
        after.play_unchecked(mv);
        same(&format!("the position after {text}"), &after.setup(), &twin.setup())?;
        after.take_back();
    }
    Ok(())
}

#[test]
fn moves_are_those_of_the_slow_twin_and_lead_where_its_moves_lead() {
    check_everywhere(agrees_with_twin);
}

#[test]
fn listed_is_legal_and_nothing_else_is() {
    check_everywhere(|_, game| {
        let listed = walk::moves_by_text(game);
        for (text, mv) in &listed {
            same(&format!("whether {text} is legal"), &game.is_legal(*mv), &true)?;
            same(&format!("reading {text}"), &read_coordinates(game, text), &Ok(*mv))?;
        }
        // Moves that were legal a ply ago, and pairs of squares.
        let mut before = game.clone();
        before.take_back();
        let stale = before.legal_moves().into_iter().filter(|mv| listed.iter().all(|(_, l)| l != mv));
        for mv in stale {
            same(&format!("whether {mv:?} is legal"), &game.is_legal(mv), &false)?;
        }
        let grid = game.rules().grid();
        let mut random = SplitMix64(game.key());
        for _ in 0..60 {
            let squares = [(); 2].map(|()| Square(random.below(grid.n_squares()) as u8));
            let text = format!("{}{}", grid.name(squares[0]), grid.name(squares[1]));
            let is_listed = listed.iter().any(|(listed, _)| *listed == text);
            same(&format!("whether {text} is legal"), &read_coordinates(game, &text).is_ok(), &is_listed)?;
        }
        Ok(())
    });
}

#[test]
fn counting_grouping_and_asking_agree_with_listing() {
    fn law<W: Word>(position: &Position<W>) -> Result<(), String> {
        let mut list = position.legal_moves();
        let mut groups = MoveGroups::new();
        position.generate(&mut groups);
        let picked: Vec<_> = (0..groups.len()).map(|n| groups.pick(n)).collect();
        same("the count", &position.count_legal_moves(), &(list.len() as u64))?;
        same("whether there is a move", &position.has_legal_move(), &!list.is_empty())?;
        same("the grouped moves", &picked, &list)?;
        list.sort_unstable();
        let n_listed = list.len();
        list.dedup();
        same("each move once", &n_listed, &list.len())
    }
    check_everywhere(|_, game| with_line!(game.line(), line => law(line.position())));
}

#[test]
fn taking_back_restores_everything() {
    fn law<W: Word>(line: &Line<W>) -> Result<(), String> {
        let (mut position, before) = (line.position().clone(), line.position().clone());
        for mv in position.legal_moves() {
            let undo = position.play_unchecked(mv);
            position.take_back(mv, undo);
            if position.state() != before.state() {
                let what = format!("{mv:?} played and taken back");
                same(&what, &position.setup(), &before.setup())?;
                return Err(format!("{what} leaves another state under the same setup"));
            }
        }
        // All the way to the start, too.
        let mut line = line.clone();
        while line.take_back().is_some() {}
        let start = Position::start(before.tables().clone());
        same("the start, all moves taken back", &line.position().setup(), &start.setup())?;
        same("the state of the start", &(line.position().state() == start.state()), &true)
    }
    check_everywhere(|_, game| with_line!(game.line(), line => law(line)));
}

#[test]
fn the_incremental_key_is_that_of_a_fresh_position() {
    fn law<W: Word>(position: &Position<W>) -> Result<(), String> {
        let fresh = Position::new(position.tables().clone(), &position.setup());
        let fresh = fresh.map_err(|error| format!("not a position: {error}"))?;
        same("the setup", &fresh.setup(), &position.setup())?;
        same("the key", &position.key(), &fresh.key())?;
        same("the state", &(position.state() == fresh.state()), &true)
    }
    check_everywhere(|_, game| with_line!(game.line(), line => law(line.position())));
}

#[test]
fn what_is_written_is_read_again() {
    check_everywhere(|rules, game| {
        let mut written = game.setup();
        let text = game.text();
        let read = Setup::read(&text, rules.rules()).map_err(|error| format!("{text}: {error}"))?;
        if rules.rules().grid().coordinates() == Coordinates::Numbers {
            // SFEN has no field for plies without progress.
            written.quiet = 0;
        }
        same(&text, &read, &written)?;
        same("the key", &Game::from_text(rules, &text).map(|game| game.key()), &Ok(game.key()))
    });
}

#[test]
fn a_turned_position_has_turned_moves() {
    check_everywhere(|rules, game| {
        for turning in Turning::ALL.into_iter().filter(|turning| turning.suits(rules.rules())) {
            let setup = turning.setup(rules.rules(), &game.setup());
            let turned = Game::from_setup(rules, &setup).map_err(|error| format!("{turning:?}: {error}"))?;
            same(&format!("check, {turning:?}"), &turned.is_in_check(), &game.is_in_check())?;
            let mut expected: Vec<String> =
                texts(game).iter().map(|text| turning.text(rules.rules(), text)).collect();
            expected.sort_unstable();
            let found = texts(&turned);
            if found != expected {
                let lists = walk::difference(["turned", "expected"], [&found, &expected]);
                return Err(format!("{turning:?}: {}\n{lists}", turned.text()));
            }
        }
        Ok(())
    });
}

/// Games that do not look the same to both sides, with what differs.
const LOPSIDED: &[(&str, &str)] = &[
    ("horde", "one side has pawns only"),
    ("janggi+cho-elephants-outside", "one side's array"),
    ("janggi+cho-left-elephant-outside", "one side's array"),
    ("janggi+cho-right-elephant-outside", "one side's array"),
    ("janggi+han-elephants-outside", "one side's array"),
    ("janggi+han-left-elephant-outside", "one side's array"),
    ("janggi+han-right-elephant-outside", "one side's array"),
    ("manchu", "one side has a banner in place of most pieces"),
    ("manchu+perpetual-chase", "one side has a banner in place of most pieces"),
    ("racing-kings", "both sides start on the same ranks"),
    ("shatranj-ar-rumiya+king-faces-ferz", "kings stand crosswise around the ring"),
];

/// Every other game of the library looks the same to both sides.
#[test]
fn every_game_can_be_turned() {
    let specs = walk::every_game_and_change();
    let lopsided = specs.iter().filter(|spec| {
        let rules = walk::compile(spec);
        !Turning::ALL.into_iter().any(|turning| turning.suits(rules.rules()))
    });
    let listed = LOPSIDED.iter().map(|(spec, _)| spec.to_string());
    assert_eq!(lopsided.cloned().collect::<Vec<_>>(), listed.collect::<Vec<_>>());
}

/// A way of giving each side the other's place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turning {
    /// By half a turn: what both sides see stays the same, left and right included.
    Half,
    /// Ranks in reverse: left becomes right.
    Mirror,
    /// Halfway around a ring: everything looks the same from there.
    Around,
}

impl Turning {
    const ALL: [Turning; 3] = [Turning::Half, Turning::Mirror, Turning::Around];

    fn square(self, grid: Grid, square: Square) -> Square {
        let (file, rank) = (grid.file(square) as i16, grid.rank(square) as i16);
        let (right, top) = (grid.files() as i16 - 1, grid.ranks() as i16 - 1);
        let (file, rank) = match self {
            Turning::Half => (right - file, top - rank),
            Turning::Mirror => (file, top - rank),
            Turning::Around => ((file + (right + 1) / 2) % (right + 1), rank),
        };
        Square((file * grid.ranks() as i16 + rank) as u8)
    }

    /// Whether the rules are the same after turning.
    fn suits(self, rules: &Rules) -> bool {
        let grid = rules.grid();
        let is_hole = |place: Square| grid.holes().has(place);
        if !grid.places().all(|place| is_hole(place) == is_hole(self.square(grid, place))) {
            return false;
        }
        let board_turns =
            rules.sides().len() == 2 && self.setup(rules, rules.start()).board == rules.start().board;
        let castlings_turn = rules.castlings().iter().all(|c| self.castling(rules, c).is_some());
        let is_ring = rules.grid().wraps() == Wraps::Files;
        let looks_alike = match self {
            Turning::Half => !is_ring,
            Turning::Around => is_ring,
            Turning::Mirror if is_ring => false,
            Turning::Mirror => rules.kinds().iter().all(|kind| {
                let parts_mirror = kind.moves.iter().all(|part| {
                    let steps = &part.movement.steps;
                    let mirrors = |step: &ashta_rules::Delta| {
                        steps.iter().any(|other| (other.file, other.rank) == (-step.file, step.rank))
                    };
                    steps.iter().all(mirrors)
                });
                let files_mirror = match kind.promotion.as_ref().map(|promotion| &promotion.to) {
                    Some(Targets::ByFile(kinds)) => kinds.iter().eq(kinds.iter().rev()),
                    Some(Targets::Kinds(_)) | None => true,
                };
                parts_mirror && files_mirror
            }),
        };
        board_turns && castlings_turn && looks_alike
    }

    /// The number of the castling that mirrors another.
    fn castling(self, rules: &Rules, castling: &ashta_rules::Castling) -> Option<usize> {
        let turn =
            |way: (Square, Square)| (self.square(rules.grid(), way.0), self.square(rules.grid(), way.1));
        let (royal, partner) = (turn(castling.royal), turn(castling.partner));
        rules
            .castlings()
            .iter()
            .position(|other| other.side != castling.side && other.royal == royal && other.partner == partner)
    }

    fn setup(self, rules: &Rules, setup: &Setup) -> Setup {
        let grid = rules.grid();
        let mut turned = setup.clone();
        for square in grid.squares() {
            let piece = setup.board[square.0 as usize].map(|(side, kind)| (Side(1 - side.0), kind));
            turned.board[self.square(grid, square).0 as usize] = piece;
        }
        turned.hands.reverse();
        turned.turn = 1 - setup.turn;
        turned.en_passant = setup.en_passant.map(|square| self.square(grid, square));
        turned.remembered_capture = setup.remembered_capture.map(|square| self.square(grid, square));
        turned.rights = self.rights(rules, setup.rights);
        turned
    }

    fn rights(self, rules: &Rules, rights: u32) -> u32 {
        let n_castlings = rules.n_castling_rights();
        // The castlings of one right have images of one right.
        let of_right = |n: usize| rules.castlings().iter().find(|c| usize::from(c.right) == n);
        let image = |c: &ashta_rules::Castling| {
            self.castling(rules, c).map(|n| usize::from(rules.castlings()[n].right))
        };
        let castlings = (0..n_castlings).map(|n| of_right(n).and_then(image));
        let first_moves = rules.first_move_squares().iter().map(|square| {
            let turned = self.square(rules.grid(), *square);
            rules.first_move_squares().iter().position(|other| *other == turned).map(|n| n_castlings + n)
        });
        let images = castlings.chain(first_moves).enumerate();
        let turned = images
            .filter(|(n, _)| rights >> n & 1 == 1)
            .fold(0, |set, (_, image)| set | image.map_or(0, |n| 1 << n));
        turned | self.check_rights(rules, rights)
    }

    /// The checks that are still to be given change sides; the highest bits are the first to go.
    fn check_rights(self, rules: &Rules, rights: u32) -> u32 {
        let of_other = |side: u8| {
            let left = (rights & rules.check_rights(Side(side))).count_ones();
            let others = rules.check_rights(Side(1 - side));
            let bits = (0..32).map(|n| 1 << n).filter(|bit| others & bit != 0);
            bits.take(left as usize).fold(0, |set, bit: u32| set | bit)
        };
        if rules.ends().checks.is_some() { of_other(0) | of_other(1) } else { 0 }
    }

    /// A move's text with its squares turned.
    fn text(self, rules: &Rules, text: &str) -> String {
        let grid = rules.grid();
        if let Some((kind, to)) = text.split_once(['@', '*']) {
            let (square, _) = grid.read_square(to).expect("a drop ends on a square");
            let sign = &text[kind.len()..=kind.len()];
            return format!("{kind}{sign}{}", grid.name(self.square(grid, square)));
        }
        // Two squares, or three of a move of two legs.
        let (mut turned, mut rest) = (String::new(), text);
        while let Some((square, after)) = grid.read_square(rest) {
            turned += &grid.name(self.square(grid, square)).to_string();
            rest = after;
        }
        turned + rest
    }
}

/// Two games with one key would be one to a table of positions: coordinates alone must tell the moves apart.
#[test]
fn coordinates_name_each_move_once() {
    check_everywhere(|_, game| {
        let mut names: Vec<String> =
            game.legal_moves().iter().map(|mv| write_coordinates(game, *mv)).collect();
        names.sort_unstable();
        let repeated: Vec<&String> =
            names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
        same("moves with the same text", &repeated, &Vec::new())
    });
}
