//! Players are counted as somebody would who reads every record.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use crate::common::{Numbers, collection, compiled, random_record};
use ashta_records::{GameFilter, GameRecord, GameResult, PlayerScore, Query, tag};
use ashta_rules::Side;

/// A query, and whether it finds a record.
type Asked = (Query, fn(&GameRecord) -> bool);
type Counted = BTreeMap<String, (Vec<PlayerScore>, Option<u16>)>;

fn by_hand(records: &[GameRecord], counts: impl Fn(&GameRecord) -> bool) -> Counted {
    let mut counted = Counted::new();
    for record in records.iter().filter(|record| counts(record)) {
        for side in 0..2 {
            let Some(name) = record.tags.get(tag::PLAYERS[side]) else { continue };
            let (scores, best) =
                counted.entry(name.to_string()).or_insert((vec![PlayerScore::default(); 2], None));
            scores[side].n_games += 1;
            match record.result {
                GameResult::Unknown => {}
                GameResult::Draw => scores[side].n_drawn += 1,
                GameResult::Won(Side(winner)) if usize::from(winner) == side => scores[side].n_won += 1,
                GameResult::Won(_) => scores[side].n_lost += 1,
            }
            let rating = record.tags.get(tag::RATINGS[side]).map(|text| text.parse().expect("a number"));
            *best = (*best).max(rating);
        }
    }
    counted
}

#[test]
fn players_are_counted() {
    let (rules, mut numbers) = (compiled("minishogi"), Numbers(3));
    let mut batch = |n: usize| -> Vec<GameRecord> {
        (0..n).map(|_| random_record(&rules, &mut numbers, 20, 9)).collect()
    };
    let batches = [batch(60), batch(1), batch(45)];
    let records = batches.concat();
    let folder = tempfile::tempdir().expect("a folder");
    let opened = collection(folder.path(), "minishogi", &rules, &batches).collection().expect("opened");
    let drawn = Query::Games(GameFilter::Result(GameResult::Draw));
    let asked: [Asked; 2] =
        [(Query::All(Vec::new()), |_| true), (drawn, |record| record.result == GameResult::Draw)];
    for (query, counts) in asked {
        let players = opened.players(&query, &AtomicBool::new(false)).expect("counted");
        let found: Counted =
            players.iter().map(|p| (p.name.to_string(), (p.by_side.clone(), p.best_rating))).collect();
        assert_eq!(found, by_hand(&records, counts));
        assert!(players.is_sorted_by_key(|player| std::cmp::Reverse(player.score().n_games)));
        assert!(players.iter().all(|player| player.years.is_some_and(|(first, last)| first <= last)));
    }
}
