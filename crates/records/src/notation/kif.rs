//! KIF (a move per line with its origin) and KI2 (moves as in books).
//!
//! In: the text of one game. Out: a record. Never: a game rejected for its variations; what cannot be parsed is kept as
//! a comment.

use ashta_messages::message;
use ashta_position::CompiledRules;
use ashta_position::notation::read_kif;
use ashta_rules::{Setup, Side};

use super::glyphs::read_clock;
use super::japanese_start::{handicap, read_diagram_rank, read_hand};
use super::kif_headers::{is_known, says_position, tag_of};
use super::record_builder::Taken;
use super::usi::{End, side_named};
use super::{MoveReader, RawGame, RecordBuilder, RecordError};
use crate::record::{GameRecord, GameResult, begin_from};

/// Marks before the moves of each side.
pub const SIDE_MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

pub fn parse_kif(
    raw: &RawGame,
    rules: &CompiledRules,
    _: &mut MoveReader,
) -> Result<RecordBuilder, RecordError> {
    let mut head = Head::new(rules);
    // The first leg of a move of two, which has a line of its own.
    let mut first_leg = String::new();
    for (n, line) in raw.text.lines().enumerate() {
        let (line, at) = (line.trim_end(), raw.line + n);
        match head.classify(line) {
            LineKind::Moves => {
                let text = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
                let text = text.strip_prefix("手目").unwrap_or(text).trim_start();
                // Some programs put a dot after the number, some a comment after the time.
                let text = text.split('#').next().unwrap_or_default();
                let text = text.trim_start_matches(['.', ' ', '　']).trim_end();
                if text.starts_with("一歩目") {
                    first_leg = text.to_string();
                } else if text.starts_with("二歩目") {
                    head.play(&format!("{} / {text}", std::mem::take(&mut first_leg)), at)?;
                } else {
                    head.play(text, at)?;
                }
            }
            kind => head.take_line(kind, line, at)?,
        }
    }
    head.finish(raw.line)
}

pub fn parse_ki2(
    raw: &RawGame,
    rules: &CompiledRules,
    _: &mut MoveReader,
) -> Result<RecordBuilder, RecordError> {
    let mut head = Head::new(rules);
    for (n, line) in raw.text.lines().enumerate() {
        let (line, at) = (line.trim_end(), raw.line + n);
        if line.trim_start().starts_with(SIDE_MARKS) {
            let words = line
                .split(SIDE_MARKS)
                .map(|word| word.trim_matches([' ', '　']))
                .filter(|word| !word.is_empty());
            for word in words {
                head.play(word, at)?;
            }
            continue;
        }
        match head.classify(line) {
            LineKind::Moves if end_of(line).is_some() => head.play(line.trim(), at)?,
            LineKind::Moves => {}
            kind => head.take_line(kind, line, at)?,
        }
    }
    head.finish(raw.line)
}

/// What happens to the moves that follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MoveFlow {
    GoesOn,
    /// The game has ended.
    Over,
    /// The variation cannot be parsed any further.
    KeptAsText,
}

enum LineKind<'a> {
    Nothing,
    Head(&'a str, &'a str),
    /// A rank of a diagram.
    Rank,
    Turn(Side),
    Moves,
    /// `まで123手で先手の勝ち`.
    Result,
    Comment(&'a str),
    /// A variation, instead of the move of this number.
    Variation(Option<usize>),
}

struct Head<'a> {
    rules: &'a CompiledRules,
    builder: RecordBuilder,
    setup: Option<Setup>,
    n_ranks: u8,
    turn: Option<Side>,
    has_begun: bool,
    /// Whether any line occurs only in game records.
    is_record: bool,
    flow: MoveFlow,
}

/// The line above a diagram, which begins with ASCII digits on wide boards: `12  11  10  ９  ８`.
fn is_file_numbers(text: &str) -> bool {
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit() || ('０'..='９').contains(&c));
    text.split_whitespace().count() > 2 && text.split_whitespace().all(is_number)
}

