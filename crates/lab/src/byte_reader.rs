//! Reads little-endian bytes with bounds checks.
//!
//! In: any bytes. Out: numbers and lists, or an error. Never: a panic, or an allocation for records that are missing.

use ashta_messages::Tell;

/// Why bytes are not a tally.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Tell)]
pub enum TallyError {
    #[code("lab.tally-short")]
    Short { at: usize },
    #[code("lab.tally-long")]
    Long { n_left: usize },
    #[code("lab.tally-reason")]
    Reason { code: u8 },
    #[code("lab.tally-winner")]
    Winner { code: u8 },
}

pub struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    pub fn new(bytes: &'a [u8]) -> ByteReader<'a> {
        ByteReader { bytes, at: 0 }
    }

    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], TallyError> {
        let short = TallyError::Short { at: self.bytes.len() };
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>()).ok_or(short)?;
        self.at += N;
        Ok(*found)
    }

    pub fn count(&mut self) -> Result<u32, TallyError> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn number(&mut self) -> Result<f64, TallyError> {
        self.take().map(f64::from_le_bytes)
    }

    pub fn words<const N: usize>(&mut self) -> Result<[u64; N], TallyError> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.take().map(u64::from_le_bytes)?;
        }
        Ok(words)
    }

    /// A count and its records. The count is checked against the remaining bytes before memory is allocated.
    pub fn list<T>(
        &mut self,
        record_bytes: usize,
        record: impl Fn(&mut Self) -> Result<T, TallyError>,
    ) -> Result<Vec<T>, TallyError> {
        let count = self.count()?;
        self.records(count, record_bytes, record)
    }

    /// So many records.
    pub fn records<T>(
        &mut self,
        count: u32,
        record_bytes: usize,
        record: impl Fn(&mut Self) -> Result<T, TallyError>,
    ) -> Result<Vec<T>, TallyError> {
        let count = count as usize;
        if count > (self.bytes.len() - self.at) / record_bytes {
            return Err(TallyError::Short { at: self.bytes.len() });
        }
        (0..count).map(|_| record(self)).collect()
    }

    /// Fails if bytes are left over.
    pub fn finish<T>(self, read: T) -> Result<T, TallyError> {
        match self.bytes.len() - self.at {
            0 => Ok(read),
            n_left => Err(TallyError::Long { n_left }),
        }
    }
}
