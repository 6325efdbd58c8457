//! Sets of kinds, and captures that may not be made, as a game file says it.

use ashta_messages::message;

use super::Context;
use crate::fields::Fields;
use crate::grid::Coordinates;
use crate::node::{Node, Value};
use crate::rule_parts::{Ban, BanExcept, BanLegs, CaptureBy, Hand, Kind, KindId, Protects};

// What to write when something else than a table stands there.
const SETS: &str = r#"lions = ["lion", "promoted-kirin"]"#;
const BANS: &str = r#"[bans.NAME] with by, of and what limits it"#;
const BAN: &str = r#"{ by = "cannon", of = "cannon" }"#;
const CAPTURE: &str = r#"after = { by = "lion", of = "lion" }"#;
const NOT: &str = r#"{ not = "pawn" }"#;

/// Reads the table `[sets]`; a set may use those before it.
pub fn read_sets<'a>(root: &Fields<'a>, context: &mut Context<'a>) {
    let Some(table) = root.table("sets", SETS) else { return };
    for entry in table.all() {
        if context.kind_names.contains(&entry.key.as_str()) {
            context.report(&entry.key_place, message!("rules.set-is-piece", name = entry.key), None);
        }
        let kinds = kinds_of(&entry.node, context);
        if kinds.is_empty() {
            context.report(&entry.node.place, message!("rules.set-empty", name = entry.key), None);
        }
        context.sets.push((&entry.key, kinds));
    }
}

/// A kind, a set, a list of both, or `{ not = ... }` all others.
fn kinds_of(node: &Node, context: &Context) -> Vec<KindId> {
    let mut kinds = match &node.value {
        Value::Table(_) => {
            let fields = Fields::of(node, NOT, context.problems);
            let out = required_kinds(&fields, "not", context);
            fields.finish();
            let all = (0..context.kind_names.len() as u8).map(KindId);
            all.filter(|kind| !out.contains(kind)).collect()
        }
        Value::Text(text) => context.kinds(&[(text, &node.place)]),
        Value::List(nodes) if nodes.is_empty() => {
            context.report(&node.place, message!("rules.kinds-expected"), None);
            Vec::new()
        }
        Value::List(nodes) => nodes.iter().flat_map(|node| kinds_of(node, context)).collect(),
        _ => {
            context.report(&node.place, message!("rules.kinds-expected"), None);
            Vec::new()
        }
    };
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn kinds_at(fields: &Fields, key: &'static str, context: &Context) -> Vec<KindId> {
    fields.node(key).map(|node| kinds_of(node, context)).unwrap_or_default()
}

fn required_kinds(fields: &Fields, key: &'static str, context: &Context) -> Vec<KindId> {
    if fields.node(key).is_none() {
        context.report(fields.place(), message!("rules.missing-key", key), None);
    }
    kinds_at(fields, key, context)
}

/// Reads the table `[bans]`.
pub fn read(root: &Fields, context: &Context, kinds: &[Kind], hand: Hand) -> Vec<Ban> {
    let Some(table) = root.table("bans", BANS) else { return Vec::new() };
    let is_absent = |node: &Node| matches!(&node.value, Value::Text(text) if text == "none");
    let entries = table.all().iter().filter(|entry| !is_absent(&entry.node));
    let mut bans: Vec<Ban> = Vec::new();
    for entry in entries {
        let fields = Fields::of(&entry.node, BAN, context.problems);
        let ban = read_ban(&entry.key, &fields, context);
        fields.finish();
        if ban.after.is_some() {
            let other = bans.iter().find_map(|ban| ban.after.as_ref());
            if other.is_some_and(|other| Some(other) != ban.after.as_ref()) {
                context.report(fields.place(), message!("rules.bans-after-differ", name = entry.key), None);
            }
            check_text_has_room(&entry.key, &fields, context, kinds, hand);
        }
        bans.push(ban);
    }
    bans
}

fn read_ban(name: &str, fields: &Fields, context: &Context) -> Ban {
    let read_after = |table: Fields| {
        let capture = CaptureBy {
            by: required_kinds(&table, "by", context),
            of: required_kinds(&table, "of", context),
        };
        table.finish();
        capture
    };
    let ban = Ban {
        name: name.to_string(),
        by: required_kinds(fields, "by", context),
        of: required_kinds(fields, "of", context),
        farther_than: fields.number("farther-than", 0..=15).unwrap_or(0) as u8,
        protects: fields.choice("if", &[("always", Protects::Always), ("guarded", Protects::Guarded)]),
        unless_also_takes: kinds_at(fields, "unless-also-takes", context),
        guards_though_taken: kinds_at(fields, "guards-though-taken", context),
        after: fields.table("after", CAPTURE).map(read_after),
        except: fields
            .choice("except", &[("nowhere", BanExcept::Nowhere), ("same-square", BanExcept::SameSquare)]),
        legs: fields.choice("legs", &[("all", BanLegs::All), ("last", BanLegs::Last)]),
    };
    if ban.except == BanExcept::SameSquare && ban.after.is_none() {
        context.report(fields.place(), message!("rules.ban-except", name), None);
    }
    if !ban.guards_though_taken.is_empty() && ban.protects == Protects::Always {
        context.report(fields.place(), message!("rules.ban-guards", name), None);
    }
    ban
}

/// A position's text has one field for the remembered square: that of the hands (SFEN) or of en passant (FEN).
fn check_text_has_room(name: &str, fields: &Fields, context: &Context, kinds: &[Kind], hand: Hand) {
    let is_taken = match context.grid.map(|grid| grid.coordinates()) {
        Some(Coordinates::Numbers) => hand != Hand::None,
        Some(Coordinates::Letters) => {
            kinds.iter().flat_map(|kind| &kind.moves).any(|part| part.movement.en_passant)
        }
        None => false,
    };
    if is_taken {
        context.report(fields.place(), message!("rules.ban-after-text", name), None);
    }
}
