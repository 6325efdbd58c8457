//! Books from games: many records make one tree.
//!
//! In: records of any format, and PGN with its variations and comments; a collection. Out: an import, the whole of it one
//! edit. Never: games that start elsewhere than the book; more plies than asked for.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_position::{CompiledRules, Game, Move};
use ashta_records::import::RecordFile;
use ashta_records::notation::{Format, MoveReader, parse};
use ashta_records::{Collection, GameResult, Limits, Query};

use super::book::{Book, Import, Step, Tally};
use super::pgn;

/// What to take of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GrowPlan {
    /// Most plies of a game.
    pub plies: usize,
    /// Moves played in fewer games are left out, with all that follows them.
    pub at_least: u64,
}

/// What came of an import.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GrowReport {
    /// Games taken.
    pub n_games: usize,
    /// Games that start elsewhere.
    pub n_elsewhere: usize,
    /// Games that could not be read, and why the first was not.
    pub n_unreadable: usize,
    /// Why the first was not.
    pub first_problem: Option<String>,
}

/// A tree that grows from games.
#[derive(Debug)]
pub struct Growth {
    rules: CompiledRules,
    root: Game,
    plan: GrowPlan,
    /// By key of a position: its moves.
    nodes: HashMap<u64, Vec<(Move, Tally)>>,
    comments: HashMap<u64, String>,
    reader: MoveReader,
    /// What was taken and what was not.
    pub report: GrowReport,
}

impl Growth {
    /// Of a book's game from where it starts.
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

    /// Takes the games of a file.
    pub fn add_file(&mut self, path: &Path) -> std::io::Result<()> {
        let shown = path.display().to_string();
        self.add_records(RecordFile::open(path, None, Limits::default())?, &shown)
    }

    /// Takes the games of a text; `name` tells its format, if its beginning does not.
    pub fn add_text(&mut self, name: &str, bytes: Vec<u8>) -> std::io::Result<()> {
        self.add_records(RecordFile::of_bytes(name, bytes, Limits::for_uploads())?, name)
    }

    fn add_records(&mut self, file: Option<RecordFile>, name: &str) -> std::io::Result<()> {
        let Some(mut file) = file else {
            let what = "nobody can tell what format it has";
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, what));
        };
        for raw in file.games.by_ref() {
            let raw = raw?;
            let added = match file.format {
                Format::Pgn => self.add_pgn(&raw.text),
                _ => match parse(file.format, &raw, &self.rules, &mut self.reader) {
                    Ok(record) => {
                        let line: Vec<Move> = record.moves.clone();
                        let begin = record.begin(&self.rules).map_err(|error| error.to_string());
                        begin.map(|game| self.add_line(&game, &line, record.result))
                    }
                    Err(error) => Err(error.to_string()),
                },
            };
            if let Err(what) = added {
                self.report.n_unreadable += 1;
                self.report.first_problem.get_or_insert(format!("{name}, line {}: {what}", raw.line));
            }
        }
        Ok(())
    }

    fn add_pgn(&mut self, text: &str) -> Result<(), String> {
        let head = pgn::head(text);
        let game = match &head.fen {
            None => Game::start(&self.rules),
            Some(fen) => Game::from_text(&self.rules, fen).map_err(|error| error.to_string())?,
        };
        if game.key() != self.root.key() {
            self.report.n_elsewhere += 1;
            return Ok(());
        }
        let mut moves = Vec::new();
        let most = self.plan.plies;
        pgn::walk(head.moves, game, &mut self.reader, most, &mut |event| moves.push(event))?;
        for event in moves {
            match event {
                pgn::Event::Move { key, mv, in_variation } => {
                    let tally = if in_variation { Tally::default() } else { Tally::one(head.result) };
                    self.count(key, mv, tally);
                }
                pgn::Event::Comment { key, text } => _ = self.comments.insert(key, text),
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
            self.count(game.key(), *mv, Tally::one(result));
            game.play_unchecked(*mv);
        }
        self.report.n_games += 1;
    }

    fn count(&mut self, key: u64, mv: Move, tally: Tally) {
        let moves = self.nodes.entry(key).or_default();
        match moves.iter_mut().find(|(known, _)| *known == mv) {
            Some((_, sum)) => sum.add(tally),
            None => moves.push((mv, tally)),
        }
    }

    /// Takes what a collection knows, position by position from the start of the book.
    pub fn add_collection(&mut self, collection: &Collection, stop: &AtomicBool) -> Result<(), String> {
        let mut todo = vec![(self.root.clone(), 0)];
        let mut seen = std::collections::HashSet::from([self.root.key()]);
        while let Some((game, depth)) = todo.pop() {
            if depth >= self.plan.plies {
                continue;
            }
            if stop.load(Ordering::Relaxed) {
                return Err("stopped before all was taken".into());
            }
            let explored = collection.explore(&Query::position(&game)).map_err(|error| error.to_string())?;
            if depth == 0 {
                self.report.n_games = explored.n_games as usize;
            }
            let at_least = self.plan.at_least;
            for next in explored.moves.iter().filter(|next| next.n >= at_least) {
                let Some(mv) = next.mv else { continue };
                let with = |result| next.with(result);
                let tally = Tally {
                    n: next.n,
                    first: with(GameResult::Won(ashta_rules::Side::FIRST)),
                    draws: with(GameResult::Draw),
                    second: with(GameResult::Won(ashta_rules::Side::SECOND)),
                };
                self.count(game.key(), mv, tally);
                let mut after = game.clone();
                after.play(mv).map_err(|error| error.to_string())?;
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
            moves.sort_by_key(|(mv, tally)| (std::cmp::Reverse(tally.n), *mv));
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
        for (mv, tally) in moves {
            // Moves of variations were not played: they are there because somebody wrote them down.
            if tally.n > 0 && tally.n < self.plan.at_least {
                continue;
            }
            game.play_unchecked(*mv);
            let comment = self.comments.get(&game.key()).cloned();
            steps.push(Step { depth, mv: *mv, tally: *tally, comment });
            if seen.insert(game.key()) {
                self.walk(game, depth + 1, seen, steps);
            }
            game.take_back();
        }
    }
}
