//! The graph of an opening book: lines that transpose share their nodes.
//!
//! In: edits, each a line of moves and an action. Out: the moves of every position with names, comments and statistics.
//! Never: an illegal move; files, which `journal` writes.

use std::collections::HashMap;
use std::sync::OnceLock;

use ashta_messages::{Message, Tell, message};
use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Game, Move, PositionTextError};
use ashta_records::GameResult;
use ashta_records::notation::MoveReader;

use super::mark::Mark;
use super::survey::BookSurvey;

/// Results of a move in imported games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveStats {
    /// Games.
    pub n: u64,
    /// Wins of the first side.
    pub first: u64,
    pub draws: u64,
    /// Wins of the second side.
    pub second: u64,
}

impl MoveStats {
    pub fn one(result: GameResult) -> MoveStats {
        let is = |wanted: bool| u64::from(wanted);
        MoveStats {
            n: 1,
            first: is(result == GameResult::Won(ashta_rules::Side::FIRST)),
            draws: is(result == GameResult::Draw),
            second: is(result == GameResult::Won(ashta_rules::Side::SECOND)),
        }
    }

    pub fn add(&mut self, other: MoveStats) {
        self.n += other.n;
        self.first += other.first;
        self.draws += other.draws;
        self.second += other.second;
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    pub stats: MoveStats,
    pub mark: Option<Mark>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookNode {
    /// In order of insertion; those of an import by frequency.
    pub moves: Vec<BookMove>,
    pub name: Option<String>,
    pub comment: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Adds the missing moves of a line.
    Add(Vec<Move>),
    /// Removes the last move of a line.
    Remove(Vec<Move>),
    /// Replaces the last move of a line.
    Correct(Vec<Move>, Move),
    /// Names the position after a line; an empty text removes the name.
    Name(Vec<Move>, String),
    /// Comments on the position after a line; an empty text removes the comment.
    Comment(Vec<Move>, String),
    /// Marks the last move of a line, or removes its mark.
    Mark(Vec<Move>, Option<Mark>),
    /// Adds many moves with their statistics.
    Import(Import),
}

/// Many moves with their statistics, in depth-first order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Import {
    /// The source, for people.
    pub source: String,
    /// Each step follows the last one before it with a smaller depth.
    pub steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Plies before it.
    pub depth: usize,
    pub mv: Move,
    pub stats: MoveStats,
    pub comment: Option<String>,
}

/// A move visited by a walk through a book.
#[derive(Clone, Copy, Debug)]
pub struct Visited<'w> {
    /// Plies from the root of the walk.
    pub depth: usize,
    pub before: &'w Game,
    pub known: &'w BookMove,
    /// The key of the position after it.
    pub after: u64,
    /// Whether that position was visited before; the walk does not continue from it.
    pub met: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum EditError {
    #[code("study.line-illegal")]
    Illegal {
        /// From 1.
        ply: usize,
    },
    #[code("study.line-not-in-book")]
    NotInBook {
        /// From 1.
        ply: usize,
        text: String,
    },
    /// An edit of the last move of an empty line.
    #[code("study.line-empty")]
    Empty,
}

/// A graph of positions, in which transpositions meet.
///
/// ```
/// use ashta_position::CompiledRules;
/// use ashta_study::opening::{Book, Edit};
///
/// let rules = CompiledRules::new(ashta_rules::load("chess").unwrap());
/// let mut book = Book::new(&rules, None).unwrap();
/// let line = book.read_line("e4 e5 Nf3 Nc6").unwrap();
/// book.apply(&Edit::Add(line)).unwrap();
/// let transposed = book.after(&book.read_line("Nf3 e5 e4").unwrap()).unwrap();
/// assert_eq!(book.node(&transposed).unwrap().moves.len(), 1);
/// ```
#[derive(Debug)]
pub struct Book {
    rules: CompiledRules,
    start: Option<String>,
    root: Game,
    nodes: HashMap<u64, BookNode>,
    survey: OnceLock<BookSurvey>,
}

impl Book {
    /// An empty book from the start of the game, or from another position.
    pub fn new(rules: &CompiledRules, start: Option<&str>) -> Result<Book, PositionTextError> {
        let root = match start {
            None => Game::start(rules),
            Some(text) => Game::from_text(rules, text)?,
        };
        let start = start.map(str::to_string);
        Ok(Book { rules: rules.clone(), start, root, nodes: HashMap::new(), survey: OnceLock::new() })
    }

    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    /// Where it starts, if not at the start of the game.
    pub fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    pub fn root(&self) -> Game {
        self.root.clone()
    }

    pub fn node_of(&self, key: u64) -> Option<&BookNode> {
        self.nodes.get(&key)
    }

    pub fn node(&self, game: &Game) -> Option<&BookNode> {
        self.nodes.get(&game.key())
    }

    /// Parses a line of legal moves, in coordinates or SAN.
    pub fn read_line(&self, text: &str) -> Result<Vec<Move>, Message> {
        let mut reader = MoveReader::new(self.rules.rules());
        let mut game = self.root();
        let mut line = Vec::new();
        for word in text.split_whitespace() {
            // Move numbers such as `1.e4`, `1.`, `3...Nf6` are skipped.
            let word = word.rsplit('.').next().unwrap_or(word);
            if word.chars().all(|c| c.is_ascii_digit()) {
                continue;
            }
            let mv = reader
                .coordinates(&game, word)
                .or_else(|_| reader.san(&game, word))
                .map_err(|error| message!("study.at-move", number = line.len() + 1, error))?;
            game.play_unchecked(mv);
            line.push(mv);
        }
        Ok(line)
    }

