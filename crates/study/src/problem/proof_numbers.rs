//! Proof and disproof numbers of df-pn, and a table of them.
//!
//! In: numbers; keys with the plies left. Out: numbers. Never: proved results, which `transposition` stores.

use ashta_position::Move;

/// The least number of positions that must be solved to prove or to disprove a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    pub proof: u32,
    pub disproof: u32,
}

pub const INFINITE: u32 = 1 << 30;

impl ProofNumbers {
    /// An unexpanded node.
    pub const NEW: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
    /// Thresholds of a search until the root is solved.
    pub const UNBOUNDED: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: INFINITE };

    pub fn solved(proved: bool) -> ProofNumbers {
        if proved {
            ProofNumbers { proof: 0, disproof: INFINITE }
        } else {
            ProofNumbers { proof: INFINITE, disproof: 0 }
        }
    }
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    numbers: ProofNumbers,
}

const EMPTY: Slot = Slot { key: 0, numbers: ProofNumbers { proof: 0, disproof: 0 } };

/// A table that grows up to a limit; always replaces.
pub struct ProofNumberTable {
    slots: Vec<Slot>,
    n_entries: usize,
    max_bits: u32,
}

impl std::fmt::Debug for ProofNumberTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NumbersTable").field("n_kept", &self.n_entries).finish_non_exhaustive()
    }
}

impl ProofNumberTable {
    /// Two to the power of `bits` entries at first, of `max_bits` at most.
    pub fn new(bits: u32, max_bits: u32) -> ProofNumberTable {
        ProofNumberTable { slots: vec![EMPTY; 1 << bits], n_entries: 0, max_bits }
    }

    fn mix_key(key: u64, plies: u16) -> u64 {
        key ^ (u64::from(plies) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn slot_of(&self, mix_key: u64) -> usize {
        (mix_key >> 20) as usize & (self.slots.len() - 1)
    }

    pub fn get(&self, key: u64, plies: u16) -> Option<ProofNumbers> {
        let mix_key = ProofNumberTable::mix_key(key, plies);
        Some(self.slots[self.slot_of(mix_key)]).filter(|slot| slot.key == mix_key).map(|slot| slot.numbers)
    }

    pub fn set(&mut self, key: u64, plies: u16, numbers: ProofNumbers) {
        self.put(Slot { key: ProofNumberTable::mix_key(key, plies), numbers });
    }

    fn put(&mut self, slot: Slot) {
        let slot_of = self.slot_of(slot.key);
        self.n_entries += usize::from(self.slots[slot_of].key != slot.key);
        self.slots[slot_of] = slot;
        if self.n_entries > self.slots.len() / 2 && self.slots.len() < 1 << self.max_bits {
            let n = self.slots.len() * 2;
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; n]);
            self.n_entries = 0;
            old.into_iter().filter(|slot| slot.key != 0).for_each(|slot| self.put(slot));
        }
    }
}

#[derive(Clone, Copy)]
pub struct Child {
    pub mv: Move,
    pub numbers: ProofNumbers,
}

/// Attacker nodes are OR nodes, defender nodes AND nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    Attacker,
    Defender,
}

/// The numbers of a node from those of its children, the most proving child, and the number of the second best.
///
/// An attacker's disproof number is the greatest of its children's plus one for each other open child (weak proof-number
/// search), not their sum: different checks lead to the same positions, which a sum would count again and again.
pub fn combine(node: NodeKind, children: &[Child]) -> (ProofNumbers, usize, u32) {
    let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
    let (mut sum, mut greatest, mut n_open) = (0u32, 0, 0);
    for (n, child) in children.iter().enumerate() {
        let (wanted, other) = match node {
            NodeKind::Attacker => (child.numbers.proof, child.numbers.disproof),
            NodeKind::Defender => (child.numbers.disproof, child.numbers.proof),
        };
        greatest = other.max(greatest);
        n_open += u32::from(other > 0);
        sum = sum.saturating_add(other).min(INFINITE - 1);
        if wanted < least {
            (best, second, least) = (n, least, wanted);
        } else if wanted < second {
            second = wanted;
        }
    }
    let all = match node {
        _ if greatest == INFINITE => INFINITE,
        NodeKind::Attacker => (greatest + n_open).saturating_sub(1).min(INFINITE - 1),
        NodeKind::Defender => sum,
    };
    let numbers = match node {
        NodeKind::Attacker => ProofNumbers { proof: least, disproof: all },
        NodeKind::Defender => ProofNumbers { proof: all, disproof: least },
    };
    (numbers, best, second)
}

/// The thresholds of the most proving child: within them it stays the best, and the node within its own.
pub fn child_thresholds(
    node: NodeKind,
    thresholds: ProofNumbers,
    now: ProofNumbers,
    child: ProofNumbers,
    second: u32,
) -> ProofNumbers {
    // A quarter beyond the second best (the 1 + epsilon trick): fewer switches between children.
    let rival = second.saturating_add(second / 4).saturating_add(1);
    match node {
        NodeKind::Attacker => ProofNumbers {
            proof: thresholds.proof.min(rival),
            disproof: thresholds
                .disproof
                .saturating_sub(now.disproof)
                .saturating_add(child.disproof)
                .min(INFINITE),
        },
        NodeKind::Defender => ProofNumbers {
            proof: thresholds.proof.saturating_sub(now.proof).saturating_add(child.proof).min(INFINITE),
            disproof: thresholds.disproof.min(rival),
        },
    }
}
