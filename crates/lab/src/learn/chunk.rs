//! A few consecutive games of one run: the weights after each, and all of them after the last.
//!
//! In: games learned from. Out: bytes for the journal, and the same back. Never: half a chunk.

use crate::byte_reader::ByteReader;
use crate::byte_reader::TallyError;
use crate::journal::JournalRecord;

/// What one game left behind.
#[derive(Clone, PartialEq, Debug)]
pub struct GameLearned {
    /// How long it was.
    pub n_plies: u32,
    /// 1 if the first side won, 0 if it lost, 1/2 if nobody did; not a number if it was broken off.
    pub result: f64,
    /// What every kind is worth after it, on the board and in hand.
    pub worths: Vec<f64>,
}

/// Games one after another.
#[derive(Clone, PartialEq, Debug)]
pub struct Chunk {
    /// The games.
    pub games: Vec<GameLearned>,
    /// Every weight after the last of them.
    pub weights: Vec<f64>,
}

fn write_numbers(bytes: &mut Vec<u8>, numbers: &[f64]) {
    bytes.extend_from_slice(&(numbers.len() as u32).to_le_bytes());
    numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
}

fn read_numbers(reader: &mut ByteReader) -> Result<Vec<f64>, TallyError> {
    reader.list(8, ByteReader::number)
}

impl JournalRecord for Chunk {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&(self.games.len() as u32).to_le_bytes());
        for game in &self.games {
            bytes.extend_from_slice(&game.n_plies.to_le_bytes());
            bytes.extend_from_slice(&game.result.to_le_bytes());
            write_numbers(bytes, &game.worths);
        }
        write_numbers(bytes, &self.weights);
    }

    fn read(bytes: &[u8]) -> Result<Chunk, TallyError> {
        let mut reader = ByteReader::new(bytes);
        let mut games = Vec::new();
        for _ in 0..reader.count()? {
            let (n_plies, result) = (reader.count()?, reader.number()?);
            games.push(GameLearned { n_plies, result, worths: read_numbers(&mut reader)? });
        }
        let weights = read_numbers(&mut reader)?;
        reader.finish(Chunk { games, weights })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::*;

    #[test]
    fn written_then_read_is_the_same_and_a_part_is_refused() {
        let game = |n: u32| GameLearned { n_plies: n, result: 0.5, worths: vec![1.0, f64::from(n)] };
        let chunk = Chunk { games: vec![game(7), game(900)], weights: vec![0.1, 0.2, 0.3] };
        let mut bytes = Vec::new();
        chunk.write(&mut bytes);
        assert_eq!(Chunk::read(&bytes), Ok(chunk));
        for length in 0..bytes.len() {
            assert!(Chunk::read(&bytes[..length]).is_err(), "{length}");
        }
        bytes.push(0);
        assert_eq!(Chunk::read(&bytes), Err(TallyError::Long { n_left: 1 }));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            _ = Chunk::read(&bytes);
        }
    }
}
