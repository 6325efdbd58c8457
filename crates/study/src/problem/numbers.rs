//! Proof and disproof numbers, how they follow from those of the next positions, and a table of them.
//!
//! In: numbers; keys with the plies left. Out: numbers. Never: settled answers, which `memory` keeps.

use ashta_position::Move;

/// How many positions at least must be settled to prove or to disprove a mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// To prove it.
    pub proof: u32,
    /// To disprove it.
    pub disproof: u32,
}

/// What cannot be done.
pub const INFINITE: u32 = 1 << 30;

impl Numbers {
    /// Of a position that was never looked at.
    pub const NEW: Numbers = Numbers { proof: 1, disproof: 1 };
    /// Search until all is settled.
    pub const LIMITS: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    /// Of a settled position.
    pub fn settled(proved: bool) -> Numbers {
        if proved {
            Numbers { proof: 0, disproof: INFINITE }
        } else {
            Numbers { proof: INFINITE, disproof: 0 }
        }
    }
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    numbers: Numbers,
}

const EMPTY: Slot = Slot { key: 0, numbers: Numbers { proof: 0, disproof: 0 } };

/// A table that grows up to a limit; newer entries take the place of older ones.
pub struct NumbersTable {
    slots: Vec<Slot>,
    n_kept: usize,
    most_bits: u32,
}

impl std::fmt::Debug for NumbersTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NumbersTable").field("n_kept", &self.n_kept).finish_non_exhaustive()
    }
}

impl NumbersTable {
    /// With room for two to the power of `bits` positions, later of `most_bits`.
    pub fn new(bits: u32, most_bits: u32) -> NumbersTable {
        NumbersTable { slots: vec![EMPTY; 1 << bits], n_kept: 0, most_bits }
    }

    fn mixed(key: u64, plies: u16) -> u64 {
        key ^ (u64::from(plies) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn place(&self, mixed: u64) -> usize {
        (mixed >> 20) as usize & (self.slots.len() - 1)
    }

    /// What was kept.
    pub fn get(&self, key: u64, plies: u16) -> Option<Numbers> {
        let mixed = NumbersTable::mixed(key, plies);
        Some(self.slots[self.place(mixed)]).filter(|slot| slot.key == mixed).map(|slot| slot.numbers)
    }

    /// Keeps numbers.
    pub fn set(&mut self, key: u64, plies: u16, numbers: Numbers) {
        self.put(Slot { key: NumbersTable::mixed(key, plies), numbers });
    }

    fn put(&mut self, slot: Slot) {
        let place = self.place(slot.key);
        self.n_kept += usize::from(self.slots[place].key != slot.key);
        self.slots[place] = slot;
        if self.n_kept > self.slots.len() / 2 && self.slots.len() < 1 << self.most_bits {
            let n = self.slots.len() * 2;
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; n]);
            self.n_kept = 0;
            old.into_iter().filter(|slot| slot.key != 0).for_each(|slot| self.put(slot));
        }
    }
}

/// A move with what is known of the position after it.
#[derive(Clone, Copy)]
pub struct Child {
    /// The move.
    pub mv: Move,
    /// What is known after it.
    pub numbers: Numbers,
}

/// Who is to move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// The side that gives check.
    Attacker,
    /// The other.
    Defender,
}

/// The numbers of a position from those after its moves, the move to look at next, and the rival's number.
pub fn gather(node: Node, children: &[Child]) -> (Numbers, usize, u32) {
    let (mut best, mut least, mut second, mut sum) = (0, INFINITE, INFINITE, 0u32);
    let mut settled = false;
    for (n, child) in children.iter().enumerate() {
        let (wanted, other) = match node {
            Node::Attacker => (child.numbers.proof, child.numbers.disproof),
            Node::Defender => (child.numbers.disproof, child.numbers.proof),
        };
        settled |= other == INFINITE;
        sum = sum.saturating_add(other).min(INFINITE - 1);
        if wanted < least {
            (best, second, least) = (n, least, wanted);
        } else if wanted < second {
            second = wanted;
        }
    }
    let sum = if settled { INFINITE } else { sum };
    let numbers = match node {
        Node::Attacker => Numbers { proof: least, disproof: sum },
        Node::Defender => Numbers { proof: sum, disproof: least },
    };
    (numbers, best, second)
}

/// Limits within which the chosen move stays the best and the position within its own.
pub fn child_limits(node: Node, limits: Numbers, now: Numbers, child: Numbers, second: u32) -> Numbers {
    // A quarter beyond the rival: fewer visits to and fro.
    let rival = second.saturating_add(second / 4).saturating_add(1);
    match node {
        Node::Attacker => Numbers {
            proof: limits.proof.min(rival),
            disproof: limits
                .disproof
                .saturating_sub(now.disproof)
                .saturating_add(child.disproof)
                .min(INFINITE),
        },
        Node::Defender => Numbers {
            proof: limits.proof.saturating_sub(now.proof).saturating_add(child.proof).min(INFINITE),
            disproof: limits.disproof.min(rival),
        },
    }
}
