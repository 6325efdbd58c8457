//! What people are told: a code with arguments in, a sentence in English or Japanese out.
//!
//! In: errors, notices and reasons as values. Out: their code, arguments and text. Never: a sentence written in Rust: all of them
//! stand in `messages/en` and `messages/ja`, keyed by code, and the macros read both while the program is compiled, so that a missing
//! sentence, an unknown code or a wrong placeholder is a compile error.
//!
//! ```text
//! # messages/en/position.txt
//! position.no-royal = {side} has no royal piece
//! position.moves = {n} {n?move:moves}
//! position.no-royal.hint = put a {piece} on the board
//! ```
//!
//! An error type derives [`Tell`]: `#[code("position.no-royal")]` on a variant names its sentence, whose placeholders are the
//! variant's fields; `#[code(transparent)]` hands on what a wrapped error tells; `#[from]` on its field converts. A single message
//! is made by [`message!`].

mod arg;
mod piece;

use std::fmt;

pub use arg::{Arg, ToArg};
pub use ashta_messages_macros::{Tell, message};
#[doc(hidden)]
pub use piece::{Entry, Piece};

/// A language of the catalogues.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    /// `messages/en`.
    #[default]
    English,
    /// `messages/ja`.
    Japanese,
}

impl Language {
    /// Every language, in the order of [`Message`]'s texts.
    pub const ALL: [Language; 2] = [Language::English, Language::Japanese];

    /// The language tag: `en`, `ja`.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }

    /// From its tag.
    pub fn from_tag(tag: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.tag() == tag)
    }
}

/// Something that people can be told.
pub trait Tell {
    /// What it says.
    fn message(&self) -> Message;

    /// What to do about it.
    fn hint(&self) -> Option<Message> {
        None
    }
}

/// A code, its arguments, and the sentence in each language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Behind a reference: an error may hold several messages.
    entry: &'static Entry,
    args: Vec<(&'static str, Arg)>,
}

/// A name from data, which has its own spelling in each language.
const NAME: Entry = Entry { code: "name", sentences: [&[Piece::Arg(0)], &[Piece::Arg(1)]] };

impl Message {
    /// For the macros, which check sentences against arguments.
    #[doc(hidden)]
    pub fn from_catalogue(entry: &'static Entry, args: Vec<(&'static str, Arg)>) -> Message {
        Message { entry, args }
    }

    /// A name that no catalogue has, such as that of a piece of a game file.
    pub fn name(english: impl Into<String>, japanese: impl Into<String>) -> Message {
        let args = [Arg::Text(english.into()), Arg::Text(japanese.into())];
        Message { entry: &NAME, args: Language::ALL.map(Language::tag).into_iter().zip(args).collect() }
    }

    /// The stable code, such as `position.no-royal`.
    pub fn code(&self) -> &'static str {
        self.entry.code
    }

    /// The arguments by name, in the order in which they were given.
    pub fn args(&self) -> &[(&'static str, Arg)] {
        &self.args
    }

    /// Whether every argument is there: a hint with an absent argument says nothing.
    pub fn is_complete(&self) -> bool {
        self.args.iter().all(|(_, arg)| *arg != Arg::Absent)
    }

    /// The sentence.
    pub fn text(&self, language: Language) -> String {
        piece::sentence(self.entry.sentences[language as usize], &self.args, language)
    }
}

impl Tell for Message {
    fn message(&self) -> Message {
        self.clone()
    }
}

impl<T: Tell + ?Sized> Tell for &T {
    fn message(&self) -> Message {
        (**self).message()
    }

    fn hint(&self) -> Option<Message> {
        (**self).hint()
    }
}

/// In English.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}
