//! Finished work units on disk: a run that is stopped or killed loses only the units in progress.
//!
//! In: a plan and the tallies of its units. Out: an append-only file, and every whole unit in it. Never: a unit that
//! counts twice, a panic on damaged bytes, two writers of one file.
//!
//! ```text
//! header: "ASHTAJNL" | version u32 | plan digest u64 | length u32 | plan text | XXH3 of all before, u64
//! frame:  length of tally u32 | cell u32 | unit u32 | tally | XXH3 of all of the frame before, u64
//! ```
//!
//! Frames are written by one `write`; one that a kill cut short is a part of a frame at the end of the file, and is cut off
//! when that is opened again. A frame that fails its checksum is damaged: its unit is lost, every other is kept, and its
//! bytes stay where they are. Nothing forces the disk: what the system had not written yet is lost if the power fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use ashta_messages::{Message, Tell, message};
use xxhash_rust::xxh3::xxh3_64;

use crate::byte_reader::TallyError;
use crate::tally::UnitTally;
use crate::tally_codec::{read_tally, write_tally};

const MAGIC: &[u8; 8] = b"ASHTAJNL";
const VERSION: u32 = 2;
const FIXED_HEADER_BYTES: usize = 24;
const FRAME_HEAD_BYTES: usize = 12;
const CHECKSUM_BYTES: usize = 8;

/// Which work unit: its cell of the plan (a game and its players) and its number within the cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId {
    /// The cell of the plan.
    pub cell: u32,
    /// The unit within the cell.
    pub unit: u32,
}

/// What a finished unit leaves behind.
pub trait JournalRecord: Sized {
    /// Writes it after what `bytes` holds.
    fn write(&self, bytes: &mut Vec<u8>);
    /// Reads one that is the whole of `bytes`.
    fn read(bytes: &[u8]) -> Result<Self, TallyError>;
}

impl JournalRecord for UnitTally {
    fn write(&self, bytes: &mut Vec<u8>) {
        write_tally(self, bytes);
    }
    fn read(bytes: &[u8]) -> Result<UnitTally, TallyError> {
        read_tally(bytes)
    }
}

/// A journal of games that were measured.
pub type Journal = JournalOf<UnitTally>;
/// What it holds.
pub type JournalContents = ContentsOf<UnitTally>;

/// What a journal holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentsOf<U> {
    /// The digest of the plan.
    pub plan_digest: u64,
    /// The plan as text.
    pub plan_text: String,
    /// Every whole unit, in the order of cells and units.
    pub units: BTreeMap<UnitId, U>,
    /// Bytes after the last whole frame: what a kill cut short.
    pub n_torn_bytes: u64,
    /// Bytes that were changed after they were written; the units that they held are lost.
    pub n_damaged_bytes: u64,
}

/// A journal that is open for writing, and locked.
#[derive(Debug)]
pub struct JournalOf<U> {
    path: PathBuf,
    file: File,
    end: u64,
    written: BTreeSet<UnitId>,
    holds: PhantomData<fn(&U)>,
}

/// Why a journal cannot be used.
#[derive(Debug, Tell)]
pub enum JournalError {
    /// The system refused.
    #[code("lab.journal-io")]
    Io {
        /// What failed: `cannot open`.
        failure: Message,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process writes it.
    #[code("lab.journal-in-use")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It is some other kind of file.
    #[code("lab.not-a-journal")]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },
    /// It was written by another version.
    #[code("lab.journal-version")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format of this version.
        supported: u32,
    },
    /// Its first bytes are damaged, so nobody knows which plan it belongs to.
    #[code("lab.journal-damaged")]
    DamagedHeader {
        /// The file.
        path: PathBuf,
    },
    /// It belongs to another experiment.
    #[code("lab.journal-another-plan")]
    AnotherPlan {
        /// The file.
        path: PathBuf,
        /// Digest of the plan in the file, in hexadecimal.
        found: String,
        /// Digest of the plan asked for.
        expected: String,
    },
    /// A frame is whole but holds no tally.
    #[code("lab.journal-strange-unit")]
    StrangeUnit {
        /// The file.
        path: PathBuf,
        /// The cell of the plan.
        cell: u32,
        /// The unit within the cell.
        unit: u32,
        /// What is wrong with its tally.
        source: TallyError,
    },
}