impl<'a> Head<'a> {
    fn new(rules: &'a CompiledRules) -> Head<'a> {
        let builder = RecordBuilder::from_start(rules);
        Head {
            rules,
            builder,
            setup: None,
            n_ranks: 0,
            turn: None,
            has_begun: false,
            is_record: false,
            flow: MoveFlow::GoesOn,
        }
    }

    fn classify<'t>(&self, line: &'t str) -> LineKind<'t> {
        let text = line.trim_start();
        if let Some(comment) = text.strip_prefix('*') {
            return LineKind::Comment(comment);
        }
        // Bookmarks.
        if text.starts_with('&') {
            return LineKind::Comment(text);
        }
        if let Some(rest) = text.strip_prefix("変化") {
            return LineKind::Variation(parse_move_number(rest));
        }
        if text.starts_with("まで") {
            return LineKind::Result;
        }
        if text.starts_with('|') {
            return LineKind::Rank;
        }
        match text {
            "先手番" | "下手番" => return LineKind::Turn(Side::FIRST),
            "後手番" | "上手番" => return LineKind::Turn(Side::SECOND),
            _ => {}
        }
        if text.is_empty() || text.starts_with('#') {
            return LineKind::Nothing;
        }
        if text.starts_with(['+', '手']) && !text.contains(['：', ':']) {
            return LineKind::Nothing;
        }
        if is_file_numbers(text) {
            return LineKind::Nothing;
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) || end_of(text).is_some() {
            return LineKind::Moves;
        }
        match text.split_once('：').or_else(|| text.split_once(':')) {
            Some((name, value)) => LineKind::Head(name.trim(), value.trim_matches([' ', '　'])),
            None => LineKind::Nothing,
        }
    }

    /// Parses a line without moves.
    fn take_line(&mut self, kind: LineKind, line: &str, at: usize) -> Result<(), RecordError> {
        self.is_record |= match &kind {
            LineKind::Nothing => ["#KIF", "# KIF", "手数--"].iter().any(|word| line.starts_with(word)),
            LineKind::Head(name, _) => is_known(name),
            LineKind::Rank | LineKind::Turn(_) | LineKind::Result | LineKind::Variation(_) => true,
            LineKind::Moves | LineKind::Comment(_) => false,
        };
        match kind {
            LineKind::Nothing => {}
            LineKind::Comment(text) if self.flow == MoveFlow::KeptAsText => self.builder.keep(text),
            LineKind::Comment(text) => self.builder.add_comment_line(text),
            LineKind::Variation(number) => {
                self.begin(at)?;
                self.begin_variation(number, line);
            }
            // In variations only moves are parsed.
            _ if self.builder.in_variation() => self.builder.keep(line),
            _ if self.flow != MoveFlow::GoesOn => {}
            LineKind::Head(name, value) => self.take(name, value, at)?,
            LineKind::Rank => self.take_rank(line, at)?,
            LineKind::Turn(side) => self.turn = Some(side),
            LineKind::Result => self.read_result(line),
            LineKind::Moves => {}
        }
        Ok(())
    }

    fn begin_variation(&mut self, number: Option<usize>, line: &str) {
        let from = number.and_then(|number| number.checked_sub(1));
        self.flow = if from.is_some_and(|from| self.builder.branch(from)) {
            MoveFlow::GoesOn
        } else {
            self.builder.keep(line);
            MoveFlow::KeptAsText
        };
    }

    fn setup(&mut self) -> &mut Setup {
        let rules = self.rules.rules();
        self.setup.get_or_insert_with(|| Setup::empty(rules))
    }

    fn take(&mut self, name: &str, value: &str, line: usize) -> Result<(), RecordError> {
        let rules = self.rules.rules();
        if let Some(side) =
            name.strip_suffix("の持駒").or_else(|| name.strip_suffix("の持ち駒")).and_then(side_named)
        {
            let rules = self.rules.rules().clone();
            return read_hand(self.setup(), &rules, side, value).map_err(|what| RecordError::new(line, what));
        }
        if name == "手合割" {
            // Some programs split the word, and some add other conditions of the game.
            let word = value.split([' ', '　', '#']).find(|word| !word.is_empty()).unwrap_or_default();
            return match handicap(rules, word) {
                Some(setup) => {
                    if word != "平手" {
                        self.setup = Some(setup);
                    }
                    Ok(())
                }
                None if word.is_empty() || word.contains("その他") || word.contains("詰") => Ok(()),
                None => Err(RecordError::new(line, message!("records.handicap", word))),
            };
        }
        match tag_of(name) {
            Some(known) => self.builder.record.tags.set(&known, value),
            // A sentence with a colon.
            None if !says_position(name) => self.builder.add_comment_line(&format!("{name}：{value}")),
            None => {}
        }
        Ok(())
    }

    fn take_rank(&mut self, line: &str, at: usize) -> Result<(), RecordError> {
        let rules = self.rules.rules().clone();
        self.n_ranks += 1;
        let rank = self.n_ranks;
        if rank == 1 {
            // A diagram overrides the named handicap.
            let setup = self.setup();
            setup.board.iter_mut().for_each(|square| *square = None);
        }
        if read_diagram_rank(self.setup(), &rules, rank, line) {
            Ok(())
        } else {
            Err(RecordError::new(at, message!("records.diagram-rank", rank)))
        }
    }

    fn begin(&mut self, line: usize) -> Result<(), RecordError> {
        if self.has_begun {
            return Ok(());
        }
        self.has_begun = true;
        let Some(mut setup) = self.setup.take() else { return Ok(()) };
        if let Some(turn) = self.turn {
            setup.turn = turn.0;
        }
        let game = begin_from(self.rules, &setup)
            .map_err(|error| RecordError::new(line, message!("records.first-position", error)))?;
        self.builder.set_start(game);
        Ok(())
    }

    fn play(&mut self, text: &str, line: usize) -> Result<(), RecordError> {
        self.is_record = true;
        self.begin(line)?;
        match self.flow {
            MoveFlow::GoesOn => {}
            MoveFlow::Over => return Ok(()),
            MoveFlow::KeptAsText => {
                self.builder.keep(text);
                return Ok(());
            }
        }
        if let Some(end) = end_of(text) {
            if self.builder.in_variation() {
                self.builder.keep(end_word(text))
            } else {
                end.settle(&mut self.builder);
                self.flow = MoveFlow::Over;
            }
            return Ok(());
        }
        match self.builder.take_move(line, text, |game| read_kif(game, text))? {
            Taken::Played => {
                spent_on(text).into_iter().for_each(|spent_ms| self.builder.set_time(spent_ms));
            }
            Taken::Kept => {}
            Taken::Unreadable => {
                self.flow = MoveFlow::KeptAsText;
                self.builder.keep(text);
            }
        }
        Ok(())
    }

    /// `まで123手で先手の勝ち`: books name the winner, not who resigned.
    fn read_result(&mut self, line: &str) {
        let first = ["先手", "下手"].iter().any(|side| line.contains(&format!("{side}の")));
        let result = if line.contains("の勝ち") || line.contains("の反則勝ち") {
            Some(GameResult::Won(if first { Side::FIRST } else { Side::SECOND }))
        } else if ["千日手", "持将棋", "引き分け"].iter().any(|word| line.contains(word)) {
            Some(GameResult::Draw)
        } else if line.contains("反則負け") {
            Some(GameResult::Won(if first { Side::SECOND } else { Side::FIRST }))
        } else if line.contains("詰み") || line.contains("詰") && !line.contains("不詰") {
            GameRecord::opponent(self.rules.rules(), self.builder.game.turn()).map(GameResult::Won)
        } else {
            None
        };
        if let Some(result) = result {
            self.builder.record.result = result;
        }
    }

    fn finish(mut self, line: usize) -> Result<RecordBuilder, RecordError> {
        if !self.is_record {
            return Err(RecordError::new(line, message!("records.kif-empty")));
        }
        self.begin(line)?;
        Ok(self.builder)
    }
}

/// The word of a line that may be the end of a game.
fn end_word(text: &str) -> &str {
    text.trim_start().split([' ', '(', '#']).next().unwrap_or_default().trim_end_matches(['　', '+'])
}

fn end_of(text: &str) -> Option<End> {
    End::of_word(end_word(text))
}

/// The number in `：12手`.
pub fn parse_move_number(text: &str) -> Option<usize> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// The time of a move: before the slash in `７六歩(77)   ( 0:16/00:00:16)`.
fn spent_on(text: &str) -> Option<u64> {
    // Legs are joined by a slash, and passes and returns are said in brackets, too.
    text.split('(').skip(1).find_map(|part| read_clock(part.split_once('/')?.0.trim()))
}
