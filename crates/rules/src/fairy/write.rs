//! A game as a section of a variants.ini.
//!
//! In: checked rules. Out: text that reads back as the same game, with a comment for each end that it leaves out, or the keys of
//! the game file that such a file cannot say. Never: text that another game would be read from, for it is read back.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use ashta_messages::{Message, Tell, message};

use super::alike::{self, KindMap};
use super::load_variant;
use super::settings::built_in_names;
use super::writer::{PieceTable, Writer};
use super::{piece_table, write_parts, write_pieces};
use crate::problem::Place;
use crate::rules::Rules;

/// Why a game cannot be written: the keys of its game file that a variants.ini cannot say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwritten {
    pub keys: Vec<String>,
}

impl Tell for Unwritten {
    fn message(&self) -> Message {
        message!("rules.ini-unwritten", keys = self.keys)
    }
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for Unwritten {}

/// The largest board of the program, in its builds for large boards.
const MOST_FILES: u8 = 12;
const MOST_RANKS: u8 = 10;

/// Writes a game as a section of a variants.ini, named `ashta-` and the game, as Fairy-Stockfish keeps its own names to itself.
///
/// ```
/// let chess = ashta_rules::load("chess").unwrap();
/// let ini = ashta_rules::write_variant(&chess).unwrap();
/// assert!(ini.contains("[ashta-chess]") && ini.contains("knight = n"));
/// let lions = ashta_rules::load("chu-shogi").unwrap();
/// assert!(ashta_rules::write_variant(&lions).is_err());
/// ```
pub fn write_variant(rules: &Rules) -> Result<String, Unwritten> {
    let mut unwritten = too_much(rules);
    if !unwritten.is_empty() {
        return Err(Unwritten { keys: unwritten.into_iter().collect() });
    }
    let mut writer =
        Writer { rules, pieces: piece_table::table(rules), lines: Vec::new(), unwritten: BTreeSet::new() };
    write_pieces::write(&mut writer);
    write_parts::write(&mut writer);
    let name = section_name(rules);
    let text = writer.lines.iter().fold(format!("[{name}]\n"), |mut text, line| {
        _ = writeln!(text, "{line}");
        text
    });
    unwritten.append(&mut writer.unwritten);
    if unwritten.is_empty() {
        unwritten = read_back(rules, &writer.pieces, &text);
    }
    match unwritten.is_empty() {
        true => Ok(head(rules) + &text),
        false => Err(Unwritten { keys: unwritten.into_iter().collect() }),
    }
}

/// What no variants.ini says at all.
fn too_much(rules: &Rules) -> BTreeSet<String> {
    let grid = rules.grid;
    let is_too_large = grid.files() > MOST_FILES || grid.ranks() > MOST_RANKS;
    let cannot = [
        ("contest", rules.contest.is_some()),
        ("sides", rules.sides.len() != 2),
        ("board.wraps", grid.wraps() != crate::grid::Wraps::No),
        ("board", is_too_large),
        ("bans", !rules.bans.is_empty()),
    ];
    cannot.iter().filter(|(_, cannot)| *cannot).map(|(key, _)| key.to_string()).collect()
}

/// The rules that the text reads back as must be these.
fn read_back(rules: &Rules, pieces: &PieceTable, text: &str) -> BTreeSet<String> {
    let back = match load_variant("variants.ini", text, None) {
        Ok(back) => back,
        // The reader names keys of the file that we wrote: what cannot be said there is no better said here.
        Err(problems) => return problems.0.iter().map(|problem| key_at(&problem.place)).collect(),
    };
    let mut map: KindMap = Vec::new();
    for kind in rules.kind_ids() {
        let letter = &pieces.texts[kind.index()];
        match back.kind_ids().find(|other| back.kind(*other).letter == *letter) {
            Some(other) if !map.contains(&other) => map.push(other),
            Some(_) | None => return BTreeSet::from([format!("pieces.{}", rules.kind(kind).name)]),
        }
    }
    alike::differences(rules, &back, &map).into_iter().collect()
}

fn key_at(place: &Place) -> String {
    let (line, _) = place.line_and_column();
    let text = place.source.text.lines().nth(line - 1).unwrap_or_default();
    text.split('=').next().unwrap_or_default().trim().to_string()
}

fn section_name(rules: &Rules) -> String {
    let stem = rules.id.rsplit(['/', '\\']).next().unwrap_or_default().replace(".toml", "");
    let plain: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let name = format!("ashta-{plain}");
    // No name of the program begins so today.
    debug_assert!(!built_in_names().contains(&name.as_str()));
    name
}

/// Comments: the name, and ends that are left out because they only spare a game its last moves.
fn head(rules: &Rules) -> String {
    let one_line = |text: &str| text.replace(['\n', '\r'], " ");
    let mut head = format!("# {}: {}\n", one_line(&rules.name), one_line(&rules.about));
    let ends = &rules.ends;
    for (key, is_there) in [
        ("ends.insufficient", !ends.insufficient.is_empty()),
        ("ends.plies", ends.ply_cap.is_some()),
        ("ends.impasse", ends.impasse.is_some()),
    ] {
        if is_there {
            head += &format!("# Left out: {key}\n");
        }
    }
    head
}
