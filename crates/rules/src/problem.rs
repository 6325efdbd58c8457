//! What is wrong with a game file, and where.
//!
//! In: places in source texts. Out: messages with line, column and a hint. Never: decisions about rules.

use std::fmt;
use std::sync::Arc;

use ashta_messages::{Message, message};

/// A text that rules are read from.
#[derive(PartialEq, Eq, Debug)]
pub struct Source {
    /// The file's name, as shown in messages.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A place in a source, by byte offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The text the place is in.
    pub source: Arc<Source>,
    /// Byte offset of the first character.
    pub offset: usize,
}

impl Place {
    /// The start of a source.
    pub fn start_of(source: Arc<Source>) -> Place {
        Place { source, offset: 0 }
    }

    /// Line and column in characters, both counted from 1.
    pub fn line_and_column(&self) -> (usize, usize) {
        let text = &self.source.text;
        let before = &text[..text.floor_char_boundary(self.offset.min(text.len()))];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    fn line(&self) -> &str {
        let (line, _) = self.line_and_column();
        self.source.text.lines().nth(line - 1).unwrap_or("")
    }
}

/// One thing that is wrong, where, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub what: Message,
    /// What to do.
    pub hint: Option<Message>,
}

impl Problem {
    /// A problem without a hint.
    pub fn new(place: Place, what: Message) -> Problem {
        Problem { place, what, hint: None }
    }

    /// The same problem with a hint.
    pub fn hint(self, hint: Message) -> Problem {
        Problem { hint: Some(hint), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.place.line_and_column();
        writeln!(f, "error: {}", self.what)?;
        writeln!(f, "  --> {}:{line}:{column}", self.place.source.name)?;
        writeln!(f, "{line:>5} | {}", self.place.line())?;
        // Not as a width: those end at 65,535, and lines need not.
        write!(f, "      | {}^", " ".repeat(column - 1))?;
        match &self.hint {
            Some(hint) => write!(f, "\n\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Everything that is wrong with a game file, in order of place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, problem) in self.0.iter().enumerate() {
            let gap = if n == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// The name nearest to one that is not known, as a hint.
pub fn did_you_mean<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<Message> {
    nearest(wrong, known).map(|name| message!("rules.did-you-mean", name))
}

/// The known name nearest to `wrong`, if one is near enough to be meant.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(wrong, name), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
