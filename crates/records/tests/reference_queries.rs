//! Every query gives the result of a naive scan over all positions, on random collections of several games.

use std::sync::atomic::AtomicBool;

use crate::common::{Numbers, collection, compiled, random_record};
use ashta_position::{Action, CompiledRules, Move};
use ashta_records::query::naive::Positions;
use ashta_records::{
    Collection, Content, GameFilter, GameRecord, GameResult, Query, QueryRunError, TimeBudget, read_query,
    write_query,
};
use ashta_rules::{KindId, Side, Square};
use proptest::prelude::*;

/// Games whose rules differ in what an index must know: hands, castling, promotion, large boards, set-up by hand.
const GAMES: [&str; 6] = ["shogi", "chess", "minishogi", "xiangqi", "sittuyin", "courier"];

/// A random query that often finds something: its conditions are true somewhere in the records.
fn random_query(records: &[GameRecord], rules: &CompiledRules, numbers: &mut Numbers, depth: usize) -> Query {
    let one = |numbers: &mut Numbers| Box::new(random_query(records, rules, numbers, depth - 1));
    if depth > 0 {
        match numbers.below(15) {
            9 => return Query::Game(one(numbers)),
            8 => {
                let least = numbers.below(6) as u16;
                let most = if numbers.below(2) == 0 { u16::MAX } else { least + numbers.below(6) as u16 };
                return Query::Lasting(one(numbers), least, most);
            }
            0 | 1 => {
                let n = 2 + numbers.below(3);
                return Query::All((0..n).map(|_| *one(numbers)).collect());
            }
            2 => return Query::Any((0..2).map(|_| *one(numbers)).collect()),
            3 => return Query::Not(one(numbers)),
            4 => return Query::Then(one(numbers), one(numbers)),
            5 => return Query::Mirrored(one(numbers)),
            6 => return Query::Swapped(one(numbers)),
            7 => return Query::Anywhere(one(numbers)),
            _ => {}
        }
    }
    random_condition(records, rules, numbers)
}

fn random_condition(records: &[GameRecord], rules: &CompiledRules, numbers: &mut Numbers) -> Query {
    let record = &records[numbers.below(records.len())];
    let mut game = record.begin(rules).expect("a position");
    for mv in &record.moves[..numbers.below(record.moves.len() + 1)] {
        game.play_unchecked(*mv);
    }
    let setup = game.setup();
    let square = Square(numbers.below(setup.board.len()) as u8);
    let hand_kinds: Vec<_> =
        rules.rules().kind_ids().filter(|k| rules.rules().kind(*k).drop.is_some()).collect();
    match numbers.below(13) {
        7 | 8 => {
            let of_all = |piece: &Option<_>| *piece;
            let standing: Vec<(Side, KindId)> = setup.board.iter().filter_map(of_all).collect();
            let n_pieces = 1 + numbers.below(3);
            let pieces: Vec<_> = (0..n_pieces).map(|_| standing[numbers.below(standing.len())]).collect();
            let n = standing.iter().filter(|piece| pieces.contains(piece)).count() as u16;
            let below = numbers.below(3) as u16;
            Query::Count(pieces, n.saturating_sub(below), [n, u16::MAX][numbers.below(2)])
        }
        0 if !hand_kinds.is_empty() => {
            let (side, kind) = (numbers.below(2), hand_kinds[numbers.below(hand_kinds.len())]);
            let held = setup.hands[side][kind.index()];
            match numbers.below(3) {
                0 => Query::Holds(Side(side as u8), kind, held, u8::MAX),
                1 => Query::Holds(Side(side as u8), kind, held, held),
                _ => Query::Holds(Side(side as u8), kind, 0, held),
            }
        }
        1 => Query::Turn(Side(numbers.below(2) as u8)),
        2 => {
            let from = numbers.below(20) as u16;
            Query::Ply(from, from + numbers.below(20) as u16)
        }
        3 => Query::position(&game),
        4 => Query::Games(random_filter(numbers)),
        5 => Query::On(square, Content::Empty),
        6 => Query::On(square, Content::Occupied),
        _ => {
            let occupied: Vec<usize> = (0..setup.board.len()).filter(|n| setup.board[*n].is_some()).collect();
            let at = occupied[numbers.below(occupied.len())];
            let piece = setup.board[at].expect("occupied");
            let other = setup.board[occupied[numbers.below(occupied.len())]].expect("occupied");
            Query::On(
                Square(at as u8),
                Content::OneOf(if numbers.below(3) == 0 { vec![piece, other] } else { vec![piece] }),
            )
        }
    }
}

