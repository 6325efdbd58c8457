//! A write-once file of named sections with checksums.
//!
//! In: sections of bytes. Out: the file; later, parts of its sections, each verified when it is first read. Never: a
//! byte that fails its checksum.
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

use ashta_messages::{Message, Tell, message};
use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::section::{SECTIONS, Section};
use crate::index::bits::{u32_at, u64_at};

const MAGIC: &[u8; 8] = b"ASHTASEG";
const END: &[u8; 8] = b"ASHTAEND";
const LATEST: u32 = FileVersion::Notes as u32;
const PAGE: usize = 1 << 16;
const ENTRY: usize = 24;
const TAIL: usize = 24;

/// A file has the lowest version that can express it, so that older programs read what they can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileVersion {
    Games = 1,
    /// Also annotations.
    Notes = 2,
}

/// What failed with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Tell)]
pub enum FileOperation {
    #[code("records.file-create")]
    Create,
    #[code("records.file-lock")]
    Lock,
    #[code("records.file-map")]
    Map,
    #[code("records.file-open")]
    Open,
    #[code("records.file-read")]
    Read,
    #[code("records.file-remove")]
    Remove,
    #[code("records.file-replace")]
    Replace,
    #[code("records.file-write")]
    Write,
}

#[derive(Debug, Tell)]
pub enum SegmentError {
    #[code("records.file")]
    Io { doing: FileOperation, path: PathBuf, source: io::Error },
    #[code("records.not-a-segment")]
    NotASegment { path: PathBuf },
    #[code("records.segment-version")]
    Version { path: PathBuf, found: u32, latest: u32 },
    #[code("records.damaged")]
    Damaged { path: PathBuf, what: Message },
}

pub struct SegmentFileWriter {
    path: PathBuf,
    out: BufWriter<File>,
    offset: u64,
    page: Vec<u8>,
    checksums: Vec<u32>,
    sections: Vec<(Section, u64, u64)>,
}

impl SegmentFileWriter {
    /// Creates or overwrites a file.
    pub fn create(path: &Path, version: FileVersion) -> Result<SegmentFileWriter, SegmentError> {
        let file = File::create(path).map_err(|source| io_error(FileOperation::Create, path, source))?;
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
        self.out.write_all(bytes).map_err(|source| io_error(FileOperation::Write, &self.path, source))?;
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

    pub fn section(&mut self, section: Section, bytes: &[u8]) -> Result<(), SegmentError> {
        self.section_of(section, std::iter::once(bytes))
    }

    pub fn section_of<'a>(
        &mut self,
        section: Section,
        parts: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), SegmentError> {
        let padding = self.offset.next_multiple_of(8) - self.offset;
        self.put(&[0; 8][..padding as usize])?;
        let begin = self.offset;
        for part in parts {
            self.put(part)?;
        }
        self.sections.push((section, begin, self.offset - begin));
        Ok(())
    }

