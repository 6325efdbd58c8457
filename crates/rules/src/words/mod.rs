//! The rules of a game in a few sentences, made from the data.
//!
//! In: checked rules, a language. Out: sentences under headings. Never: what a diagram of moves shows already; a sentence
//! written in Rust: they stand in `messages/en/prose.txt` and `messages/ja/prose.txt`.

mod bans;
mod contest;
mod counting;
mod ends;
mod japanese_names;
mod region;
mod sentences;

pub use ashta_messages::Language;
use ashta_messages::{Arg, Message, ToArg, message};

use crate::grid::Side;
use crate::rule_parts::Kind;
use crate::rules::{Rules, SideRules};

impl Kind {
    /// Its name in messages.
    pub fn message(&self) -> Message {
        Message::name(&self.name, japanese_names::kind(self))
    }
}

impl ToArg for Kind {
    fn to_arg(&self) -> Arg {
        self.message().to_arg()
    }
}

impl Rules {
    /// The name of a side in messages.
    pub fn side_message(&self, side: Side) -> Message {
        let side = &self.sides()[side.index()];
        Message::name(&side.name, japanese_names::side(side, self))
    }
}

/// A subject that rules speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A board that is not a plain rectangle.
    Board,
    /// Limits of single pieces.
    Pieces,
    /// What becomes what.
    Promotion,
    /// Captures that may not be made.
    Bans,
    /// King and rook in one move.
    Castling,
    /// Captured pieces and drops.
    Hands,
    /// Passing, facing.
    Turns,
    /// Teams and dice.
    Contest,
    /// How games end.
    Ends,
    /// Where the rules come from, and who says otherwise.
    Sources,
}

impl Subject {
    const ALL: [Subject; 10] = [
        Subject::Board,
        Subject::Pieces,
        Subject::Bans,
        Subject::Promotion,
        Subject::Castling,
        Subject::Hands,
        Subject::Turns,
        Subject::Contest,
        Subject::Ends,
        Subject::Sources,
    ];

    fn title(self) -> Message {
        match self {
            Subject::Board => message!("prose.title-board"),
            Subject::Pieces => message!("prose.title-pieces"),
            Subject::Bans => message!("prose.title-bans"),
            Subject::Promotion => message!("prose.title-promotion"),
            Subject::Castling => message!("prose.title-castling"),
            Subject::Hands => message!("prose.title-hands"),
            Subject::Turns => message!("prose.title-turns"),
            Subject::Contest => message!("prose.title-contest"),
            Subject::Ends => message!("prose.title-ends"),
            Subject::Sources => message!("prose.title-sources"),
        }
    }

    fn sentences(self, rules: &Rules) -> Vec<Message> {
        match (self, rules.contest()) {
            (Subject::Board, _) => sentences::board(rules),
            (Subject::Pieces, _) => sentences::pieces(rules),
            (Subject::Bans, _) => rules.bans().iter().map(|ban| bans::ban(ban, rules)).collect(),
            (Subject::Promotion, _) => sentences::promotions(rules),
            (Subject::Castling, _) => sentences::castlings(rules),
            (Subject::Hands, _) => sentences::hands(rules),
            (Subject::Turns, _) => sentences::turns(rules),
            (Subject::Contest, Some(contest)) => contest::contest(contest, rules),
            (Subject::Contest, None) => Vec::new(),
            (Subject::Ends, Some(contest)) => contest::contest_ends(contest, rules),
            (Subject::Ends, None) => ends::ends(rules),
            (Subject::Sources, _) => sentences::sources(rules),
        }
    }
}

/// What the rules say of a subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// Of what.
    pub subject: Subject,
    /// The heading.
    pub title: String,
    /// At least one.
    pub sentences: Vec<String>,
}

/// The rules that a diagram of moves does not show: limits, promotion, hands, castling, ends.
pub fn rules_in_words(rules: &Rules, language: Language) -> Vec<Words> {
    let in_words = |subject: Subject| {
        let sentences: Vec<String> =
            subject.sentences(rules).iter().map(|sentence| sentence.text(language)).collect();
        let title = subject.title().text(language);
        (!sentences.is_empty()).then_some(Words { subject, title, sentences })
    };
    Subject::ALL.into_iter().filter_map(in_words).collect()
}

/// What the royal piece is called; `royal piece` when there are several kinds.
fn royal(rules: &Rules) -> Message {
    let mut royals = rules.kinds().iter().filter(|kind| kind.royal);
    match (royals.next(), royals.next()) {
        (Some(kind), None) => kind.message(),
        _ => message!("prose.royal-piece"),
    }
}

type Join = fn(Message, Message) -> Message;

/// A list with `between` in it, and `last` before its last item.
fn folded(mut items: Vec<Message>, between: Join, last: Join) -> Message {
    let end = items.pop();
    let others = items.into_iter().reduce(between);
    match (others, end) {
        (Some(others), Some(end)) => last(others, end),
        (_, Some(end)) => end,
        (_, None) => Message::name("", ""),
    }
}

/// A list with the same between all its items.
fn joined(items: Vec<Message>, between: Join) -> Message {
    folded(items, between, between)
}

/// `queen, rook or knight`.
fn listed(items: Vec<Message>, last: Join) -> Message {
    folded(items, |first, second| message!("prose.comma", first, second), last)
}

/// What a kind of piece is called.
pub fn kind_name(kind: &Kind, language: Language) -> String {
    match language {
        Language::English => kind.name.clone(),
        Language::Japanese => japanese_names::kind(kind),
    }
}

/// What a side is called.
pub fn side_name(side: &SideRules, rules: &Rules, language: Language) -> String {
    match language {
        Language::English => side.name.clone(),
        Language::Japanese => japanese_names::side(side, rules),
    }
}

/// `queen, rook or knight`.
pub fn list(names: &[impl AsRef<str>], last: &str) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.to_string(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}
