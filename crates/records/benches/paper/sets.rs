//! The paper's three kinds of query sets, made from the collection: opening positions, partial shapes, the most frequent
//! positions; each with searches that find nothing.

use std::path::{Path, PathBuf};

use ashta_position::Game;
use ashta_records::index::states::{State, StateSpace, index_game};
use ashta_records::segment::SegmentBuilder;
use ashta_records::{Collection, CollectionWriter, Content, GameRecord, Query, survey};
use ashta_rules::{KindId, Setup, Side, Square};

pub const OPENING: &str = "opening positions";
pub const CASTLES: &str = "castles: shapes of few pieces";
pub const TESUJI: &str = "tesuji: shapes of many pieces";
pub const FREQUENT: &str = "most frequent positions";

pub struct QuerySet {
    pub name: &'static str,
    pub asked: Vec<Asked>,
}

/// A query, and the states that the paper's index intersects for it.
pub struct Asked {
    pub query: Query,
    pub states: Vec<u32>,
    pub is_exact: bool,
}

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

pub fn all(collection: &Collection) -> Vec<QuerySet> {
    vec![opening(collection), partial(collection, CASTLES), partial(collection, TESUJI), frequent(collection)]
}

fn game_at(collection: &Collection, game: usize, ply: usize) -> Game {
    let (segment, local) = collection.locate(game).expect("a game");
    let mut record_builder = segment.begin(collection.rules(), local).expect("a position");
    for mv in segment.moves(local).expect("moves").take(ply) {
        record_builder.play_unchecked(mv);
    }
    record_builder
}

fn whole(collection: &Collection, game: &Game) -> Asked {
    let states = states_of(collection.space(), &game.setup(), |_| true);
    Asked { query: Query::position(game), states, is_exact: true }
}

/// Every state of a position whose squares are chosen; hands come whole or not at all, as the paper's do.
fn states_of(space: &StateSpace, setup: &Setup, chosen: impl Fn(Square) -> bool) -> Vec<u32> {
    let board = setup.board.iter().enumerate().filter(|(n, _)| chosen(Square(*n as u8)));
    let on = board
        .filter_map(|(n, piece)| piece.map(|(side, kind)| State::On { side, kind, square: Square(n as u8) }));
    let mut states: Vec<State> = on.collect();
    for (side, hand) in setup.hands.iter().enumerate() {
        let held = hand.iter().enumerate().filter(|(_, count)| **count > 0);
        states.extend(held.map(|(kind, count)| State::Holds {
            side: Side(side as u8),
            kind: KindId(kind as u8),
            least: *count,
        }));
    }
    states.into_iter().filter_map(|state| space.number(state)).collect()
}

/// Fifty positions of 10 to 30 plies; one in seven is a move that nobody played away from one.
fn opening(collection: &Collection) -> QuerySet {
    let mut numbers = Numbers(1);
    let asked = (0..50).map(|n| {
        let game = numbers.below(collection.n_games());
        let mut game = game_at(collection, game, 10 + numbers.below(21));
        if n % 7 == 0 {
            for _ in 0..2 {
                let moves = game.legal_moves();
                if !moves.is_empty() {
                    game.play_unchecked(moves[numbers.below(moves.len())]);
                }
            }
        }
        whole(collection, &game)
    });
    QuerySet { name: OPENING, asked: asked.collect() }
}

/// A hundred shapes within a window of the board, from middle games; in two of three a piece stands where it did not, so
/// that many are found nowhere, as in the paper's set.
pub fn partial(collection: &Collection, name: &'static str) -> QuerySet {
    partial_of(collection, name, collection.n_games())
}

/// The same from the first games, so that a collection that grows is asked for the same shapes.
pub fn partial_of(collection: &Collection, name: &'static str, n_games: usize) -> QuerySet {
    let lengths = if name == CASTLES { 2..5 } else { 4..8 };
    let mut numbers = Numbers(2);
    let rules = collection.rules().rules();
    let grid = rules.grid();
    let mut asked = Vec::new();
    while asked.len() < 100 {
        let game = game_at(collection, numbers.below(n_games), 20 + numbers.below(50));
        let mut setup = game.setup();
        let mut length = || (lengths.start + numbers.below(lengths.len())) as u8;
        let (files, ranks) = (length(), length());
        let (file, rank) =
            (numbers.below(usize::from(grid.files())) as u8, numbers.below(usize::from(grid.ranks())) as u8);
        let chosen = |square: Square| {
            (file..file + files).contains(&grid.file(square))
                && (rank..rank + ranks).contains(&grid.rank(square))
        };
        let inside: Vec<Square> = grid.squares().filter(|square| chosen(*square)).collect();
        if asked.len() % 3 != 0 {
            let from = setup.board[inside[numbers.below(inside.len())].0 as usize];
            setup.board[inside[numbers.below(inside.len())].0 as usize] = from;
        }
        setup.hands.iter_mut().for_each(|hand| hand.fill(0));
        let states = states_of(collection.space(), &setup, chosen);
        if states.len() < 3 {
            continue;
        }
        let on = inside.iter().filter_map(|square| {
            setup.board[square.0 as usize].map(|piece| Query::On(*square, Content::OneOf(vec![piece])))
        });
        asked.push(Asked { query: Query::All(on.collect()), states, is_exact: false });
    }
    QuerySet { name, asked }
}

fn frequent(collection: &Collection) -> QuerySet {
    let surveyed = survey(collection, 100, &mut |_| {}).expect("surveyed");
    let positions =
        surveyed.frequent.iter().map(|position| game_at(collection, position.game, position.ply.into()));
    QuerySet { name: FREQUENT, asked: positions.map(|game| whole(collection, &game)).collect() }
}

/// A collection of random games, for machines without the shared data.
pub fn random_collection(folder: &Path) -> PathBuf {
    let folder = folder.join("random");
    let rules =
        ashta_position::CompiledRules::new(ashta_rules::load("shogi").expect("a game of the library"));
    let mut writer = CollectionWriter::open(&folder, &rules, "shogi").expect("a collection");
    let mut builder = SegmentBuilder::new(writer.space().clone(), 2);
    let mut numbers = Numbers(3);
    for _ in 0..4000 {
        let mut game = Game::start(&rules);
        for ply in 0..80 {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Few choices at first: openings come again.
            let n_choices = if ply < 10 { 3 } else { moves.len() };
            game.play_unchecked(moves[numbers.below(n_choices.min(moves.len()))]);
        }
        let record = GameRecord { moves: game.moves(), ..GameRecord::default() };
        let mut game = Game::start(&rules);
        record.moves.iter().for_each(|mv| game.play_unchecked(*mv));
        let indexed = index_game(writer.space(), game);
        builder.push(&record, &indexed);
    }
    writer.commit(builder).expect("committed");
    folder
}
