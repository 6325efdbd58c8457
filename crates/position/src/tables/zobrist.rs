//! Keys of positions.
//!
//! In: letters of pieces, squares, hands, rights. Out: 64-bit terms. Never: anything that depends on the order of a
//! game file: a key stored with a record stays true when a file is rearranged.

use ashta_rules::{KindId, Rules, Side, Square};

use crate::piece::Piece;
use crate::word::{ROW, boxed};

/// Most pieces of one kind in a hand that keys tell apart.
pub const MAX_HELD: usize = 256;

/// The terms of a key.
#[derive(Debug)]
pub struct Zobrist {
    pieces: Box<[[u64; ROW]; Piece::COUNT]>,
    hands: Box<[[u64; MAX_HELD]; 128]>,
    rights: [u64; 32],
    en_passant: [u64; 256],
    remembered: [u64; 256],
    turns: [u64; 4],
}

// Frozen: keys are stored in record collections and opening books.
const SEED: u64 = 0x6173_6874_6170_6164;

fn mix(text: &str, numbers: [u64; 3]) -> u64 {
    let mut state =
        text.bytes().fold(SEED, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    for number in numbers {
        // SplitMix64's step and finaliser.
        state = state
            .wrapping_add(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(number.wrapping_mul(0xd134_2543_de82_ef95));
        state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^= state >> 31;
    }
    state
}

impl Zobrist {
    /// The terms for a game.
    pub fn new(rules: &Rules, hand_kinds: &[KindId]) -> Zobrist {
        let mut pieces = boxed::<_, { Piece::COUNT }>([0; ROW]);
        let mut hands = boxed::<_, 128>([0; MAX_HELD]);
        let grid = rules.grid();
        for side in 0..rules.sides().len() {
            for (n, kind) in rules.kinds().iter().enumerate() {
                let piece = Piece::new(Side(side as u8), KindId(n as u8));
                for square in grid.squares() {
                    let place = u64::from(grid.file(square)) << 8 | u64::from(grid.rank(square));
                    pieces[piece.index()][square.index()] = mix(&kind.letter, [1, side as u64, place]);
                }
            }
            for (slot, kind) in hand_kinds.iter().enumerate() {
                let letter = &rules.kind(*kind).letter;
                for held in 1..MAX_HELD {
                    hands[side << 5 | slot][held] = mix(letter, [2, side as u64, held as u64]);
                }
            }
        }
        Zobrist {
            pieces,
            hands,
            rights: std::array::from_fn(|n| mix("right", [3, 0, n as u64])),
            en_passant: std::array::from_fn(|n| mix("en passant", [4, 0, n as u64])),
            remembered: std::array::from_fn(|n| mix("remembered capture", [6, 0, n as u64])),
            turns: std::array::from_fn(|n| if n == 0 { 0 } else { mix("turn", [5, 0, n as u64]) }),
        }
    }

    /// A piece on a square.
    #[inline(always)]
    pub fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece.index()][square.index()]
    }

    /// So many pieces of a slot in a side's hand.
    #[inline(always)]
    pub fn held(&self, side: Side, slot: u8, count: u8) -> u64 {
        self.hands[(side.index() & 3) << 5 | slot as usize & 31][count as usize]
    }

    /// A set of rights.
    #[inline]
    pub fn rights(&self, rights: u32) -> u64 {
        let (mut rest, mut key) = (rights, 0);
        while rest != 0 {
            key ^= self.rights[rest.trailing_zeros() as usize & 31];
            rest &= rest - 1;
        }
        key
    }

    /// A square that has just been passed.
    #[inline(always)]
    pub fn en_passant(&self, square: Square) -> u64 {
        self.en_passant[square.index()]
    }

    /// The square of a capture that the rules remember for one turn.
    #[inline]
    pub fn remembered(&self, square: Square) -> u64 {
        self.remembered[square.index()]
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self, side: Side) -> u64 {
        self.turns[side.index() & 3]
    }
}
