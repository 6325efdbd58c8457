//! A file of named sections that is written once and never changed.
//!
//! In: sections of bytes. Out: the file; later, parts of its sections, each checked when it is first read. Never: a byte
//! that fails its checksum, given to anybody.
//!
//! ```text
//! "ASHTASEG" | version u32 | 0 u32 | sections, each from a multiple of 8 | footer
//! footer: number of sections u32 | each: name (8 bytes), offset u64, length u64 | a checksum of every page u32
//! end:    offset of the footer u64 | XXH3 of the footer u64 | "ASHTAEND"
//! ```
//!
//! A page is 64 KiB of everything before the footer; its checksum is the low half of its XXH3.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

use memmap2::Mmap;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::index::bits::{u32_at, u64_at};

const MAGIC: &[u8; 8] = b"ASHTASEG";
const END: &[u8; 8] = b"ASHTAEND";
const LATEST: u32 = FileVersion::Notes as u32;
const PAGE: usize = 1 << 16;
const ENTRY: usize = 24;
const TAIL: usize = 24;

/// What a file may hold. A file has the lowest version that says it, so that older programs read what they can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileVersion {
    /// Games and their index.
    Games = 1,
    /// Also what is said beside the moves.
    Notes = 2,
}

/// Why a segment cannot be used.
#[derive(Error, Debug)]
pub enum SegmentError {
    /// The system refused.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is some other file, or a part of one.
    #[error("{path} is not a whole segment of a collection")]
    NotASegment {
        /// The file.
        path: PathBuf,
    },
    /// Another version of the program wrote it.
    #[error("{path} has format {found}; this program reads formats up to {LATEST}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// Bytes have changed since they were written.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        what: String,
    },
}

/// Writes a file section by section.
pub struct SegmentFileWriter {
    path: PathBuf,
    out: BufWriter<File>,
    offset: u64,
    page: Vec<u8>,
    checksums: Vec<u32>,
    sections: Vec<(String, u64, u64)>,
}

impl SegmentFileWriter {
    /// Begins a file; one that is there already is written over.
    pub fn create(path: &Path, version: FileVersion) -> Result<SegmentFileWriter, SegmentError> {
        let file = File::create(path).map_err(|source| io_error("create", path, source))?;
        let mut writer = SegmentFileWriter {
            path: path.to_path_buf(),
            out: BufWriter::with_capacity(1 << 20, file),
            offset: 0,
            page: Vec::with_capacity(PAGE),
            checksums: Vec::new(),
            sections: Vec::new(),
        };
        let mut header = MAGIC.to_vec();
        header.extend((version as u32).to_le_bytes());
        header.extend([0; 4]);
        writer.put(&header)?;
        Ok(writer)
    }

    fn put(&mut self, mut bytes: &[u8]) -> Result<(), SegmentError> {
        self.out.write_all(bytes).map_err(|source| io_error("write", &self.path, source))?;
        self.offset += bytes.len() as u64;
        while !bytes.is_empty() {
            let (head, rest) = bytes.split_at(bytes.len().min(PAGE - self.page.len()));
            self.page.extend_from_slice(head);
            bytes = rest;
            if self.page.len() == PAGE {
                self.checksums.push(xxh3_64(&self.page) as u32);
                self.page.clear();
            }
        }
        Ok(())
    }

    /// Adds a section; its name has at most eight letters.
    pub fn section(&mut self, name: &str, bytes: &[u8]) -> Result<(), SegmentError> {
        self.section_of(name, std::iter::once(bytes))
    }

    /// Adds a section made of parts.
    pub fn section_of<'a>(
        &mut self,
        name: &str,
        parts: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), SegmentError> {
        let padding = self.offset.next_multiple_of(8) - self.offset;
        self.put(&[0; 8][..padding as usize])?;
        let begin = self.offset;
        for part in parts {
            self.put(part)?;
        }
        self.sections.push((name.to_string(), begin, self.offset - begin));
        Ok(())
    }

    /// Ends the file and waits until it is on the disk. Gives its length.
    pub fn finish(mut self) -> Result<u64, SegmentError> {
        if !self.page.is_empty() {
            self.checksums.push(xxh3_64(&self.page) as u32);
        }
        let mut footer = (self.sections.len() as u32).to_le_bytes().to_vec();
        for (name, begin, length) in &self.sections {
            let mut eight = [0u8; 8];
            eight[..name.len()].copy_from_slice(name.as_bytes());
            footer.extend(eight);
            footer.extend(begin.to_le_bytes());
            footer.extend(length.to_le_bytes());
        }
        self.checksums.iter().for_each(|checksum| footer.extend(checksum.to_le_bytes()));
        let checksum = xxh3_64(&footer);
        let length = self.offset + footer.len() as u64 + TAIL as u64;
        footer.extend(self.offset.to_le_bytes());
        footer.extend(checksum.to_le_bytes());
        footer.extend(END);
        let written = self.out.write_all(&footer).and_then(|()| {
            let file = self.out.into_inner().map_err(|error| error.into_error())?;
            file.sync_all()
        });
        written.map_err(|source| io_error("write", &self.path, source))?;
        Ok(length)
    }
}

/// An error of the system.
pub fn io_error(doing: &'static str, path: &Path, source: io::Error) -> SegmentError {
    SegmentError::Io { doing, path: path.to_path_buf(), source }
}

/// A file of sections, opened.
#[derive(Debug)]
pub struct SegmentFile {
    path: PathBuf,
    map: Mmap,
    sections: Vec<(String, Range<usize>)>,
    /// The names of the sections as numbers: small searches spend most of their time on finding sections.
    codes: Vec<u64>,
    checksums: Range<usize>,
    is_checked: Vec<AtomicU8>,
}

