//! Grows books from games: many records become one graph.
//!
//! In: records of any format, PGN with variations and comments; a collection. Out: one import, a single edit. Never:
//! games that start elsewhere than the book; more plies than asked for.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_messages::{Message, Tell, message};
use ashta_position::{CompiledRules, Game, Move};
use ashta_records::import::RecordFile;
use ashta_records::notation::{Format, MoveReader, parse};
use ashta_records::{Collection, GameResult, Limits, Query, read_error};

use super::book::{Book, Import, MoveStats, Step};
use super::pgn;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GrowPlan {
    /// Maximum plies per game.
    pub plies: usize,
    /// Moves played in fewer games are dropped, with all that follows them.
    pub at_least: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GrowReport {
    pub n_games: usize,
    /// Games that start elsewhere.
    pub n_elsewhere: usize,
    pub n_unreadable: usize,
    /// Why the first could not be read.
    pub first_problem: Option<Message>,
}

#[derive(Debug)]
pub struct Growth {
    rules: CompiledRules,
    root: Game,
    plan: GrowPlan,
    /// Moves by position key.
    nodes: HashMap<u64, Vec<(Move, MoveStats)>>,
    comments: HashMap<u64, String>,
    reader: MoveReader,
    pub report: GrowReport,
}

impl Growth {
    pub fn new(book: &Book, plan: GrowPlan) -> Growth {
        Growth {
            rules: book.rules().clone(),
            root: book.root(),
            plan,
            nodes: HashMap::new(),
            comments: HashMap::new(),
            reader: MoveReader::new(book.rules().rules()),
            report: GrowReport::default(),
        }
    }

    pub fn add_file(&mut self, path: &Path) -> Result<(), Message> {
        let shown = path.display().to_string();
        let file = RecordFile::open(path, None, Limits::default()).map_err(unreadable)?;
        self.add_records(file, &shown)
    }

    /// `name` helps to detect the format.
    pub fn add_text(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), Message> {
        let file = RecordFile::of_bytes(name, bytes, Limits::for_uploads()).map_err(unreadable)?;
        self.add_records(file, name)
    }

    fn add_records(&mut self, file: Option<RecordFile>, name: &str) -> Result<(), Message> {
        let Some(mut file) = file else {
            return Err(message!("study.unknown-format"));
        };
        for raw in file.games.by_ref() {
            let raw = raw.map_err(unreadable)?;
            let added = match file.format {
                Format::Pgn => self.add_pgn(&raw.text),
                _ => match parse(file.format, &raw, &self.rules, &mut self.reader) {
                    Ok(record) => {
                        let line: Vec<Move> = record.moves.clone();
                        let begin = record.begin(&self.rules).map_err(|error| error.message());
                        begin.map(|game| self.add_line(&game, &line, record.result))
                    }
                    Err(error) => Err(error.message()),
                },
            };
            if let Err(what) = added {
                self.report.n_unreadable += 1;
                let first = || message!("study.at-line-of", name, line = raw.line, what);
                self.report.first_problem.get_or_insert_with(first);
            }
        }
        Ok(())
    }

    fn add_pgn(&mut self, text: &str) -> Result<(), Message> {
        let head = pgn::head(text);
        let game = match &head.fen {
            None => Game::start(&self.rules),
            Some(fen) => Game::from_text(&self.rules, fen).map_err(|error| error.message())?,
        };
        if game.key() != self.root.key() {
            self.report.n_elsewhere += 1;
            return Ok(());
        }
        let mut moves = Vec::new();
        let max = self.plan.plies;
        pgn::walk(head.moves, game, &mut self.reader, max, &mut |event| moves.push(event))?;
        for event in moves {
            match event {
                pgn::PgnEvent::Move { key, mv, in_variation } => {
                    let stats = if in_variation { MoveStats::default() } else { MoveStats::one(head.result) };
                    self.count(key, mv, stats);
                }
                pgn::PgnEvent::Comment { key, text } => _ = self.comments.insert(key, text),
            }
        }
        self.report.n_games += 1;
        Ok(())
    }

    fn add_line(&mut self, begin: &Game, line: &[Move], result: GameResult) {
        if begin.key() != self.root.key() {
            self.report.n_elsewhere += 1;
            return;
        }
        let mut game = begin.clone();
        for mv in line.iter().take(self.plan.plies) {
            self.count(game.key(), *mv, MoveStats::one(result));
            game.play_unchecked(*mv);
        }
        self.report.n_games += 1;
    }

    fn count(&mut self, key: u64, mv: Move, stats: MoveStats) {
        let moves = self.nodes.entry(key).or_default();
        match moves.iter_mut().find(|(known, _)| *known == mv) {
            Some((_, sum)) => sum.add(stats),
            None => moves.push((mv, stats)),
        }
    }

    /// Adds the explorer's counts, position by position from the start of the book.
    pub fn add_collection(&mut self, collection: &Collection, stop: &AtomicBool) -> Result<(), Message> {
        let mut todo = vec![(self.root.clone(), 0)];
        let mut seen = std::collections::HashSet::from([self.root.key()]);
        while let Some((game, depth)) = todo.pop() {
            if depth >= self.plan.plies {
                continue;
            }
            if stop.load(Ordering::Relaxed) {
                return Err(message!("study.grow-stopped"));
            }
            let explored = collection.explore(&Query::position(&game)).map_err(|error| error.message())?;
            if depth == 0 {
                self.report.n_games = explored.n_games as usize;
            }
            let at_least = self.plan.at_least;
            for next in explored.moves.iter().filter(|next| next.n >= at_least) {
                let Some(mv) = next.mv else { continue };
                let with = |result| next.with(result);
                let stats = MoveStats {
                    n: next.n,
                    first: with(GameResult::Won(ashta_rules::Side::FIRST)),
                    draws: with(GameResult::Draw),
                    second: with(GameResult::Won(ashta_rules::Side::SECOND)),
                };
                self.count(game.key(), mv, stats);
                let mut after = game.clone();
                after.play(mv).map_err(|error| error.message())?;
                if seen.insert(after.key()) {
                    todo.push((after, depth + 1));
                }
            }
        }
        Ok(())
    }

    /// Everything as one edit: each position's moves once, the most played first.
    pub fn finish(mut self, source: &str) -> (Import, GrowReport) {
        for moves in self.nodes.values_mut() {
            moves.sort_by_key(|(mv, stats)| (std::cmp::Reverse(stats.n), *mv));
        }
        let mut import = Import { source: source.to_string(), steps: Vec::new() };
        let mut seen = std::collections::HashSet::from([self.root.key()]);
        let mut game = self.root.clone();
        self.walk(&mut game, 0, &mut seen, &mut import.steps);
        (import, self.report)
    }

    fn walk(
        &self,
        game: &mut Game,
        depth: usize,
        seen: &mut std::collections::HashSet<u64>,
        steps: &mut Vec<Step>,
    ) {
        let Some(moves) = self.nodes.get(&game.key()) else { return };
        for (mv, stats) in moves {
            // Moves of variations were not played; they are kept because somebody wrote them down.
            if stats.n > 0 && stats.n < self.plan.at_least {
                continue;
            }
            game.play_unchecked(*mv);
            let comment = self.comments.get(&game.key()).cloned();
            steps.push(Step { depth, mv: *mv, stats: *stats, comment });
            if seen.insert(game.key()) {
                self.walk(game, depth + 1, seen, steps);
            }
            game.take_back();
        }
    }
}

fn unreadable(error: std::io::Error) -> Message {
    message!("study.unreadable", error = read_error(&error))
}