    pub fn after(&self, line: &[Move]) -> Result<Game, EditError> {
        let mut game = self.root();
        for (n, mv) in line.iter().enumerate() {
            game.play(*mv).map_err(|_| EditError::Illegal { ply: n + 1 })?;
        }
        Ok(game)
    }

    pub fn apply(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.survey = OnceLock::new();
        match edit {
            Edit::Add(line) => self.add(line),
            Edit::Remove(line) => self.replace(line, None),
            Edit::Correct(line, mv) => self.replace(line, Some(*mv)),
            Edit::Name(line, text) => {
                let game = self.in_book(line)?;
                self.nodes.entry(game.key()).or_default().name = some(text);
                Ok(())
            }
            Edit::Comment(line, text) => {
                let game = self.in_book(line)?;
                self.nodes.entry(game.key()).or_default().comment = some(text);
                Ok(())
            }
            Edit::Mark(line, mark) => self.mark(line, *mark),
            Edit::Import(import) => self.import(import),
        }
    }

    fn add(&mut self, line: &[Move]) -> Result<(), EditError> {
        self.after(line)?;
        let mut game = self.root();
        for mv in line {
            self.entry(game.key(), *mv);
            game.play_unchecked(*mv);
        }
        Ok(())
    }

    fn entry(&mut self, key: u64, mv: Move) -> &mut BookMove {
        let moves = &mut self.nodes.entry(key).or_default().moves;
        let place = moves.iter().position(|known| known.mv == mv).unwrap_or_else(|| {
            moves.push(BookMove { mv, stats: MoveStats::default(), mark: None });
            moves.len() - 1
        });
        &mut moves[place]
    }

    /// The game after a line, all of whose moves are in the book.
    fn in_book(&self, line: &[Move]) -> Result<Game, EditError> {
        let mut game = self.root();
        for (n, mv) in line.iter().enumerate() {
            let known = self.node(&game).is_some_and(|node| node.moves.iter().any(|known| known.mv == *mv));
            if !known {
                let text = if game.is_legal(*mv) {
                    write_coordinates(&game, *mv)
                } else {
                    return Err(EditError::Illegal { ply: n + 1 });
                };
                return Err(EditError::NotInBook { ply: n + 1, text });
            }
            game.play_unchecked(*mv);
        }
        Ok(game)
    }

    fn replace(&mut self, line: &[Move], by: Option<Move>) -> Result<(), EditError> {
        self.in_book(line)?;
        let Some((last, before)) = line.split_last() else { return Err(EditError::Empty) };
        let game = self.in_book(before)?;
        if by.is_some_and(|mv| !game.is_legal(mv)) {
            return Err(EditError::Illegal { ply: line.len() });
        }
        let moves = &mut self.nodes.entry(game.key()).or_default().moves;
        let place = moves.iter().position(|known| known.mv == *last);
        match (place, by) {
            (Some(place), Some(mv)) if !moves.iter().any(|known| known.mv == mv) => {
                moves[place] = BookMove { mv, stats: MoveStats::default(), mark: None };
            }
            (Some(place), _) => drop(moves.remove(place)),
            (None, _) => {}
        }
        Ok(())
    }

    fn mark(&mut self, line: &[Move], mark: Option<Mark>) -> Result<(), EditError> {
        self.in_book(line)?;
        let Some((last, before)) = line.split_last() else { return Err(EditError::Empty) };
        let key = self.in_book(before)?.key();
        self.entry(key, *last).mark = mark;
        Ok(())
    }

    fn import(&mut self, import: &Import) -> Result<(), EditError> {
        let (mut game, mut depth) = (self.root(), 0);
        for step in &import.steps {
            while depth > step.depth {
                game.take_back();
                depth -= 1;
            }
            if depth < step.depth || !game.is_legal(step.mv) {
                return Err(EditError::Illegal { ply: step.depth + 1 });
            }
            self.entry(game.key(), step.mv).stats.add(step.stats);
            game.play_unchecked(step.mv);
            depth += 1;
            if let Some(comment) = &step.comment {
                self.nodes.entry(game.key()).or_default().comment = Some(comment.clone());
            }
        }
        for node in self.nodes.values_mut() {
            node.moves.sort_by_key(|known| std::cmp::Reverse(known.stats.n));
        }
        Ok(())
    }

    /// Visits every reachable move once, depth first.
    pub fn walk(&self, from: &Game, visit: &mut dyn FnMut(Visited<'_>)) {
        let mut seen = std::collections::HashSet::from([from.key()]);
        self.walk_below(&mut from.clone(), 0, &mut seen, visit);
    }

    fn walk_below(
        &self,
        game: &mut Game,
        depth: usize,
        seen: &mut std::collections::HashSet<u64>,
        visit: &mut dyn FnMut(Visited<'_>),
    ) {
        let Some(node) = self.nodes.get(&game.key()) else { return };
        for known in &node.moves {
            game.play_unchecked(known.mv);
            let after = game.key();
            let met = !seen.insert(after);
            // A game is too large to copy for every move of a book.
            game.take_back();
            visit(Visited { depth, before: game, known, after, met });
            if !met {
                game.play_unchecked(known.mv);
                self.walk_below(game, depth + 1, seen, visit);
                game.take_back();
            }
        }
    }

    /// Computed once after each change.
    pub fn survey(&self) -> &BookSurvey {
        self.survey.get_or_init(|| {
            let root = self.root();
            let mut survey = BookSurvey::new(root.key());
            self.walk(&root, &mut |Visited { before, known, after, .. }| {
                survey.add(before.key(), known.mv, after);
            });
            survey
        })
    }

    /// Reachable positions and moves.
    pub fn size(&self) -> (usize, usize) {
        self.survey().size()
    }
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_string())
}