fn random_filter(numbers: &mut Numbers) -> GameFilter {
    match numbers.below(7) {
        0 => GameFilter::Player(None, "ann".into()),
        1 => GameFilter::Player(Some(Side(numbers.below(2) as u8)), "the W".into()),
        2 => GameFilter::Event("event 2".into()),
        3 => GameFilter::Date(19_600_000, 19_951_231),
        4 => GameFilter::Result([GameResult::Draw, GameResult::Won(Side(1))][numbers.below(2)]),
        5 => GameFilter::Rating(None, 1500, u16::MAX),
        _ => GameFilter::Length(5, 20),
    }
}

fn check(collection: &Collection, records: &[GameRecord], query: &Query) {
    let rules = collection.rules();
    let text = write_query(query, rules.rules());
    let answer = match collection.find(query) {
        // Shapes within shapes have a most; below it every answer is compared.
        Err(QueryRunError::TooLarge { .. }) => return,
        answer => answer.unwrap_or_else(|error| panic!("{text}: {error}")),
    };
    let mut found: Vec<(usize, u16, u16)> =
        answer.intervals().map(|(first, _, run)| (first + run.game as usize, run.from, run.to)).collect();
    let mut expected = Vec::new();
    let mut n_games = 0;
    for (n, record) in records.iter().enumerate() {
        let bits = Positions::of(record, rules).expect("a record").found(query);
        n_games += usize::from(bits.contains(&true));
        expected.extend(bits.iter().enumerate().filter(|(_, is)| **is).map(|(ply, _)| (n, ply as u16)));
    }
    let positions: Vec<(usize, u16)> =
        found.iter().flat_map(|(game, from, to)| (*from..*to).map(|ply| (*game, ply))).collect();
    assert_eq!(positions, expected, "{text}");
    assert_eq!(
        (answer.n_games(), answer.n_positions(), answer.n_intervals()),
        (n_games, expected.len(), found.len()),
        "{text}"
    );
    let page = answer.page(0, 5).expect("a page");
    found.truncate(5);
    for (hit, (game, from, _)) in page.iter().zip(&found) {
        let record = &records[*game];
        assert_eq!((hit.game, hit.from), (*game, *from));
        assert_eq!(hit.next, record.moves.get(usize::from(*from)).copied());
        assert_eq!(hit.players[0], record.player(Side(0)));
        assert_eq!((hit.result, hit.n_plies), (record.result, record.moves.len()));
    }
    // What can be written can be read, and means the same.
    let read = read_query(&text, rules.rules()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(write_query(&read, rules.rules()), text);
    check_explorer(collection, records, query, &expected);
    check_time_budget(collection, query, &expected);
}

/// Whoever does not wait is told what is in the first games, and in how many.
fn check_time_budget(collection: &Collection, query: &Query, expected: &[(usize, u16)]) {
    for is_spent in [true, false] {
        let is_spent = || is_spent;
        let time_budget = TimeBudget { cheap_work: 0, chunk_games: 1, is_spent: &is_spent };
        let answer = collection.find_first(query, &time_budget, &AtomicBool::new(false)).expect("an answer");
        let n_searched = answer.n_searched();
        assert!(n_searched > 0 && (is_spent() || n_searched == collection.n_games()));
        let intervals =
            answer.intervals().map(|(first, _, run)| (first + run.game as usize, run.from..run.to));
        let found: Vec<(usize, u16)> =
            intervals.flat_map(|(game, plies)| plies.map(move |ply| (game, ply))).collect();
        let among_them: Vec<(usize, u16)> =
            expected.iter().copied().filter(|(game, _)| *game < n_searched).collect();
        assert_eq!(found, among_them, "{}", write_query(query, collection.rules().rules()));
    }
}

fn check_explorer(collection: &Collection, records: &[GameRecord], query: &Query, expected: &[(usize, u16)]) {
    let explored = collection.explore(query).expect("explored");
    assert_eq!(explored.n_positions as usize, expected.len());
    let mut n_counted = 0;
    for next in &explored.moves {
        let played =
            |(game, ply): &&(usize, u16)| records[*game].moves.get(usize::from(*ply)).copied() == next.mv;
        let own: Vec<_> = expected.iter().filter(played).collect();
        assert_eq!(next.n as usize, own.len());
        for result in
            [GameResult::Unknown, GameResult::Draw, GameResult::Won(Side(0)), GameResult::Won(Side(1))]
        {
            let n = own.iter().filter(|(game, _)| records[*game].result == result).count();
            assert_eq!(next.with(result) as usize, n);
        }
        assert!(next.examples.iter().all(|game| own.iter().any(|(own, _)| own == game)));
        n_counted += own.len();
    }
    assert_eq!(n_counted, expected.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn results_are_those_of_a_naive_scan(seed in any::<u64>(), game in 0..GAMES.len(), n_choices in 1usize..6) {
        let mut numbers = Numbers(seed);
        let rules = compiled(GAMES[game]);
        let mut batch = |n: usize| -> Vec<GameRecord> {
            (0..n).map(|_| random_record(&rules, &mut numbers, 40, n_choices)).collect()
        };
        let batches = vec![batch(50), batch(1), batch(50)];
        let records: Vec<GameRecord> = batches.concat();
        let folder = tempfile::tempdir().expect("a folder");
        let mut writer = collection(folder.path(), GAMES[game], &rules, &batches);
        let opened = writer.collection().expect("opened");
        let mut numbers = Numbers(seed ^ 1);
        let queries: Vec<Query> = (0..40).map(|_| random_query(&records, &rules, &mut numbers, 2)).collect();
        for query in &queries {
            check(&opened, &records, query);
        }
        // Merging changes nothing.
        while writer.merge_step().expect("merged") {}
        let merged = writer.collection().expect("opened");
        prop_assert_eq!(merged.manifest().segments.len(), 1);
        for (n, record) in records.iter().enumerate() {
            prop_assert_eq!(merged.record(n).expect("read"), Some(record.clone()));
        }
        for query in &queries {
            check(&merged, &records, query);
        }
    }
}

/// A pattern of a few squares that are near each other, as they are in some position of the records.
fn random_pattern(records: &[GameRecord], rules: &CompiledRules, numbers: &mut Numbers) -> Query {
    let record = &records[numbers.below(records.len())];
    let mut game = record.begin(rules).expect("a position");
    for mv in &record.moves[..numbers.below(record.moves.len() + 1)] {
        game.play_unchecked(*mv);
    }
    let (setup, grid) = (game.setup(), rules.rules().grid());
    let (file, rank) = (numbers.below(grid.files() as usize), numbers.below(grid.ranks() as usize));
    let cells = (0..1 + numbers.below(6)).filter_map(|_| {
        let square = grid.at((file + numbers.below(3)) as i16, (rank + numbers.below(3)) as i16)?;
        let content = match (setup.board[square.0 as usize], numbers.below(4)) {
            (None, _) => Content::Empty,
            (Some(_), 0) => Content::Occupied,
            (Some(piece), 1) => Content::OneOf(vec![piece, (Side(1 - piece.0.0), piece.1)]),
            (Some(piece), _) => Content::OneOf(vec![piece]),
        };
        let cell = Query::On(square, content);
        Some(if numbers.below(6) == 0 { Query::Not(Box::new(cell)) } else { cell })
    });
    let pattern = Box::new(Query::Anywhere(Box::new(Query::All(cells.collect()))));
    match numbers.below(6) {
        0 => Query::Mirrored(pattern),
        1 => Query::Swapped(Box::new(Query::Mirrored(pattern))),
        2 => Query::Not(pattern),
        3 => Query::All(vec![*pattern, Query::Games(random_filter(numbers))]),
        4 => Query::Any(vec![*pattern, Query::Turn(Side(0))]),
        _ => *pattern,
    }
}

/// A long game from a random position, in which moves that are more than a step are often preferred.
fn eventful_record(rules: &CompiledRules, numbers: &mut Numbers) -> GameRecord {
    let mut record = random_record(rules, numbers, 0, 1);
    let mut game = record.begin(rules).expect("a position");
    while game.outcome().is_none() && record.moves.len() < 150 {
        let is_special = |mv: &Move| !matches!(mv.action(), Action::Go { becomes: None, .. });
        let mut moves = game.legal_moves().to_vec();
        if numbers.below(2) == 0 && moves.iter().any(is_special) {
            moves.retain(is_special);
        }
        let mv = moves[numbers.below(moves.len())];
        game.play_unchecked(mv);
        record.moves.push(mv);
    }
    record
}

/// Long games of boards of at most 64 squares: shapes are found by replaying their moves, of every sort that there is.
#[test]
fn shapes_are_those_of_a_naive_scan() {
    let mut actions = [0; 5];
    for (seed, name) in ["chess", "minishogi", "sittuyin", "makruk"].into_iter().enumerate() {
        let (rules, mut numbers) = (compiled(name), Numbers(seed as u64));
        let records: Vec<GameRecord> = (0..60).map(|_| eventful_record(&rules, &mut numbers)).collect();
        for mv in records.iter().flat_map(|record| &record.moves) {
            actions[match mv.action() {
                Action::Go { becomes: None, .. } | Action::Pass => 0,
                Action::Go { .. } => 1,
                Action::Drop { .. } => 2,
                Action::Castle { .. } => 3,
                Action::EnPassant { .. } | Action::TwoLegs { .. } => 4,
            }] += 1;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let writer = collection(folder.path(), name, &rules, std::slice::from_ref(&records));
        let opened = writer.collection().expect("opened");
        for _ in 0..60 {
            check(&opened, &records, &random_pattern(&records, &rules, &mut numbers));
        }
    }
    assert!(actions.iter().all(|n| *n > 0), "{actions:?}");
}
