//! A report of an experiment, for people: one page, written in several forms.
//!
//! In: messages, figures, tables, and where they come from. Out: Markdown and HTML in either language; CSV, JSON and text
//! in English. Never: numbers of its own, a file, the date.

mod csv;
mod html;
mod json;
mod markdown;
mod table;
mod terminal;

pub use csv::{csv, csv_text};
pub use html::html;
pub use json::json;
pub use markdown::markdown;
pub use table::{Align, Column, Table, TableCell};
pub use terminal::terminal;

use ashta_messages::{Arg, Message, message};

use crate::figures::Picture;

/// One report. It says how it came about, so that it can be made again from itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReportPage {
    /// What it is about.
    pub title: Arg,
    /// What was found, a sentence each.
    pub summary: Vec<Arg>,
    /// The command that makes it.
    pub command: String,
    /// The program and its version.
    pub version: String,
    /// The seed of the games.
    pub seed: u64,
    /// The conventions used, a sentence each.
    pub conventions: Vec<Arg>,
    /// The digest of each game's rules: its name and the digest.
    pub digests: Vec<(String, String)>,
    /// The whole plan, as JSON.
    pub plan: String,
    /// What is shown, pictures first.
    pub sections: Vec<Section>,
}

/// One thing that tells how a report came about.
struct Origin {
    name: Message,
    value: Arg,
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
    pub heading: Arg,
    /// What to see in it.
    pub paragraphs: Vec<Arg>,
    /// A figure.
    pub figure: Option<Picture>,
    /// A table.
    pub table: Option<Table>,
}

impl ReportPage {
    /// How the report came about: names and values, the same in every form.
    fn origin(&self) -> Vec<Origin> {
        let code = |name, value: String| Origin { name, value: Arg::Text(value), sort: Sort::Code };
        let mut origin = vec![
            code(message!("lab.origin-command"), self.command.clone()),
            code(message!("lab.origin-version"), self.version.clone()),
            code(message!("lab.origin-seed"), self.seed.to_string()),
        ];
        let convention = |value: &Arg| Origin {
            name: message!("lab.origin-convention"),
            value: value.clone(),
            sort: Sort::Words,
        };
        origin.extend(self.conventions.iter().map(convention));
        let rules = |(game, digest): &(String, String)| {
            code(message!("lab.origin-rules"), format!("{game}: {digest}"))
        };
        origin.extend(self.digests.iter().map(rules));
        origin
    }
}
