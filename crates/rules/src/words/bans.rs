//! Captures that may not be made, as messages.

use ashta_messages::{Message, message};

use super::joined;
use super::sentences::any_of;
use crate::rule_parts::{Ban, BanExcept, BanLegs, KindId, Protects};
use crate::rules::Rules;

/// A ban in one sentence, its conditions one after the other.
pub fn ban(ban: &Ban, rules: &Rules) -> Message {
    let mut said = vec![message!("prose.ban", by = set(&ban.by, rules), of = set(&ban.of, rules))];
    if ban.farther_than > 0 {
        said.push(message!("prose.ban-farther", n = ban.farther_than));
    }
    match ban.protects {
        Protects::Always => {}
        Protects::Guarded => said.push(message!("prose.ban-guarded")),
    }
    if let Some(after) = &ban.after {
        said.push(message!("prose.ban-after", by = set(&after.by, rules), of = set(&after.of, rules)));
    }
    match ban.except {
        BanExcept::Nowhere => {}
        BanExcept::SameSquare => said.push(message!("prose.ban-except")),
    }
    if !ban.unless_also_takes.is_empty() {
        said.push(message!("prose.ban-unless", names = set(&ban.unless_also_takes, rules)));
    }
    if !ban.guards_though_taken.is_empty() {
        said.push(message!("prose.ban-though-taken", names = set(&ban.guards_though_taken, rules)));
    }
    match ban.legs {
        BanLegs::All => {}
        BanLegs::Last => said.push(message!("prose.ban-last-leg")),
    }
    joined(said, |first, second| message!("prose.clauses", first, second))
}

/// `lion or promoted-kirin`; most kinds are told by those that are left out.
pub fn set(kinds: &[KindId], rules: &Rules) -> Message {
    let left_out: Vec<KindId> = rules.kind_ids().filter(|kind| !kinds.contains(kind)).collect();
    match left_out.len() {
        0 => message!("prose.any-piece"),
        n if n < kinds.len() => message!("prose.any-piece-but", names = any_of(&left_out, rules)),
        _ => any_of(kinds, rules),
    }
}
