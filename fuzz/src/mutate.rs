//! Deterministic mutation of seed inputs.
//!
//! In: the seeds and words of a target, a run's seed, the number of an input. Out: that input, the same on every machine and
//! thread. Never: state between inputs.

use std::ops::Range;

use ashta_play::Random;

/// Numbers at the edges of integer types, and texts that readers of numbers trip over.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "9",
    "10",
    "127",
    "128",
    "255",
    "256",
    "999",
    "32767",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e9",
    "1e308",
    "1e400",
    "-0.0",
    "0.1",
    "NaN",
    "inf",
    "٣",
    "1_0",
];

/// Characters of one to four bytes, separators and controls.
const CHARACTERS: &[&str] = &[
    " ",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{1b}",
    "\"",
    "'",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "/",
    "-",
    "+",
    "=",
    ":",
    ",",
    ";",
    "*",
    "é",
    "歩",
    "▲",
    "　",
    "\u{feff}",
    "\u{2028}",
    "\u{1F600}",
    "\u{301}",
];

/// Makes the inputs of one target.
#[derive(Debug)]
pub struct Mutator<'a> {
    seeds: &'a [Vec<u8>],
    words: &'a [&'a str],
    max_bytes: usize,
    run_seed: u64,
    purpose: u64,
}

impl<'a> Mutator<'a> {
    /// Of a target by its name.
    pub fn new(
        name: &str,
        seeds: &'a [Vec<u8>],
        words: &'a [&'a str],
        max_bytes: usize,
        run_seed: u64,
    ) -> Mutator<'a> {
        Mutator { seeds, words, max_bytes, run_seed, purpose: xxhash_rust::xxh3::xxh3_64(name.as_bytes()) }
    }

    /// Input number `n`: the first are the seeds themselves, the others are mutated.
    pub fn input(&self, n: u64) -> Vec<u8> {
        if let Some(seed) = usize::try_from(n).ok().and_then(|n| self.seeds.get(n)) {
            return seed.clone();
        }
        let mut random = Random::of_game(self.run_seed, self.purpose, n);
        let mut bytes = self.any_seed(&mut random).to_vec();
        // One change finds most; several at once reach what needs two conditions.
        let n_changes = 1 << random.below(4);
        for _ in 0..n_changes {
            self.change(&mut bytes, &mut random);
        }
        bytes.truncate(self.max_bytes);
        bytes
    }

    fn any_seed(&self, random: &mut Random) -> &'a [u8] {
        self.seeds.get(random.below(self.seeds.len() as u32) as usize).map_or(&[], Vec::as_slice)
    }

    fn change(&self, bytes: &mut Vec<u8>, random: &mut Random) {
        let at = random.below(bytes.len() as u32 + 1) as usize;
        match random.below(12) {
            0 => flip_bit(bytes, at, random),
            1 => set_byte(bytes, at, random),
            2 => set_number(bytes, at, random),
            3 => drop(bytes.drain(some_range(bytes.len(), random))),
            4 => duplicate(bytes, at, random),
            5 => exchange(bytes, random),
            6 => {
                let other = self.any_seed(random);
                put(bytes, at..at, &other[some_range(other.len(), random)]);
            }
            7 => {
                let other = self.any_seed(random);
                put(bytes, at..bytes.len(), &other[random.below(other.len() as u32 + 1) as usize..]);
            }
            8 => put(bytes, at..at, pick(CHARACTERS, random).as_bytes()),
            9 => put(bytes, at..at, self.word(random)),
            // Whole words in place of words keep the text well-formed around them.
            _ => {
                let place = word_at(bytes, at);
                put(bytes, place, self.word(random));
            }
        }
    }

    /// A word of the target, a number, or a word of a seed.
    fn word(&self, random: &mut Random) -> &'a [u8] {
        match random.below(3) {
            0 if !self.words.is_empty() => pick(self.words, random).as_bytes(),
            1 => pick(NUMBERS, random).as_bytes(),
            _ => {
                let seed = self.any_seed(random);
                &seed[word_at(seed, random.below(seed.len() as u32 + 1) as usize)]
            }
        }
    }
}

fn pick<'t>(texts: &[&'t str], random: &mut Random) -> &'t str {
    texts[random.below(texts.len() as u32) as usize]
}

fn put(bytes: &mut Vec<u8>, place: Range<usize>, new: &[u8]) {
    drop(bytes.splice(place, new.iter().copied()));
}

/// A short range within so many bytes, seldom a long one.
fn some_range(length: usize, random: &mut Random) -> Range<usize> {
    let most = 1 << (1 + random.below(10));
    let begin = random.below(length as u32 + 1) as usize;
    begin..(begin + random.below(most) as usize).min(length)
}

fn flip_bit(bytes: &mut [u8], at: usize, random: &mut Random) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

fn set_byte(bytes: &mut [u8], at: usize, random: &mut Random) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = random.below(256) as u8;
    }
}

/// Puts a number of one to eight bytes, at the edge of its type or near what was there.
fn set_number(bytes: &mut [u8], at: usize, random: &mut Random) {
    let width = 1 << random.below(4);
    let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.get_mut(..width)) else { return };
    let mut eight = [0; 8];
    eight[..width].copy_from_slice(place);
    let near = u64::from_le_bytes(eight).wrapping_add(u64::from(random.below(9))).wrapping_sub(4);
    let edges = [0, 1, u64::MAX, u64::MAX >> 1, 1 << 31, (1 << 31) - 1, 1 << 16, near, near, near];
    let number = edges[random.below(edges.len() as u32) as usize];
    place.copy_from_slice(&number.to_le_bytes()[..width]);
}

fn duplicate(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let part = bytes[some_range(bytes.len(), random)].to_vec();
    // Deep nesting and long repetitions come from copies of copies.
    let n_copies = 1 << random.below(8).saturating_sub(3);
    put(bytes, at..at, &part.repeat(n_copies));
}

/// Exchanges two pieces of equal length.
fn exchange(bytes: &mut [u8], random: &mut Random) {
    let first = some_range(bytes.len(), random);
    let second = random.below((bytes.len() - first.len()) as u32 + 1) as usize;
    for n in 0..first.len() {
        bytes.swap(first.start + n, second + n);
    }
}

/// The word around a place: a run of letters and digits, or one byte of anything else.
fn word_at(bytes: &[u8], at: usize) -> Range<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
    if !bytes.get(at).is_some_and(is_word) {
        return at..(at + 1).min(bytes.len());
    }
    let begin = bytes[..at].iter().rposition(|byte| !is_word(byte)).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|byte| !is_word(byte)).map_or(bytes.len(), |after| at + after);
    begin..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_is_the_same_input() {
        let seeds = [b"e2e4 e7e5".to_vec(), b"1. e4 {good} e5 *".to_vec()];
        let inputs = |run_seed| {
            let mutator = Mutator::new("name", &seeds, &["moves"], 64, run_seed);
            (0..200).map(|n| mutator.input(n)).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
        assert_eq!(inputs(1)[..2], seeds);
        assert!(inputs(1).iter().all(|input| input.len() <= 64));
    }

    #[test]
    fn words_are_found_whole() {
        assert_eq!(word_at(b"go depth 3", 5), 3..8);
        assert_eq!(word_at(b"go depth 3", 2), 2..3);
        assert_eq!(word_at(b"go", 2), 2..2);
    }
}
