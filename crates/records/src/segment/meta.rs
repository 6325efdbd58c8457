//! Metadata of a segment's games: interned strings, tags, and columns for filters.
//!
//! In: records. Out: sections of a segment, and a view of them. Never: positions.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::file::{SegmentError, SegmentFile, SegmentFileWriter};
use super::section::Section;
use crate::index::bits::{Cursor, put_varint, u32_at};
use crate::record::{GameRecord, Tags, date_number, tag};
use ashta_messages::{Message, message};

/// Columns of strings: per game 0 for none, else the string number plus one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    Player(usize),
    Event,
    Opening,
    /// The first position, where it is not the start of the game.
    Start,
}

const N_COLUMNS: usize = 7;

impl Column {
    fn index(self) -> usize {
        match self {
            Column::Player(side) => side.min(3),
            Column::Event => 4,
            Column::Opening => 5,
            Column::Start => 6,
        }
    }
}

#[derive(Default, Debug)]
pub struct MetaBuilder {
    numbers: HashMap<String, u32>,
    heap: Vec<u8>,
    ends: Vec<u8>,
    tags: Vec<u8>,
    tag_ends: Vec<u8>,
    columns: [Vec<u8>; N_COLUMNS],
    dates: Vec<u8>,
    ratings: Vec<u8>,
    results: Vec<u8>,
    keys: Vec<u8>,
}

impl MetaBuilder {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(text.to_string(), number);
        self.heap.extend(text.as_bytes());
        self.ends.extend((self.heap.len() as u32).to_le_bytes());
        number
    }

    /// Bytes of text so far: offsets are 32 bits.
    pub fn n_bytes(&self) -> usize {
        self.heap.len() + self.tags.len()
    }

    pub fn results(&self) -> &[u8] {
        &self.results
    }

    pub fn push(&mut self, record: &GameRecord, key: u64) {
        for (name, value) in record.tags.iter() {
            let (name, value) = (self.number(name), self.number(value));
            put_varint(&mut self.tags, u64::from(name));
            put_varint(&mut self.tags, u64::from(value));
        }
        self.tag_ends.extend((self.tags.len() as u32).to_le_bytes());
        let known = |name: &str| record.tags.get(name);
        let opening = record.tags.opening();
        let named = [
            known(tag::PLAYERS[0]),
            known(tag::PLAYERS[1]),
            known(tag::PLAYERS[2]),
            known(tag::PLAYERS[3]),
            known(tag::EVENT),
            opening.as_deref(),
            record.start.as_deref(),
        ];
        for (column, text) in named.into_iter().enumerate() {
            let number = text.map_or(0, |text| self.number(text) + 1);
            self.columns[column].extend(number.to_le_bytes());
        }
        self.dates.extend(date_of(&record.tags).to_le_bytes());
        for name in tag::RATINGS {
            let rating = known(name).and_then(|text| text.trim().parse::<f32>().ok()).unwrap_or(0.0);
            self.ratings.extend((rating.clamp(0.0, 65_535.0) as u16).to_le_bytes());
        }
        self.results.push(record.result.code());
        self.keys.extend(key.to_le_bytes());
    }

    pub fn write(&self, out: &mut SegmentFileWriter) -> Result<(), SegmentError> {
        out.section(Section::Strings, &self.heap)?;
        out.section(Section::StringEnds, &self.ends)?;
        out.section(Section::Tags, &self.tags)?;
        out.section(Section::TagEnds, &self.tag_ends)?;
        out.section_of(Section::Columns, self.columns.iter().map(Vec::as_slice))?;
        out.section(Section::Dates, &self.dates)?;
        out.section(Section::Ratings, &self.ratings)?;
        out.section(Section::Results, &self.results)?;
        out.section(Section::GameKeys, &self.keys)
    }
}

#[derive(Clone, Copy)]
pub struct Meta<'a> {
    pub file: &'a SegmentFile,
    pub n_games: usize,
    /// Dates parsed again, where an earlier version wrote them.
    pub new_dates: &'a OnceLock<Vec<u8>>,
}

fn date_of(tags: &Tags) -> u32 {
    tags.get(tag::DATE).and_then(date_number).unwrap_or(0)
}

