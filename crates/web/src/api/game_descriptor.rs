//! The game descriptor: everything that a page must know to show the game, made from its rules.

use ashta_position::notation::write_kif;
use ashta_position::{CompiledRules, Game};
use ashta_records::{Format, GameRecord, write_record};
use ashta_rules::words::{Language, Words, kind_name, rules_in_words, side_name};
use ashta_rules::{Grid, Hand, Kind, KindId, Rules, Wraps};
use serde::Serialize;
use utoipa::ToSchema;

use super::lineage::{Ancestor, lineage_of};
use super::pieces::PieceDiagram;
use super::position::view_at;
use super::position_fields::PositionFields;
use super::position_spec::PositionSpec;
use super::position_view::PositionView;
use crate::api_error::ApiError;

/// Everything that must be known to show a game.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct GameDescriptor {
    /// The game without its changes: `shatranj`.
    pub id: String,
    /// The game with its changes: `shatranj+double-step`.
    pub spec: String,
    /// `Shatranj`.
    pub name: String,
    /// What it is, in a sentence.
    pub about: String,
    /// The game that it came from.
    pub descends: Option<String>,
    /// Whether it was written here.
    pub own: bool,
    /// Two games with one digest have the same rules.
    pub digest: String,
    /// Squares from left to right.
    pub files: u8,
    /// Squares from bottom to top.
    pub ranks: u8,
    /// How many sides play.
    pub n_sides: usize,
    /// Names of files, from the left as the first side sees it.
    pub file_labels: Vec<String>,
    /// Names of ranks, from the top.
    pub rank_labels: Vec<String>,
    /// Names of squares, a list for each rank from the top; nothing where the board has no square.
    pub squares: Vec<Vec<Option<String>>>,
    /// Whether ranks are rings: the last file is next to the first.
    pub ring: bool,
    /// What board and pieces look like.
    pub look: BoardStyle,
    /// Sides, in order of moving.
    pub sides: Vec<SideBody>,
    /// Kinds of piece; others speak of them by their place in this list.
    pub kinds: Vec<KindBody>,
    /// Whether there are hands: captured pieces come back, or men are placed first.
    pub hand: bool,
    /// Whether it is a contest: several sides, perhaps dice.
    pub contest: bool,
    /// Changes that may be switched on.
    pub changes: Vec<ChangeBody>,
    /// What a position says besides pieces, hands and the side to move.
    pub position: PositionFields,
    /// Where it starts.
    pub start: PositionView,
    /// The rules that diagrams of moves do not show, in the language asked for.
    pub rules: Vec<RuleBody>,
    /// How each kind moves.
    pub pieces: Vec<PieceDiagram>,
    /// Formats that a score of this game can be written in.
    pub formats: Vec<&'static str>,
    /// The games that it came from, the nearest first, and what changed from each to the next.
    pub lineage: Vec<Ancestor>,
    /// The text of the file.
    pub source: String,
}

/// What the rules say of a subject.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct RuleBody {
    /// The heading.
    pub title: String,
    /// All sentences, one on a line.
    pub text: String,
    /// The same, one by one.
    pub sentences: Vec<String>,
}

/// What board and pieces look like.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum BoardStyle {
    /// Squares of two colours, pieces as symbols.
    Chess,
    /// Wedges with characters on a board of lines.
    Shogi,
    /// Discs with characters.
    Xiangqi,
}

/// A side.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct SideBody {
    /// `White`, as the file says it.
    pub name: String,
    /// The same in the language asked for.
    pub label: String,
    /// `w`, as positions are written.
    pub letter: String,
    /// Sides with the same number play together.
    pub team: u8,
    /// Right angles by which the side's board is turned, clockwise.
    pub quarters: u8,
}

/// A kind of piece.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct KindBody {
    /// `pawn`, as the file says it.
    pub name: String,
    /// The same in the language asked for.
    pub label: String,
    /// As positions are written, for the first side: `P`, `+P`.
    pub letter: String,
    /// One character for each side.
    pub symbols: Option<Vec<String>>,
    /// The characters on a shogi or xiangqi piece, for each side.
    pub kanji: Option<Vec<String>>,
    /// Whether losing it loses the game.
    pub royal: bool,
    /// What it is worth, if the file says so.
    pub value: Option<f64>,
    /// Whether it is the other face of a piece.
    pub promoted: bool,
    /// Whether it may be in hand.
    pub hand: bool,
    /// The number on a die that moves it.
    pub number: Option<u8>,
    /// Whether its first move may pass over a square on which it can then be captured.
    pub passes_over: bool,
}

/// A change that may be switched on.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct ChangeBody {
    /// What stands after the `+`.
    pub name: String,
    /// What it changes, in a sentence.
    pub about: String,
    /// Whether it is on.
    pub on: bool,
}

/// What the rules do not say.
#[derive(Clone, Debug)]
pub struct DescriptorSource {
    /// The text of the file.
    pub source: String,
    /// Whether the game was written here.
    pub own: bool,
    /// The language of texts.
    pub language: Language,
}

