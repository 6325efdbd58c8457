//! Counting rules as messages.
//!
//! In: rules. Out: a sentence for each count. Never: positions.

use ashta_messages::{Message, message};

use super::sentences::any_of;
use super::{joined, royal};
use crate::ends::{CountFrom, CountLimit, CountWaits, Counting};
use crate::rules::Rules;

/// How long a side that is ahead has to win.
pub fn counting(end: &Counting, rules: &Rules) -> Vec<Message> {
    let mut sentences = Vec::new();
    let when = |sentence: Message, waits: CountWaits| match waits {
        CountWaits::Waits if !end.without.is_empty() => {
            message!("prose.count-without", sentence, names = any_of(&end.without, rules))
        }
        CountWaits::Waits | CountWaits::DoesNotWait => sentence,
    };
    if let Some(others) = &end.others {
        let n = others.moves;
        let sentence = match others.pieces {
            256.. => message!("prose.count-others", n, royal = royal(rules)),
            men => message!("prose.count-few", n, men, royal = royal(rules)),
        };
        sentences.push(when(sentence, others.waits));
    }
    let limits = end.bare.limits.iter().map(|limit| limit_words(limit, rules));
    let otherwise = end.bare.otherwise.map(|n| message!("prose.count-otherwise", n));
    let limits: Vec<Message> = limits.chain(otherwise).collect();
    if !limits.is_empty() {
        let sentence = message!("prose.count-bare", royal = royal(rules), limits);
        let sentence = when(sentence, CountWaits::Waits);
        sentences.push(match end.bare.from {
            CountFrom::Zero => sentence,
            CountFrom::Men => message!("prose.count-from-men", sentence),
        });
    }
    sentences
}

fn limit_words(limit: &CountLimit, rules: &Rules) -> Message {
    let names = limit.has.iter().map(|kind| rules.kind(*kind).message()).collect();
    let pieces = joined(names, |first, second| message!("prose.with", first, second));
    message!("prose.count-limit", n = limit.moves, pieces)
}
