//! Which game came from which, and what changed on the way.

use std::collections::HashSet;
use std::sync::Arc;

use ashta_lab::{Evolution, evolution_names, evolution_source};
use ashta_rules::words::{Language, kind_name, rules_in_words};
use ashta_rules::{Kind, Part, Rules, game_names, load};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::SharedState;
use super::extract::{InLanguage, QueryParams};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::ApiResult;
use crate::data_folder::DataFolder;

/// Routes of lineage.
pub fn routes() -> ApiRouter {
    routes![lineage]
}

/// Which game came from which.
#[derive(Serialize, ToSchema, Debug)]
struct Lineage {
    /// Games.
    nodes: Vec<LineageNode>,
    /// Which came from which.
    edges: Vec<LineageEdge>,
    /// Ways from one game to another, change by change, that can be measured.
    evolutions: Vec<LineageEvolution>,
}

/// A game of the tree.
#[derive(Serialize, ToSchema, Debug)]
struct LineageNode {
    /// `shogi`.
    id: String,
    /// `Shogi`.
    name: String,
    /// What it is, in a sentence.
    about: String,
    /// Whether it was written here.
    own: bool,
}

/// One game came from another.
#[derive(Serialize, ToSchema, Debug)]
struct LineageEdge {
    /// The older.
    from: String,
    /// The younger.
    to: String,
    /// What changed.
    differences: Vec<Difference>,
}

/// The games that one came from, and what changed.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct Ancestor {
    /// `shatranj`.
    pub id: String,
    /// `Shatranj`.
    pub name: String,
    /// What changed from this game to the next.
    pub differences: Vec<Difference>,
}

/// Something that changed.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub struct Difference {
    /// What is spoken of.
    pub of: DifferenceOf,
    /// In the language asked for.
    pub text: String,
}

/// What a difference is about.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceOf {
    /// The board's size.
    Board,
    /// Pieces that came.
    Came,
    /// Pieces that went.
    Went,
    /// Pieces that move as before under another name.
    Name,
    /// Pieces that move in another way.
    Moves,
    /// A rule that came.
    Rule,
    /// A rule that went.
    NoRule,
}

/// A way from one game to another that can be measured.
#[derive(Serialize, ToSchema, Debug)]
struct LineageEvolution {
    /// `shatranj-to-chess`.
    id: String,
    /// What it is.
    title: String,
    /// The old game.
    base: String,
    /// What changes, in the order of the file.
    changes: Vec<EvolutionChange>,
}

/// One change of an evolution.
#[derive(Serialize, ToSchema, Debug)]
struct EvolutionChange {
    /// As the game's file calls it; after a `-`, one that is taken back.
    change: String,
    /// What it does.
    about: String,
}

/// The tree of games, with what changed on every branch.
#[utoipa::path(get, path = "/api/lineage", params(InLanguage), responses((status = 200, body = Lineage)))]
async fn lineage(
    State(state): SharedState,
    QueryParams(wanted): QueryParams<InLanguage>,
) -> ApiResult<Lineage> {
    let language = wanted.language()?;
    let own = DataFolder::names(&state.folder.games(), ".toml")?;
    let names = game_names().into_iter().map(|name| (name.to_string(), false));
    let names = names.chain(own.into_iter().map(|name| (name.to_string(), true)));
    // A file of one's own that has a mistake has no place in the tree; the list of games tells of it.
    let games: Vec<(Arc<Rules>, bool)> =
        names.filter_map(|(name, own)| Some((state.rules(&name).ok()?.rules().clone(), own))).collect();
    let node = |(rules, own): &(Arc<Rules>, bool)| LineageNode {
        id: rules.id().to_string(),
        name: rules.name().to_string(),
        about: rules.about().to_string(),
        own: *own,
    };
    let edge = |(rules, _): &(Arc<Rules>, bool)| {
        let (from, _) = games.iter().find(|(other, _)| Some(other.id()) == rules.descends())?;
        let differences = differences(from, rules, language);
        Some(LineageEdge { from: from.id().to_string(), to: rules.id().to_string(), differences })
    };
    let (nodes, edges) = (games.iter().map(node).collect(), games.iter().filter_map(edge).collect());
    Ok(Json(Lineage { nodes, edges, evolutions: evolutions() }))
}

fn evolutions() -> Vec<LineageEvolution> {
    let evolution = |id: &'static str| {
        let evolution: Evolution = Evolution::read(evolution_source(id)?).ok()?;
        let change = |change: ashta_lab::NamedChange| EvolutionChange {
            about: change.about.english().to_string(),
            change: change.change,
        };
        Some(LineageEvolution {
            id: id.to_string(),
            title: evolution.title.english().to_string(),
            base: evolution.base,
            changes: evolution.changes.into_iter().map(change).collect(),
        })
    };
    evolution_names().into_iter().filter_map(evolution).collect()
}

/// The games that one came from, the nearest first.
pub fn lineage_of(rules: &Rules, language: Language) -> Vec<Ancestor> {
    let mut seen: HashSet<String> = HashSet::new();
    let mut found = Vec::new();
    let mut young = rules.clone();
    // Ancestors are of the library; a file of one's own that names itself ends the line.
    while let Some(old) =
        young.descends().and_then(|id| load(id).ok()).filter(|old| seen.insert(old.id().to_string()))
    {
        found.push(Ancestor {
            id: old.id().to_string(),
            name: old.name().to_string(),
            differences: differences(&old, &young, language),
        });
        young = old;
    }
    found
}

