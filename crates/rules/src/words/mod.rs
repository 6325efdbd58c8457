//! The rules of a game in a few sentences, made from the data.
//!
//! In: checked rules, a language. Out: sentences under headings. Never: what a diagram of moves shows already.
//!
//! Each language says every part of the rules in its own file; a part that is added is missed there by the compiler.

mod english;
mod english_contest;
mod japanese;
mod japanese_contest;
mod japanese_names;
mod region;

pub use ashta_messages::Language;
use ashta_messages::{Arg, Message, ToArg};

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
    /// Limits of single pieces.
    Pieces,
    /// What becomes what.
    Promotion,
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
}

impl Subject {
    const ALL: [Subject; 7] = [
        Subject::Pieces,
        Subject::Promotion,
        Subject::Castling,
        Subject::Hands,
        Subject::Turns,
        Subject::Contest,
        Subject::Ends,
    ];

    /// Its heading.
    pub fn title(self, language: Language) -> &'static str {
        let (english, japanese) = match self {
            Subject::Pieces => ("pieces", "駒"),
            Subject::Promotion => ("promotion", "成り"),
            Subject::Castling => ("castling", "キャスリング"),
            Subject::Hands => ("hands", "持ち駒"),
            Subject::Turns => ("turns", "手番"),
            Subject::Contest => ("contest", "対戦"),
            Subject::Ends => ("ends", "終局"),
        };
        match language {
            Language::English => english,
            Language::Japanese => japanese,
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
    let told = |subject: Subject| {
        let sentences = match language {
            Language::English => in_english(subject, rules),
            Language::Japanese => in_japanese(subject, rules),
        };
        let title = subject.title(language).to_string();
        (!sentences.is_empty()).then_some(Words { subject, title, sentences })
    };
    Subject::ALL.into_iter().filter_map(told).collect()
}

fn in_english(subject: Subject, rules: &Rules) -> Vec<String> {
    match subject {
        Subject::Pieces => english::pieces(rules),
        Subject::Promotion => english::promotions(rules),
        Subject::Castling => english::castlings(rules),
        Subject::Hands => english::hands(rules),
        Subject::Turns => english::turns(rules),
        Subject::Contest => english::contest(rules),
        Subject::Ends => english::ends(rules),
    }
}

fn in_japanese(subject: Subject, rules: &Rules) -> Vec<String> {
    match subject {
        Subject::Pieces => japanese::pieces(rules),
        Subject::Promotion => japanese::promotions(rules),
        Subject::Castling => japanese::castlings(rules),
        Subject::Hands => japanese::hands(rules),
        Subject::Turns => japanese::turns(rules),
        Subject::Contest => japanese::contest(rules),
        Subject::Ends => japanese::ends(rules),
    }
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
