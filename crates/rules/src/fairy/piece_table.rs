//! Letters and promoted forms of the kinds of a game, as a variants.ini has them.
//!
//! In: kinds. Out: which of them are forms of others, and a letter for each. Never: how they move.

use std::collections::BTreeSet;

use super::alike;
use super::writer::PieceTable;
use crate::rule_parts::{Hand, KindId, PromotesOn, Targets};
use crate::rules::Rules;

/// Letters for every kind.
pub fn table(rules: &Rules) -> PieceTable {
    let mut table = PieceTable::default();
    let n = rules.kinds.len();
    table.types = vec![String::new(); n];
    table.forms = forms(rules);
    for kind in rules.kind_ids() {
        let letter = &rules.kind(kind).letter;
        let like = rules.kind_ids().find(|other| {
            letter.ends_with('~') && rules.kind(*other).letter == rules.kind(kind).move_letter()
        });
        table.marked.extend(like.map(|like| (kind, like)));
    }
    table.letters = letters(rules, &table);
    table.texts = rules.kind_ids().map(|kind| text_of(kind, &table)).collect();
    table
}

/// Plain kinds and their promoted forms. Where pieces turn over both ways, the plain one is that without a `+`.
fn forms(rules: &Rules) -> Vec<(KindId, KindId)> {
    let is_plus = |kind: KindId| rules.kind(kind).letter.starts_with('+');
    let mut forms: Vec<(KindId, KindId)> = Vec::new();
    for has_plus in [true, false] {
        for kind in rules.kind_ids() {
            let Some(form) = form_of(rules, kind).filter(|form| is_plus(*form) == has_plus) else { continue };
            let is_new = forms.iter().all(|pair| ![pair.0, pair.1].iter().any(|k| [kind, form].contains(k)));
            if is_new && !is_plus(kind) && (has_plus || !is_at_start(rules, form)) {
                forms.push((kind, form));
            }
        }
    }
    forms
}

fn is_at_start(rules: &Rules, kind: KindId) -> bool {
    let start = &rules.start;
    start.board.iter().flatten().any(|(_, other)| *other == kind)
        || start.hands.iter().any(|hand| hand[kind.index()] > 0)
}

/// The one kind that a piece of shogi becomes.
fn form_of(rules: &Rules, kind: KindId) -> Option<KindId> {
    let promotion = rules.kind(kind).promotion.as_ref()?;
    let Targets::Kinds(to) = &promotion.to else { return None };
    let [form] = to.as_slice() else { return None };
    let is_shogi = match alike::promotes_on(rules, rules.kind(kind), promotion).as_slice() {
        [PromotesOn::StartOrEnd | PromotesOn::Capture] => true,
        [PromotesOn::End] => rules.hand == Hand::Captures && rules.kind(*form).demoted == kind,
        _ => false,
    };
    is_shogi.then_some(*form)
}

/// A letter for every kind that has none of its own: plain kinds keep theirs, all others get what is left.
fn letters(rules: &Rules, table: &PieceTable) -> Vec<char> {
    let own = |kind: KindId| {
        let mut letters = rules.kind(kind).letter.chars();
        let letter = letters.next().filter(char::is_ascii_uppercase);
        letter.filter(|_| letters.next().is_none())
    };
    let mut taken: BTreeSet<char> = rules.kind_ids().filter_map(own).collect();
    let mut letters: Vec<char> = Vec::new();
    for kind in rules.kind_ids() {
        let letter = own(kind).or_else(|| {
            let mut free = ('A'..='Z').filter(|letter| !taken.contains(letter));
            let is_marked = table.marked.iter().any(|(marked, _)| *marked == kind);
            // A form that moves like a plain kind, or an earlier form, is that piece.
            let like = like_plain(rules, kind, table);
            let known = like.and_then(|like| own(like).or_else(|| letters.get(like.index()).copied()));
            if is_marked { None } else { known.or_else(|| free.next()) }
        });
        taken.extend(letter);
        letters.push(letter.unwrap_or('?'));
    }
    for (marked, like) in &table.marked {
        letters[marked.index()] = letters[like.index()];
    }
    letters
}

/// The plain kind that a form moves like, if there is one.
fn like_plain(rules: &Rules, form: KindId, table: &PieceTable) -> Option<KindId> {
    if table.forms.iter().all(|(_, other)| *other != form) {
        return None;
    }
    let same: Vec<KindId> = rules.kind_ids().collect();
    let ways = |kind: KindId| alike::ways(rules, rules.kind(kind), &same);
    let is_plain = |kind: &KindId| {
        *kind != form
            && !rules.kind(*kind).royal
            && table.forms.iter().all(|(plain, other)| other != kind && plain != kind)
    };
    let earlier = |kind: &KindId| table.forms.iter().any(|(_, other)| other == kind) && *kind < form;
    let like = |kind: &KindId| ways(*kind) == ways(form);
    rules.kind_ids().filter(is_plain).find(like).or_else(|| rules.kind_ids().filter(earlier).find(like))
}

fn text_of(kind: KindId, table: &PieceTable) -> String {
    if let Some((plain, _)) = table.forms.iter().find(|(_, form)| *form == kind) {
        return format!("+{}", table.letters[plain.index()]);
    }
    let mark = if table.marked.iter().any(|(marked, _)| *marked == kind) { "~" } else { "" };
    format!("{}{mark}", table.letters[kind.index()])
}
