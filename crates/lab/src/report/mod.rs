//! A report of an experiment, for people: one page, written in several forms.
//!
//! In: sentences, figures, tables, and where they come from. Out: Markdown, HTML, CSV, text; the same page in Japanese.
//! Never: numbers of its own, a file, the date.

mod csv;
mod html;
mod japanese;
mod json;
mod markdown;
mod table;
mod terminal;
mod texts;

pub use csv::{csv, csv_text};
pub use html::html;
pub use japanese::in_japanese;
pub use json::json;
pub use markdown::markdown;
pub use table::{Align, Column, Table, TableCell};
pub use terminal::terminal;

use std::collections::BTreeMap;

use crate::figures::Picture;

/// One report. It says how it came about, so that it can be made again from itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReportPage {
    /// What it is about.
    pub title: String,
    /// What was found, a sentence each.
    pub summary: Vec<String>,
    /// The command that makes it.
    pub command: String,
    /// The program and its version.
    pub version: String,
    /// The seed of the games.
    pub seed: u64,
    /// The conventions used, a sentence each.
    pub conventions: Vec<String>,
    /// The digest of each game's rules: its name and the digest.
    pub digests: Vec<(String, String)>,
    /// The whole plan, as JSON.
    pub plan: String,
    /// What is shown, pictures first.
    pub sections: Vec<Section>,
    /// What every page says of itself.
    pub wording: Wording,
    /// What pieces are called in Japanese, where all games of the page agree: a pawn of chess is none of shogi.
    pub pieces_in_japanese: BTreeMap<String, String>,
}

/// The words that are on every page: how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wording {
    /// The code of the language that the page is in.
    pub language: &'static str,
    /// What stands above them.
    pub heading: String,
    /// The command's name, and so on.
    pub command: String,
    /// The version's.
    pub version: String,
    /// The seed's.
    pub seed: String,
    /// A convention's.
    pub convention: String,
    /// The rules'.
    pub rules: String,
}

impl Default for Wording {
    fn default() -> Wording {
        Wording {
            language: "en",
            heading: "How this came about".into(),
            command: "command".into(),
            version: "version".into(),
            seed: "seed".into(),
            convention: "convention".into(),
            rules: "rules".into(),
        }
    }
}

/// One thing that tells how a report came about.
struct Origin<'a> {
    name: &'a str,
    value: String,
    sort: Sort,
}

/// How it is to be read.
enum Sort {
    /// A sentence.
    Words,
    /// Letter by letter.
    Code,
}

/// One thing shown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Section {
    /// What it is.
    pub heading: String,
    /// What to see in it.
    pub paragraphs: Vec<String>,
    /// A figure.
    pub figure: Option<Picture>,
    /// A table.
    pub table: Option<Table>,
}

impl ReportPage {
    /// How the report came about: names and values, the same in every form.
    fn origin(&self) -> Vec<Origin<'_>> {
        let words = &self.wording;
        let code = |name, value| Origin { name, value, sort: Sort::Code };
        let mut origin = vec![
            code(&words.command, self.command.clone()),
            code(&words.version, self.version.clone()),
            code(&words.seed, self.seed.to_string()),
        ];
        let convention =
            |value: &String| Origin { name: &words.convention, value: value.clone(), sort: Sort::Words };
        origin.extend(self.conventions.iter().map(convention));
        let rules = |(game, digest): &(String, String)| code(&words.rules, format!("{game}: {digest}"));
        origin.extend(self.digests.iter().map(rules));
        origin
    }
}