impl<'a> Meta<'a> {
    pub fn n_strings(&self) -> usize {
        self.file.section_length(Section::StringEnds) / 4
    }

    pub fn string(&self, number: u32) -> Result<&'a str, SegmentError> {
        let number = number as usize;
        let ends = self.file.part(Section::StringEnds, number.saturating_sub(1) * 4..number * 4 + 4)?;
        let (begin, end) = match number {
            0 => (0, u32_at(ends, 0)),
            _ => (u32_at(ends, 0), u32_at(ends, 4)),
        };
        let bytes = self.file.part(Section::Strings, begin as usize..end.max(begin) as usize)?;
        std::str::from_utf8(bytes).map_err(|_| self.damaged(message!("records.bad-string")))
    }

    fn damaged(&self, what: Message) -> SegmentError {
        SegmentError::Damaged { path: self.file.path().to_path_buf(), what }
    }

    pub fn tags(&self, game: u32) -> Result<Tags, SegmentError> {
        let game = game as usize;
        let ends = self.file.part(Section::TagEnds, game.saturating_sub(1) * 4..game * 4 + 4)?;
        let (begin, end) = match game {
            0 => (0, u32_at(ends, 0)),
            _ => (u32_at(ends, 0), u32_at(ends, 4)),
        };
        let mut from = Cursor(self.file.part(Section::Tags, begin as usize..end.max(begin) as usize)?);
        let mut tags = Tags::default();
        while !from.0.is_empty() {
            let (Some(name), Some(value)) = (from.varint(), from.varint()) else {
                return Err(self.damaged(message!("records.bad-tag")));
            };
            tags.set(self.string(name as u32)?, self.string(value as u32)?);
        }
        Ok(tags)
    }

    /// Four bytes per game.
    pub fn column(&self, column: Column) -> Result<&'a [u8], SegmentError> {
        let begin = column.index() * self.n_games * 4;
        self.file.part(Section::Columns, begin..begin + self.n_games * 4)
    }

    pub fn named(&self, column: Column, game: u32) -> Result<Option<&'a str>, SegmentError> {
        let at = (column.index() * self.n_games + game as usize) * 4;
        match u32_at(self.file.part(Section::Columns, at..at + 4)?, 0) {
            0 => Ok(None),
            number => self.string(number - 1).map(Some),
        }
    }

    /// A date number, 0 if unknown.
    pub fn date(&self, game: u32) -> Result<u32, SegmentError> {
        let at = game as usize * 4;
        match self.game_keys()? {
            Some(_) => Ok(u32_at(self.file.part(Section::Dates, at..at + 4)?, 0)),
            None => Ok(u32_at(self.dates()?, at)),
        }
    }

    /// Date numbers, four bytes per game. Earlier versions took times for dates, so theirs are parsed again.
    pub fn dates(&self) -> Result<&'a [u8], SegmentError> {
        if self.game_keys()?.is_some() {
            return self.file.section(Section::Dates);
        }
        if let Some(dates) = self.new_dates.get() {
            return Ok(dates);
        }
        let mut dates = Vec::with_capacity(self.n_games * 4);
        for game in 0..self.n_games as u32 {
            dates.extend(date_of(&self.tags(game)?).to_le_bytes());
        }
        Ok(self.new_dates.get_or_init(|| dates))
    }

    /// Two bytes for each of four sides of each game.
    pub fn ratings(&self) -> Result<&'a [u8], SegmentError> {
        self.file.section(Section::Ratings)
    }

    pub fn rating(&self, game: u32, side: usize) -> Result<Option<u16>, SegmentError> {
        let at = (game as usize * tag::RATINGS.len() + side) * 2;
        let bytes = self.file.part(Section::Ratings, at..at + 2)?;
        Ok(bytes.first_chunk().map(|two| u16::from_le_bytes(*two)).filter(|rating| *rating > 0))
    }

    /// A byte per game.
    pub fn results(&self) -> Result<&'a [u8], SegmentError> {
        self.file.section(Section::Results)
    }

    /// Eight bytes per game; `None` if an earlier version wrote the segment.
    pub fn game_keys(&self) -> Result<Option<&'a [u8]>, SegmentError> {
        let bytes = self.file.section(Section::GameKeys)?;
        Ok((bytes.len() == self.n_games * 8).then_some(bytes))
    }
}
