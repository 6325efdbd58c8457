//! The tree of an opening book: positions joined wherever two lines meet.
//!
//! In: edits, each a line of moves with what to do there. Out: the moves of every position, with names, comments and how
//! often each was played and won. Never: an illegal move; files, which `journal` keeps.

use std::collections::HashMap;
use std::sync::OnceLock;

use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Game, Move, PositionTextError};
use ashta_records::GameResult;
use ashta_records::notation::MoveReader;

use super::mark::Mark;
use super::survey::BookSurvey;

/// How often a move was played in imported games, and how it went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How often.
    pub n: u64,
    /// Won by the side that moves first in the game.
    pub first: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by the other.
    pub second: u64,
}

impl Tally {
    /// One game.
    pub fn one(result: GameResult) -> Tally {
        let is = |wanted: bool| u64::from(wanted);
        Tally {
            n: 1,
            first: is(result == GameResult::Won(ashta_rules::Side::FIRST)),
            draws: is(result == GameResult::Draw),
            second: is(result == GameResult::Won(ashta_rules::Side::SECOND)),
        }
    }

    /// Both together.
    pub fn add(&mut self, other: Tally) {
        self.n += other.n;
        self.first += other.first;
        self.draws += other.draws;
        self.second += other.second;
    }
}

/// A move of a position in the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// What imported games say.
    pub tally: Tally,
    /// What somebody thinks of it.
    pub mark: Option<Mark>,
}

/// What the book says of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// Its moves, in the order in which they came, those of imports by how often they were played.
    pub moves: Vec<BookMove>,
    /// Its name.
    pub name: Option<String>,
    /// What was said of it.
    pub comment: Option<String>,
}

/// A change of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Adds the moves of a line that are not there.
    Add(Vec<Move>),
    /// Takes the last move of a line out of the position before it.
    Remove(Vec<Move>),
    /// Puts another move in the place of the last of a line.
    Correct(Vec<Move>, Move),
    /// Names the position after a line; an empty text takes the name away.
    Name(Vec<Move>, String),
    /// Says something of the position after a line; an empty text takes it away.
    Comment(Vec<Move>, String),
    /// Marks the last move of a line, or takes its mark away.
    Mark(Vec<Move>, Option<Mark>),
    /// Adds many moves with their tallies.
    Import(Import),
}

/// Many moves with their tallies, as a walk through a tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Import {
    /// Where they come from, in words.
    pub source: String,
    /// Each move with its depth: it follows the last one before it that is less deep.
    pub steps: Vec<Step>,
}

/// One move of an import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Plies before it.
    pub depth: usize,
    /// The move.
    pub mv: Move,
    /// How often it was played.
    pub tally: Tally,
    /// What was said of the position after it.
    pub comment: Option<String>,
}

/// A move met on a walk through a book.
#[derive(Clone, Copy, Debug)]
pub struct Visited<'w> {
    /// Plies from where the walk began.
    pub depth: usize,
    /// The game before it.
    pub before: &'w Game,
    /// The move.
    pub known: &'w BookMove,
    /// The key of the position after it.
    pub after: u64,
    /// Whether that was met before; what follows is then not walked again.
    pub met: bool,
}

/// Why an edit cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// A move that is not legal there.
    #[error("move {ply} of the line is not legal")]
    Illegal {
        /// Its number, from 1.
        ply: usize,
    },
    /// A line that is not in the book.
    #[error("the line leaves the book at move {ply}, {text}")]
    NotInBook {
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        text: String,
    },
    /// An edit of the last move of no moves.
    #[error("the line has no moves")]
    Empty,
}

/// An opening book.
#[derive(Debug)]
pub struct Book {
    rules: CompiledRules,
    start: Option<String>,
    root: Game,
    nodes: HashMap<u64, Node>,
    survey: OnceLock<BookSurvey>,
}

impl Book {
    /// An empty book of a game, from another position if one is given.
    pub fn new(rules: &CompiledRules, start: Option<&str>) -> Result<Book, PositionTextError> {
        let root = match start {
            None => Game::start(rules),
            Some(text) => Game::from_text(rules, text)?,
        };
        let start = start.map(str::to_string);
        Ok(Book { rules: rules.clone(), start, root, nodes: HashMap::new(), survey: OnceLock::new() })
    }

    /// The rules.
    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    /// Where it starts, if not where the game does.
    pub fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// A game at the book's first position.
    pub fn root(&self) -> Game {
        self.root.clone()
    }

    /// What the book says of a position by its key.
    pub fn node_of(&self, key: u64) -> Option<&Node> {
        self.nodes.get(&key)
    }

    /// What the book says of where a game stands.
    pub fn node(&self, game: &Game) -> Option<&Node> {
        self.nodes.get(&game.key())
    }

    /// The moves of a line, which must be legal, in coordinates or as players write them.
    pub fn read_line(&self, text: &str) -> Result<Vec<Move>, String> {
        let mut reader = MoveReader::new(self.rules.rules());
        let mut game = self.root();
        let mut line = Vec::new();
        for word in text.split_whitespace() {
            // `1.e4`, `1.`, `3...Nf6`: numbers of moves are passed over.
            let word = word.rsplit('.').next().unwrap_or(word);
            if word.chars().all(|c| c.is_ascii_digit()) {
                continue;
            }
            let mv = reader
                .coordinates(&game, word)
                .or_else(|_| reader.san(&game, word))
                .map_err(|error| format!("move {}: {error}", line.len() + 1))?;
            game.play_unchecked(mv);
            line.push(mv);
        }
        Ok(line)
    }

    /// The game after a line of legal moves.
    pub fn after(&self, line: &[Move]) -> Result<Game, EditError> {
        let mut game = self.root();
        for (n, mv) in line.iter().enumerate() {
            game.play(*mv).map_err(|_| EditError::Illegal { ply: n + 1 })?;
        }
        Ok(game)
    }

    /// Makes a change.
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
            moves.push(BookMove { mv, tally: Tally::default(), mark: None });
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
                moves[place] = BookMove { mv, tally: Tally::default(), mark: None };
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
            self.entry(game.key(), step.mv).tally.add(step.tally);
            game.play_unchecked(step.mv);
            depth += 1;
            if let Some(comment) = &step.comment {
                self.nodes.entry(game.key()).or_default().comment = Some(comment.clone());
            }
        }
        for node in self.nodes.values_mut() {
            node.moves.sort_by_key(|known| std::cmp::Reverse(known.tally.n));
        }
        Ok(())
    }

    /// Every move that can be reached, each once, in the order of a walk.
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

    /// The book as a whole, looked at once after each change.
    pub fn survey(&self) -> &BookSurvey {
        self.survey.get_or_init(|| BookSurvey::of(self))
    }

    /// How many positions and moves can be reached from the start.
    pub fn size(&self) -> (usize, usize) {
        self.survey().size()
    }
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_string())
}