    /// Writes the footer and syncs the file. Returns its length.
    pub fn finish(mut self) -> Result<u64, SegmentError> {
        if !self.page.is_empty() {
            self.checksums.push(xxh3_64(&self.page) as u32);
        }
        let mut footer = (self.sections.len() as u32).to_le_bytes().to_vec();
        for (section, begin, length) in &self.sections {
            let (_, name) = SECTIONS[*section as usize];
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
        written.map_err(|source| io_error(FileOperation::Write, &self.path, source))?;
        Ok(length)
    }
}

pub fn io_error(doing: FileOperation, path: &Path, source: io::Error) -> SegmentError {
    SegmentError::Io { doing, path: path.to_path_buf(), source }
}

/// A memory-mapped segment file.
#[derive(Debug)]
pub struct SegmentFile {
    path: PathBuf,
    map: Mmap,
    contents: Contents,
    is_checked: Vec<AtomicU8>,
}

impl SegmentFile {
    /// Opens a file and verifies its footer.
    pub fn open(path: &Path) -> Result<SegmentFile, SegmentError> {
        let file = File::open(path).map_err(|source| io_error(FileOperation::Open, path, source))?;
        // SAFETY: segments are written once under another name and never changed, so the mapped bytes are constant.
        // Mapping opens in microseconds what takes a second to read, and processes share one copy.
        #[expect(unsafe_code, reason = "a memory map of a file that never changes")]
        let map = unsafe { Mmap::map(&file) }.map_err(|source| io_error(FileOperation::Map, path, source))?;
        let contents = read_footer(path, &map)?;
        let n_pages = contents.checksums.len() / 4;
        let is_checked = (0..n_pages).map(|_| AtomicU8::new(0)).collect();
        Ok(SegmentFile { path: path.to_path_buf(), map, contents, is_checked })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// 0 if there is no such section.
    pub fn section_length(&self, section: Section) -> usize {
        self.contents.ranges[section as usize].len()
    }

    /// A whole section, verified.
    pub fn section(&self, section: Section) -> Result<&[u8], SegmentError> {
        self.checked(self.contents.ranges[section as usize].clone())
    }

    /// A part of a section, verified; clamped to the section's end.
    #[inline]
    pub fn part(&self, section: Section, part: Range<usize>) -> Result<&[u8], SegmentError> {
        let range = &self.contents.ranges[section as usize];
        let end = range.start.saturating_add(part.end).min(range.end);
        self.checked(range.start.saturating_add(part.start).min(end)..end)
    }

    /// A whole section, unverified: the caller verifies the parts it reads.
    #[inline]
    pub fn unchecked(&self, section: Section) -> &[u8] {
        &self.map[self.contents.ranges[section as usize].clone()]
    }

    fn checked(&self, range: Range<usize>) -> Result<&[u8], SegmentError> {
        for page in range.start / PAGE..range.end.div_ceil(PAGE) {
            if self.is_checked[page].load(Ordering::Relaxed) == 0 {
                self.check_page(page)?;
            }
        }
        Ok(&self.map[range])
    }

    #[cold]
    fn check_page(&self, page: usize) -> Result<(), SegmentError> {
        let bytes = &self.map[page * PAGE..self.contents.end.min((page + 1) * PAGE)];
        if xxh3_64(bytes) as u32 != u32_at(&self.map[self.contents.checksums.clone()], page * 4) {
            let what = message!("records.page-checksum", n = bytes.len(), offset = page * PAGE);
            return Err(SegmentError::Damaged { path: self.path.clone(), what });
        }
        self.is_checked[page].store(1, Ordering::Relaxed);
        Ok(())
    }

    /// Verifies every checksum.
    pub fn check_all(&self) -> Result<(), SegmentError> {
        (0..self.is_checked.len()).try_for_each(|page| self.check_page(page))
    }
}

#[derive(Debug)]
struct Contents {
    /// The range of each of [`SECTIONS`]; empty if the file has none.
    ranges: [Range<usize>; SECTIONS.len()],
    /// The end of the sections and start of the footer.
    end: usize,
    /// Checksums of pages.
    checksums: Range<usize>,
}

fn read_footer(path: &Path, map: &[u8]) -> Result<Contents, SegmentError> {
    let not_whole = || SegmentError::NotASegment { path: path.to_path_buf() };
    if !map.starts_with(MAGIC) {
        return Err(not_whole());
    }
    let found = u32_at(map, 8);
    if !(1..=LATEST).contains(&found) {
        return Err(SegmentError::Version { path: path.to_path_buf(), found, latest: LATEST });
    }
    let tail = map.len().checked_sub(TAIL).filter(|at| map[at + 16..] == *END).ok_or_else(not_whole)?;
    let begin = u64_at(map, tail) as usize;
    let footer = map.get(begin..tail).ok_or_else(not_whole)?;
    if xxh3_64(footer) != u64_at(map, tail + 8) {
        let what = message!("records.contents-checksum");
        return Err(SegmentError::Damaged { path: path.to_path_buf(), what });
    }
    let n_sections = u32_at(footer, 0) as usize;
    let mut ranges = [const { 0..0 }; SECTIONS.len()];
    for n in 0..n_sections {
        let entry = footer.get(4 + n * ENTRY..4 + (n + 1) * ENTRY).ok_or_else(not_whole)?;
        let offset = u64_at(entry, 8) as usize;
        let end = offset.checked_add(u64_at(entry, 16) as usize);
        let end = end.filter(|end| *end <= begin).ok_or_else(not_whole)?;
        // Unknown sections belong to later versions.
        let name = entry[..8].split(|byte| *byte == 0).next().unwrap_or_default();
        if let Some((section, _)) = SECTIONS.iter().find(|(_, known)| known.as_bytes() == name) {
            ranges[*section as usize] = offset..end;
        }
    }
    let checksums = begin + 4 + n_sections * ENTRY..tail;
    if checksums.len() == begin.div_ceil(PAGE) * 4 {
        Ok(Contents { ranges, end: begin, checksums })
    } else {
        Err(not_whole())
    }
}