impl<U: JournalRecord> JournalOf<U> {
    /// Opens the journal of a plan, or begins it; what a kill left half-written is cut off.
    pub fn open_or_create(
        path: impl AsRef<Path>,
        plan_digest: u64,
        plan_text: &str,
    ) -> Result<(JournalOf<U>, ContentsOf<U>), JournalError> {
        let path = path.as_ref();
        let failed = |failure| move |source| JournalError::Io { failure, path: path.to_path_buf(), source };
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let mut file = options.open(path).map_err(failed(message!("lab.journal-open-failed")))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse { path: path.to_path_buf() }),
            Err(TryLockError::Error(source)) => {
                return Err(failed(message!("lab.journal-lock-failed"))(source));
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed(message!("lab.journal-read-failed")))?;
        let header = header_bytes(plan_digest, plan_text);
        let is_begun = bytes.len() < header.len() && header.starts_with(&bytes);
        let is_mended = !is_begun && mend_header(&header, &mut bytes);
        if is_begun {
            bytes.clone_from(&header);
        }
        let mut contents = parse(path, &bytes)?;
        contents.n_damaged_bytes += u64::from(is_mended);
        if is_begun || is_mended {
            file.rewind()
                .and_then(|()| file.write_all(&header))
                .map_err(failed(message!("lab.journal-write-failed")))?;
        }
        if contents.plan_digest != plan_digest {
            let [found, expected] =
                [contents.plan_digest, plan_digest].map(|digest| format!("{digest:016x}"));
            return Err(JournalError::AnotherPlan { path: path.to_path_buf(), found, expected });
        }
        let end = bytes.len() as u64 - contents.n_torn_bytes;
        let written = contents.units.keys().copied().collect();
        let mut journal = JournalOf { path: path.to_path_buf(), file, end, written, holds: PhantomData };
        journal.cut_to_end().map_err(failed(message!("lab.journal-write-failed")))?;
        Ok((journal, contents))
    }

    /// Reads a journal that somebody may still be writing: every unit that is whole by now.
    pub fn read(path: impl AsRef<Path>) -> Result<ContentsOf<U>, JournalError> {
        let path = path.as_ref();
        let failed = |source| {
            let failure = message!("lab.journal-read-failed");
            JournalError::Io { failure, path: path.to_path_buf(), source }
        };
        parse(path, &std::fs::read(path).map_err(failed)?)
    }

    /// Forgets a unit that is there: the next one of this number is written, and counts in its place.
    pub fn forget(&mut self, id: UnitId) {
        self.written.remove(&id);
    }

    /// Adds a finished unit. One that is there already counts as it is, and is not written again.
    ///
    /// After an error (a full disk) the file is as it was before, and the unit may be tried again.
    pub fn append(&mut self, cell: u32, unit: u32, tally: &U) -> Result<(), JournalError> {
        let id = UnitId { cell, unit };
        if self.written.contains(&id) {
            return Ok(());
        }
        let frame = frame_bytes(id, tally);
        if let Err(source) = self.file.write_all(&frame) {
            // If this fails too, the torn frame is cut off when the journal is opened the next time.
            let _ = self.cut_to_end();
            let failure = message!("lab.journal-write-failed");
            return Err(JournalError::Io { failure, path: self.path.clone(), source });
        }
        self.end += frame.len() as u64;
        self.written.insert(id);
        Ok(())
    }

    fn cut_to_end(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end)).map(|_| ())
    }
}

