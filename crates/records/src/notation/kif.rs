//! Japanese records: KIF, a move on a line with its origin, and KI2, moves as books have them.
//!
//! In: the text of one game. Out: a record. Never: variations, comments, times.

use ashta_position::notation::read_kif;
use ashta_position::{CompiledRules, Game};
use ashta_rules::{Setup, Side};

use super::japanese_start::{handicap, read_diagram_rank, read_hand};
use super::usi::{End, side_named};
use super::{MoveReader, Playing, RawGame, RecordError};
use crate::record::{GameRecord, GameResult, tag};

/// What heads of records say.
const HEADS: [(&str, &str); 13] = [
    ("先手", tag::PLAYERS[0]),
    ("下手", tag::PLAYERS[0]),
    ("後手", tag::PLAYERS[1]),
    ("上手", tag::PLAYERS[1]),
    ("開始日時", tag::DATE),
    ("対局日", tag::DATE),
    ("日付", tag::DATE),
    ("棋戦", tag::EVENT),
    ("場所", tag::SITE),
    ("戦型", tag::OPENING),
    ("手数", "手数"),
    ("先手のレーティング", tag::RATINGS[0]),
    ("後手のレーティング", tag::RATINGS[1]),
];

/// Marks before a move of each side, as books have them.
const MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

pub fn parse_kif(raw: &RawGame, rules: &CompiledRules, _: &mut MoveReader) -> Result<Playing, RecordError> {
    let mut head = Head::new(rules);
    for (n, line) in raw.text.lines().enumerate() {
        let (line, at) = (line.trim_end(), raw.line + n);
        match head.sort(line) {
            LineSort::Nothing => {}
            LineSort::Over => break,
            LineSort::Head(name, value) => head.take(name, value, at)?,
            LineSort::Rank => head.take_rank(line, at)?,
            LineSort::Turn(side) => head.set_turn(side),
            LineSort::Result => head.read_result(line),
            LineSort::Moves => {
                let text = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
                // Some programs put a point after the number.
                if head.play(text.trim_start_matches(['.', ' ', '　']), at)? == Flow::Over {
                    break;
                }
            }
        }
    }
    head.finish(raw.line)
}

pub fn parse_ki2(raw: &RawGame, rules: &CompiledRules, _: &mut MoveReader) -> Result<Playing, RecordError> {
    let mut head = Head::new(rules);
    for (n, line) in raw.text.lines().enumerate() {
        let (line, at) = (line.trim_end(), raw.line + n);
        if line.trim_start().starts_with(MARKS) {
            let words =
                line.split(MARKS).map(|word| word.trim_matches([' ', '　'])).filter(|word| !word.is_empty());
            for word in words {
                if head.play(word, at)? == Flow::Over {
                    break;
                }
            }
            continue;
        }
        match head.sort(line) {
            LineSort::Nothing | LineSort::Moves => {}
            LineSort::Over => break,
            LineSort::Head(name, value) => head.take(name, value, at)?,
            LineSort::Rank => head.take_rank(line, at)?,
            LineSort::Turn(side) => head.set_turn(side),
            LineSort::Result => head.read_result(line),
        }
    }
    head.finish(raw.line)
}

#[derive(PartialEq, Eq)]
enum Flow {
    GoesOn,
    Over,
}

/// What a line is.
enum LineSort<'a> {
    Nothing,
    Head(&'a str, &'a str),
    /// A rank of a diagram.
    Rank,
    Turn(Side),
    Moves,
    /// `まで123手で先手の勝ち`.
    Result,
    /// Variations begin.
    Over,
}

struct Head<'a> {
    rules: &'a CompiledRules,
    playing: Playing,
    setup: Option<Setup>,
    n_ranks: u8,
    turn: Option<Side>,
    has_begun: bool,
}

