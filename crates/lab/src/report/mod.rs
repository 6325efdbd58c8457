//! A report of an experiment, for people: one page, written in several forms.
//!
//! In: sentences, figures, tables, and where they come from. Out: Markdown, HTML, CSV, text. Never: numbers of its own,
//! a file, the date.

mod csv;
mod html;
mod json;
mod markdown;
mod table;
mod terminal;

pub use csv::csv;
pub use html::html;
pub use json::json;
pub use markdown::markdown;
pub use table::{Align, Cell, Column, Table};
pub use terminal::terminal;

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
    fn origin(&self) -> Vec<(&str, String)> {
        let mut origin = vec![
            ("command", self.command.clone()),
            ("version", self.version.clone()),
            ("seed", self.seed.to_string()),
        ];
        origin.extend(self.conventions.iter().map(|sentence| ("convention", sentence.clone())));
        let rules = self.digests.iter().map(|(game, digest)| ("rules", format!("{game}: {digest}")));
        origin.extend(rules);
        origin
    }
}