impl SegmentFile {
    /// Opens a file and checks its footer.
    pub fn open(path: &Path) -> Result<SegmentFile, SegmentError> {
        let file = File::open(path).map_err(|source| io_error("open", path, source))?;
        // SAFETY: segments are written once under another name and never changed after, so nobody writes to what is
        // mapped. It earns opening in microseconds what takes a second to read, and one copy for all processes.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file) }.map_err(|source| io_error("map", path, source))?;
        let (sections, checksums) = read_footer(path, &map)?;
        let n_pages = checksums.len() / 4;
        let is_checked = (0..n_pages).map(|_| AtomicU8::new(0)).collect();
        let codes = sections.iter().map(|(name, _)| code_of(name)).collect();
        Ok(SegmentFile { path: path.to_path_buf(), map, sections, codes, checksums, is_checked })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes a section has; none if it is not there.
    pub fn section_length(&self, name: &str) -> usize {
        self.place(name).len()
    }

    /// Names and lengths of all sections.
    pub fn sections(&self) -> impl Iterator<Item = (&str, usize)> {
        self.sections.iter().map(|(name, place)| (name.as_str(), place.len()))
    }

    #[inline]
    pub(super) fn place(&self, name: &str) -> Range<usize> {
        let code = code_of(name);
        let found = self.codes.iter().position(|known| *known == code);
        found.map_or(0..0, |at| self.sections[at].1.clone())
    }

    /// A whole section, checked.
    pub fn section(&self, name: &str) -> Result<&[u8], SegmentError> {
        let place = self.place(name);
        self.checked(place)
    }

    /// A part of a section, checked; it is shorter where the section ends.
    #[inline]
    pub fn part(&self, name: &str, part: Range<usize>) -> Result<&[u8], SegmentError> {
        self.part_at(&self.place(name), part)
    }

    /// The same of a section whose place [`SegmentFile::place`] told.
    #[inline]
    pub(super) fn part_at(&self, place: &Range<usize>, part: Range<usize>) -> Result<&[u8], SegmentError> {
        let end = (place.start + part.end).min(place.end);
        self.checked((place.start + part.start).min(end)..end)
    }

    /// A whole section, not checked: whoever reads it has parts of it checked before.
    #[inline]
    pub fn unchecked(&self, name: &str) -> &[u8] {
        &self.map[self.place(name)]
    }

    /// What stands at a place of the file that [`SegmentFile::place`] told, not checked either: inner loops do not look
    /// for a section by its name each time.
    pub(super) fn unchecked_at(&self, place: &Range<usize>) -> &[u8] {
        &self.map[place.clone()]
    }

    fn checked(&self, place: Range<usize>) -> Result<&[u8], SegmentError> {
        for page in place.start / PAGE..place.end.div_ceil(PAGE) {
            if self.is_checked[page].load(Ordering::Relaxed) == 0 {
                self.check_page(page)?;
            }
        }
        Ok(&self.map[place])
    }

    #[cold]
    fn check_page(&self, page: usize) -> Result<(), SegmentError> {
        let content_end = self.checksums.start - 4 - self.sections.len() * ENTRY;
        let bytes = &self.map[page * PAGE..content_end.min((page + 1) * PAGE)];
        if xxh3_64(bytes) as u32 != u32_at(&self.map[self.checksums.clone()], page * 4) {
            let what = format!("the {} bytes from {} on fail their checksum", bytes.len(), page * PAGE);
            return Err(SegmentError::Damaged { path: self.path.clone(), what });
        }
        self.is_checked[page].store(1, Ordering::Relaxed);
        Ok(())
    }

    /// Checks every byte.
    pub fn check_all(&self) -> Result<(), SegmentError> {
        (0..self.is_checked.len()).try_for_each(|page| self.check_page(page))
    }
}

/// A name of at most eight letters as a number.
#[inline(always)]
fn code_of(name: &str) -> u64 {
    let letters = name.bytes().take(8).rev();
    letters.fold(0, |code, letter| code << 8 | u64::from(letter))
}

type Footer = (Vec<(String, Range<usize>)>, Range<usize>);

fn read_footer(path: &Path, map: &[u8]) -> Result<Footer, SegmentError> {
    let not_whole = || SegmentError::NotASegment { path: path.to_path_buf() };
    if !map.starts_with(MAGIC) {
        return Err(not_whole());
    }
    let found = u32_at(map, 8);
    if !(1..=LATEST).contains(&found) {
        return Err(SegmentError::Version { path: path.to_path_buf(), found });
    }
    let tail = map.len().checked_sub(TAIL).filter(|at| map[at + 16..] == *END).ok_or_else(not_whole)?;
    let begin = u64_at(map, tail) as usize;
    let footer = map.get(begin..tail).ok_or_else(not_whole)?;
    if xxh3_64(footer) != u64_at(map, tail + 8) {
        let what = "its table of contents fails its checksum".to_string();
        return Err(SegmentError::Damaged { path: path.to_path_buf(), what });
    }
    let n_sections = u32_at(footer, 0) as usize;
    let sections = (0..n_sections).map(|n| {
        let at = 4 + n * ENTRY;
        let name = footer.get(at..at + 8)?.iter().copied().take_while(|byte| *byte != 0).collect();
        let offset = u64_at(footer, at + 8) as usize;
        let place = offset..offset.checked_add(u64_at(footer, at + 16) as usize)?;
        (place.end <= begin).then_some((String::from_utf8(name).ok()?, place))
    });
    let sections: Option<Vec<_>> = sections.collect();
    let checksums = begin + 4 + n_sections * ENTRY..tail;
    let whole = sections.filter(|_| checksums.len() == begin.div_ceil(PAGE) * 4);
    whole.map(|sections| (sections, checksums)).ok_or_else(not_whole)
}