fn header_bytes(plan_digest: u64, plan_text: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&plan_digest.to_le_bytes());
    bytes.extend_from_slice(&(plan_text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(plan_text.as_bytes());
    sealed(bytes)
}

fn frame_bytes(id: UnitId, tally: &impl JournalRecord) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    bytes.extend_from_slice(&id.cell.to_le_bytes());
    bytes.extend_from_slice(&id.unit.to_le_bytes());
    tally.write(&mut bytes);
    let length = (bytes.len() - FRAME_HEAD_BYTES) as u32;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    sealed(bytes)
}

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = xxh3_64(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The first `length` bytes, if they are there and their checksum follows; and what comes after it.
fn unsealed(bytes: &[u8], length: usize) -> Option<(&[u8], &[u8])> {
    let (content, rest) = bytes.split_at_checked(length)?;
    let (checksum, rest) = rest.split_first_chunk::<CHECKSUM_BYTES>()?;
    (xxh3_64(content) == u64::from_le_bytes(*checksum)).then_some((content, rest))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

fn parse<U: JournalRecord>(path: &Path, bytes: &[u8]) -> Result<ContentsOf<U>, JournalError> {
    let path_buf = || path.to_path_buf();
    if !bytes.starts_with(MAGIC) {
        return Err(JournalError::NotAJournal { path: path_buf() });
    }
    if let Some(found) = u32_at(bytes, 8).filter(|version| *version != VERSION) {
        return Err(JournalError::Version { path: path_buf(), found, supported: VERSION });
    }
    let (plan_digest, plan_text, mut rest) =
        header(bytes).ok_or_else(|| JournalError::DamagedHeader { path: path_buf() })?;
    let (mut units, mut n_damaged) = (BTreeMap::new(), 0);
    loop {
        while let Some((id, payload, after)) = frame(rest) {
            let tally = U::read(payload).map_err(|source| JournalError::StrangeUnit {
                path: path_buf(),
                cell: id.cell,
                unit: id.unit,
                source,
            })?;
            units.insert(id, tally);
            rest = after;
        }
        let Some(n_passed) = next_frame(rest) else { break };
        n_damaged += n_passed;
        rest = &rest[n_passed..];
    }
    // A frame that is all there and fails its checksum was not cut short.
    let n_torn = if frame_end(rest).is_none() { rest.len() } else { 0 };
    n_damaged += rest.len() - n_torn;
    let (n_torn_bytes, n_damaged_bytes) = (n_torn as u64, n_damaged as u64);
    Ok(ContentsOf { plan_digest, plan_text, units, n_torn_bytes, n_damaged_bytes })
}

/// Where the next whole frame begins, behind the beginning of one that is damaged: where its length says, or, if that is
/// damaged too, wherever there is one.
fn next_frame(bytes: &[u8]) -> Option<usize> {
    let end = frame_end(bytes).filter(|end| frame(&bytes[*end..]).is_some());
    // Anything may look like a length: bytes that were made to be slow must not be.
    let mut n_left = MOST_HASHED;
    end.or_else(|| {
        (1..bytes.len()).find(|at| {
            let rest = &bytes[*at..];
            let Some(end) = frame_end(rest).filter(|end| *end <= n_left) else { return false };
            n_left -= end;
            frame(rest).is_some()
        })
    })
}

/// Bytes that are hashed, at most, in search of the next frame.
const MOST_HASHED: usize = 1 << 29;

/// Where a frame ends by its length, if it is all there.
fn frame_end(bytes: &[u8]) -> Option<usize> {
    let end = FRAME_HEAD_BYTES + u32_at(bytes, 0)? as usize + CHECKSUM_BYTES;
    (end <= bytes.len()).then_some(end)
}

/// Puts the header right if one byte of it has changed. Another plan's fails no checksum, and differs in more.
fn mend_header(wanted: &[u8], bytes: &mut [u8]) -> bool {
    let Some(found) = bytes.get_mut(..wanted.len()) else { return false };
    let n_different = found.iter().zip(wanted).filter(|(found, wanted)| found != wanted).count();
    if n_different == 1 {
        found.copy_from_slice(wanted);
    }
    n_different == 1
}

fn header(bytes: &[u8]) -> Option<(u64, String, &[u8])> {
    let (digest, length) = (u64_at(bytes, 12)?, u32_at(bytes, 20)? as usize);
    let (content, rest) = unsealed(bytes, FIXED_HEADER_BYTES + length)?;
    let text = std::str::from_utf8(&content[FIXED_HEADER_BYTES..]).ok()?;
    Some((digest, text.to_string(), rest))
}

fn frame(bytes: &[u8]) -> Option<(UnitId, &[u8], &[u8])> {
    let length = u32_at(bytes, 0)? as usize;
    let id = UnitId { cell: u32_at(bytes, 4)?, unit: u32_at(bytes, 8)? };
    let (content, rest) = unsealed(bytes, FRAME_HEAD_BYTES + length)?;
    Some((id, &content[FRAME_HEAD_BYTES..], rest))
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