impl<'a> Head<'a> {
    fn new(rules: &'a CompiledRules) -> Head<'a> {
        let playing = Playing::from_start(rules);
        Head { rules, playing, setup: None, n_ranks: 0, turn: None, has_begun: false }
    }

    fn sort<'t>(&self, line: &'t str) -> LineSort<'t> {
        let text = line.trim_start();
        if text.starts_with("変化") {
            return LineSort::Over;
        }
        if text.starts_with("まで") {
            return LineSort::Result;
        }
        if text.starts_with('|') {
            return LineSort::Rank;
        }
        match text {
            "先手番" | "下手番" => return LineSort::Turn(Side::FIRST),
            "後手番" | "上手番" => return LineSort::Turn(Side::SECOND),
            _ => {}
        }
        if text.is_empty() || text.starts_with(['*', '#', '&', '+', '手']) && !text.contains(['：', ':']) {
            return LineSort::Nothing;
        }
        if text.starts_with(['*', '#', '&']) {
            return LineSort::Nothing;
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return LineSort::Moves;
        }
        match text.split_once('：').or_else(|| text.split_once(':')) {
            Some((name, value)) => LineSort::Head(name.trim(), value.trim_matches([' ', '　'])),
            None => LineSort::Nothing,
        }
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
            // Some programs put the word's parts apart, and some add what else was agreed.
            let word = value.split([' ', '　', '#']).find(|word| !word.is_empty()).unwrap_or_default();
            return match handicap(rules, word) {
                Some(setup) => {
                    if word != "平手" {
                        self.setup = Some(setup);
                    }
                    Ok(())
                }
                None if word.is_empty() || word.contains("その他") || word.contains("詰") => Ok(()),
                None => Err(RecordError::new(line, format!("nobody knows the handicap `{word}`"))),
            };
        }
        let known = HEADS.iter().find(|(theirs, _)| *theirs == name);
        if let Some((_, ours)) = known {
            self.playing.record.tags.set(ours, value);
        }
        Ok(())
    }

    fn take_rank(&mut self, line: &str, at: usize) -> Result<(), RecordError> {
        let rules = self.rules.rules().clone();
        self.n_ranks += 1;
        let rank = self.n_ranks;
        if rank == 1 {
            // A diagram says where everything stands, whatever the handicap's name was.
            let setup = self.setup();
            setup.board.iter_mut().for_each(|square| *square = None);
        }
        match read_diagram_rank(self.setup(), &rules, rank, line) {
            true => Ok(()),
            false => Err(RecordError::new(at, format!("rank {rank} of the diagram cannot be read"))),
        }
    }

    fn set_turn(&mut self, side: Side) {
        self.turn = Some(side);
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
        let game = Game::from_setup(self.rules, &setup)
            .map_err(|error| RecordError::new(line, format!("its first position: {error}")))?;
        self.playing.set_start(game);
        Ok(())
    }

    fn play(&mut self, text: &str, line: usize) -> Result<Flow, RecordError> {
        self.begin(line)?;
        let word = text.split([' ', '(']).next().unwrap_or_default().trim_end_matches(['　', '+']);
        if let Some(end) = End::of_word(word) {
            end.settle(&mut self.playing);
            return Ok(Flow::Over);
        }
        let mv = read_kif(&self.playing.game, text).map_err(|error| self.playing.at_move(line, error))?;
        self.playing.play(line, mv)?;
        Ok(Flow::GoesOn)
    }

    /// `まで123手で先手の勝ち`: books say the winner, not who resigned.
    fn read_result(&mut self, line: &str) {
        let result = if line.contains("の勝ち") {
            let first = ["先手", "下手"].iter().any(|side| line.contains(&format!("{side}の")));
            Some(GameResult::Won(if first { Side::FIRST } else { Side::SECOND }))
        } else if ["千日手", "持将棋", "引き分け"].iter().any(|word| line.contains(word)) {
            Some(GameResult::Draw)
        } else if line.contains("反則負け") {
            let first = ["先手", "下手"].iter().any(|side| line.contains(&format!("{side}の")));
            Some(GameResult::Won(if first { Side::SECOND } else { Side::FIRST }))
        } else if line.contains("詰み") || line.contains("詰") && !line.contains("不詰") {
            GameRecord::opponent(self.rules.rules(), self.playing.game.turn()).map(GameResult::Won)
        } else {
            None
        };
        if let Some(result) = result {
            self.playing.record.result = result;
        }
    }

    fn finish(mut self, line: usize) -> Result<Playing, RecordError> {
        self.begin(line)?;
        Ok(self.playing)
    }
}