impl GameDescriptor {
    pub fn of(compiled: &CompiledRules, origin: DescriptorSource) -> Result<GameDescriptor, ApiError> {
        let language = origin.language;
        let rules = compiled.rules();
        let grid = rules.grid();
        let mut parts = rules.id().split('+');
        let id = parts.next().unwrap_or_default().to_string();
        let on: Vec<&str> = parts.collect();
        Ok(GameDescriptor {
            id,
            spec: rules.id().to_string(),
            name: rules.name().to_string(),
            about: rules.about().to_string(),
            descends: rules.descends().map(str::to_string),
            own: origin.own,
            digest: format!("{:016x}", rules.digest()),
            files: grid.files(),
            ranks: grid.ranks(),
            n_sides: rules.sides().len(),
            file_labels: (0..grid.files()).map(|file| grid.file_name(file)).collect(),
            rank_labels: (0..grid.ranks()).rev().map(|rank| grid.rank_name(rank)).collect(),
            squares: squares(grid),
            ring: grid.wraps() == Wraps::Files,
            look: BoardStyle::of(rules),
            sides: sides(rules, language),
            kinds: rules.kind_ids().map(|kind| KindBody::of(kind, rules, language)).collect(),
            hand: rules.hand() != Hand::None,
            contest: rules.contest().is_some(),
            changes: changes(rules, &on),
            position: PositionFields::of(rules),
            start: view_at(&PositionSpec::start(rules.id()), compiled)?,
            rules: rules_in_words(rules, language).into_iter().map(RuleBody::of).collect(),
            pieces: rules.kind_ids().map(|kind| PieceDiagram::of(kind, rules)).collect(),
            formats: formats(compiled),
            lineage: lineage_of(rules, language),
            source: origin.source,
        })
    }
}

impl RuleBody {
    fn of(words: Words) -> RuleBody {
        RuleBody { title: words.title, text: words.sentences.join("\n"), sentences: words.sentences }
    }
}

/// Formats that have words for the game.
fn formats(compiled: &CompiledRules) -> Vec<&'static str> {
    if compiled.rules().contest().is_some() {
        return Vec::new();
    }
    let fits = |format: &Format| {
        write_record(*format, &GameRecord::default(), compiled, &mut String::new()).is_ok()
            && (!matches!(format, Format::Kif | Format::Ki2 | Format::Jkf) || kif_fits(compiled))
    };
    let known = [Format::Pgn, Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Usi];
    known.into_iter().filter(fits).map(Format::name).collect()
}

/// A record without moves tells nothing of their names.
fn kif_fits(compiled: &CompiledRules) -> bool {
    let game = Game::start(compiled);
    game.legal_moves().first().is_none_or(|mv| write_kif(&game, *mv).is_ok())
}

fn squares(grid: Grid) -> Vec<Vec<Option<String>>> {
    let name = |file: u8, rank: u8| {
        let square = grid.at(i16::from(file), i16::from(rank))?;
        Some(grid.name(square).to_string())
    };
    let row = |rank: u8| (0..grid.files()).map(|file| name(file, rank)).collect();
    (0..grid.ranks()).rev().map(row).collect()
}

fn sides(rules: &Rules, language: Language) -> Vec<SideBody> {
    let body = |side: &ashta_rules::SideRules| SideBody {
        name: side.name.clone(),
        label: side_name(side, rules, language),
        letter: side.letter.to_string(),
        team: side.team,
        quarters: side.quarters,
    };
    rules.sides().iter().map(body).collect()
}

fn changes(rules: &Rules, on: &[&str]) -> Vec<ChangeBody> {
    let body = |change: &ashta_rules::ChangeName| ChangeBody {
        name: change.name.clone(),
        about: change.about.clone(),
        on: on.contains(&change.name.as_str()),
    };
    rules.changes().iter().map(body).collect()
}

impl BoardStyle {
    /// Characters on pieces that turn over or change sides are shogi's; other characters are xiangqi's.
    pub fn of(rules: &Rules) -> BoardStyle {
        let has_kanji = rules.kinds().iter().all(|kind| kind.kanji.is_some());
        let turns_over = rules.kinds().iter().any(is_promoted) || rules.hand() == Hand::Captures;
        match (has_kanji, turns_over) {
            (true, true) => BoardStyle::Shogi,
            (true, false) => BoardStyle::Xiangqi,
            (false, _) => BoardStyle::Chess,
        }
    }
}

/// Positions write the other face of a piece with a `+`.
fn is_promoted(kind: &Kind) -> bool {
    kind.letter.starts_with('+') || kind.letter.ends_with('~')
}

impl KindBody {
    fn of(id: KindId, rules: &Rules, language: Language) -> KindBody {
        let kind = rules.kind(id);
        KindBody {
            name: kind.name.clone(),
            label: kind_name(kind, language),
            letter: kind.letter.clone(),
            symbols: kind.symbols.clone(),
            kanji: kind.kanji.clone(),
            royal: kind.royal,
            value: kind.value,
            promoted: is_promoted(kind),
            hand: rules.hand() != Hand::None && kind.drop.is_some(),
            number: kind.number,
            passes_over: rules.can_be_taken_in_passing(id),
        }
    }
}