/// What is different in the younger of two games.
pub fn differences(old: &Rules, young: &Rules, language: Language) -> Vec<Difference> {
    let mut found = Vec::new();
    let size = |rules: &Rules| format!("{} × {}", rules.grid().files(), rules.grid().ranks());
    if size(old) != size(young) {
        found
            .push(Difference { of: DifferenceOf::Board, text: format!("{} → {}", size(old), size(young)) });
    }
    found.extend(of_pieces(old, young, language));
    found.extend(of_sentences(old, young, language));
    found
}

fn of_pieces(old: &Rules, young: &Rules, language: Language) -> Vec<Difference> {
    let name = |kind: &Kind| kind_name(kind, language);
    let same_name = |kind: &Kind, rules: &Rules| rules.kinds().iter().any(|other| other.name == kind.name);
    let mut found = Vec::new();
    let mut replaced = HashSet::new();
    let came: Vec<&Kind> = young.kinds().iter().filter(|kind| !same_name(kind, old)).collect();
    let mut new_names = Vec::new();
    for kind in came {
        // The same letter under another name: one piece replaced another.
        let before = old.kinds().iter().find(|other| other.letter == kind.letter && !same_name(other, young));
        match before {
            Some(before) => {
                replaced.insert(before.name.clone());
                let text = format!("{} → {}", name(before), name(kind));
                let of = if movements(before) == movements(kind) {
                    DifferenceOf::Name
                } else {
                    DifferenceOf::Moves
                };
                found.push(Difference { of, text });
            }
            None => new_names.push(name(kind)),
        }
    }
    let went = old.kinds().iter().filter(|kind| !same_name(kind, young) && !replaced.contains(&kind.name));
    let went: Vec<String> = went.map(name).collect();
    let changed = |kind: &&Kind| {
        let before = old.kinds().iter().find(|other| other.name == kind.name);
        before.is_some_and(|before| movements(before) != movements(kind))
    };
    let moves: Vec<String> = young.kinds().iter().filter(changed).map(name).collect();
    let said = [(DifferenceOf::Came, new_names), (DifferenceOf::Went, went), (DifferenceOf::Moves, moves)];
    let changed = said.into_iter().filter(|(_, names)| !names.is_empty());
    found.extend(changed.map(|(of, names)| Difference { of, text: names.join(", ") }));
    found
}

/// How a kind moves, whatever the size of the board.
fn movements(kind: &Kind) -> Vec<ashta_rules::Movement> {
    let mut all: Vec<_> = kind.moves.iter().map(|part: &Part| part.movement.clone()).collect();
    all.sort();
    all
}

/// Sentences of one game that the other does not have, where pieces that only changed their names count as the same.
/// Whether they are the same is asked in English, where the name of a piece is no part of other words.
fn of_sentences(old: &Rules, young: &Rules, language: Language) -> Vec<Difference> {
    let renamed = renamed(old, young);
    let as_young = |sentence: String| {
        let swap = |text: String, (before, after): &(String, String)| text.replace(before, after);
        renamed.iter().fold(sentence, swap)
    };
    let both = |rules: &Rules| said(rules, Language::English).into_iter().zip(said(rules, language));
    let before: Vec<(String, String)> = both(old).map(|(english, text)| (as_young(english), text)).collect();
    let after: Vec<(String, String)> = both(young).collect();
    let only_in = |these: &[(String, String)], those: &[(String, String)], of: DifferenceOf| {
        let is_new = |(english, _): &&(String, String)| those.iter().all(|(other, _)| other != english);
        let only = these.iter().filter(is_new);
        only.map(|(_, text)| Difference { of, text: text.clone() }).collect::<Vec<_>>()
    };
    let mut found = only_in(&after, &before, DifferenceOf::Rule);
    found.extend(only_in(&before, &after, DifferenceOf::NoRule));
    found
}

/// Pieces that move alike under another name.
fn renamed(old: &Rules, young: &Rules) -> Vec<(String, String)> {
    let pair = |kind: &Kind| {
        let same = |other: &&Kind| other.letter == kind.letter && movements(other) == movements(kind);
        let before = old.kinds().iter().find(same).filter(|before| before.name != kind.name)?;
        Some((before.name.clone(), kind.name.clone()))
    };
    young.kinds().iter().filter_map(pair).collect()
}

/// Every sentence; one that goes on from the one before is put to it.
fn said(rules: &Rules, language: Language) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for sentence in rules_in_words(rules, language).into_iter().flat_map(|words| words.sentences) {
        let rest = sentence.strip_prefix("... ").map(|rest| format!(", {rest}"));
        let rest = rest.or_else(|| sentence.strip_prefix("… ").map(|rest| format!("、{rest}")));
        match (rest, all.last_mut()) {
            (Some(rest), Some(last)) => last.push_str(&rest),
            _ => all.push(sentence),
        }
    }
    all
}
