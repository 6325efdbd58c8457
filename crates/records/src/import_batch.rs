//! The batch of an import: new games, and existing records that gain information.
//!
//! In: records, one after another. Out: commits. Never: a game added twice, unless both are wanted; memory that grows
//! with the input, except for a few bytes per game of the collection.

use std::collections::BTreeMap;

use ashta_messages::Message;

use crate::collection::{Collection, CollectionError, CollectionWriter};
use crate::date::DateText;
use crate::duplicate_lookup::GameLookup;
use crate::duplicates::{GameIdentity, has_same_content, merge};
use crate::import_plan::{BATCH_TEXT_BYTES, DuplicatePolicy, ImportPlan, ImportReport};
use crate::index::states::IndexedGame;
use crate::record::{GameRecord, tag};
use crate::segment::{SegmentBuilder, SegmentError};

pub struct NewGame {
    pub record: GameRecord,
    pub indexed: IndexedGame,
    /// Why it is a diagram, if it is one.
    pub lack: Option<Message>,
    /// Length of its text.
    pub n_bytes: usize,
}

/// Games that are not committed yet.
pub struct Batch {
    plan: ImportPlan,
    lookup: GameLookup,
    /// What is committed; new games are numbered after it.
    collection: Collection,
    new: Vec<NewGame>,
    n_positions: usize,
    n_bytes: usize,
    /// Committed records that have gained information.
    changed: BTreeMap<usize, GameRecord>,
    n_changed_bytes: usize,
}

impl Batch {
    /// An empty batch, with the games of the collection for duplicate detection.
    pub fn new(writer: &CollectionWriter, plan: ImportPlan) -> Result<Batch, CollectionError> {
        let collection = writer.collection()?;
        let mut lookup = GameLookup::default();
        for (_, segment) in collection.segments() {
            for (game, key) in (0..).zip(segment.game_keys(writer.rules())?) {
                lookup.push(key, || segment.identity(game).map(|identity| identity.players_key()))?;
            }
        }
        Ok(Batch {
            plan,
            lookup,
            collection,
            new: Vec::new(),
            n_positions: 0,
            n_bytes: 0,
            changed: BTreeMap::new(),
            n_changed_bytes: 0,
        })
    }

    /// Players and date of a game.
    fn identity(&self, game: usize) -> Result<Option<GameIdentity<'_>>, SegmentError> {
        if let Some(new) = game.checked_sub(self.collection.n_games()) {
            return Ok(self.new.get(new).map(|game| GameIdentity::of(&game.record.tags)));
        }
        match (self.changed.get(&game), self.collection.locate(game)) {
            (Some(record), _) => Ok(Some(GameIdentity::of(&record.tags))),
            (None, Some((segment, local))) => segment.identity(local).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// A committed record with the information gained since.
    fn committed(&self, game: usize) -> Result<GameRecord, CollectionError> {
        match self.changed.get(&game) {
            Some(record) => Ok(record.clone()),
            None => Ok(self.collection.record(game)?.unwrap_or_default()),
        }
    }

    /// Adds a game, or merges it into its duplicate, by the duplicate policy.
    pub fn take(
        &mut self,
        game: NewGame,
        writer: &mut CollectionWriter,
        report: &mut ImportReport,
    ) -> Result<(), CollectionError> {
        let key = game.indexed.game_key(&game.record.moves);
        let identity = GameIdentity::of(&game.record.tags);
        let is_same = |known: usize| -> Result<bool, CollectionError> {
            Ok(self.identity(known)?.is_some_and(|known| known.is_compatible(&identity))
                && (self.plan.duplicates == DuplicatePolicy::Merge
                    || self.has_same_content(known, &game.record)?))
        };
        match self.lookup.find(key, || identity.players_key(), is_same)? {
            Some(known) => {
                report.n_known += 1;
                report.n_merged += usize::from(self.merge(known, &game, writer)?);
            }
            None => {
                let date = game.record.tags.get(tag::DATE);
                report.n_not_dates +=
                    usize::from(date.is_some_and(|text| DateText::read(text) == DateText::Other));
                report.n_added += 1;
                report.n_positions += game.indexed.keys.len();
                self.push(key, game, writer)?;
            }
        }
        Ok(())
    }

    fn has_same_content(&self, known: usize, record: &GameRecord) -> Result<bool, CollectionError> {
        Ok(match known.checked_sub(self.collection.n_games()) {
            Some(new) => has_same_content(&self.new[new].record, record),
            None => has_same_content(&self.committed(known)?, record),
        })
    }

    /// Merges a record into its duplicate. Returns whether it added anything.
    fn merge(
        &mut self,
        known: usize,
        game: &NewGame,
        writer: &mut CollectionWriter,
    ) -> Result<bool, CollectionError> {
        if let Some(new) = known.checked_sub(self.collection.n_games()) {
            let has_more = merge(&mut self.new[new].record, &game.record);
            self.n_bytes += if has_more { game.n_bytes } else { 0 };
            return Ok(has_more);
        }
        let mut record = self.committed(known)?;
        let has_more = merge(&mut record, &game.record);
        if has_more {
            self.changed.insert(known, record);
            self.n_changed_bytes += game.n_bytes;
        }
        if self.n_changed_bytes >= BATCH_TEXT_BYTES {
            self.commit_changed(writer)?;
        }
        Ok(has_more)
    }

    fn push(
        &mut self,
        key: u64,
        game: NewGame,
        writer: &mut CollectionWriter,
    ) -> Result<(), CollectionError> {
        if self.n_positions >= self.plan.batch_positions || self.n_bytes >= BATCH_TEXT_BYTES {
            self.commit(writer)?;
        }
        let names = || Ok::<_, SegmentError>(GameIdentity::of(&game.record.tags).players_key());
        self.lookup.push(key, names)?;
        self.n_positions += game.indexed.keys.len();
        self.n_bytes += game.n_bytes;
        self.new.push(game);
        Ok(())
    }

    pub fn commit(&mut self, writer: &mut CollectionWriter) -> Result<(), CollectionError> {
        let n_sides = writer.rules().rules().sides().len();
        let new_builder = |writer: &CollectionWriter| SegmentBuilder::new(writer.space().clone(), n_sides);
        let mut builder = new_builder(writer);
        for game in self.new.drain(..) {
            if !builder.has_room(game.record.moves.len()) {
                let built = std::mem::replace(&mut builder, new_builder(writer));
                writer.commit(built)?;
            }
            builder.push(&game.record, &game.indexed);
        }
        (self.n_positions, self.n_bytes) = (0, 0);
        writer.commit(builder)?;
        self.collection = writer.collection()?;
        Ok(())
    }

    /// Commits the records that have gained information.
    pub fn commit_changed(&mut self, writer: &mut CollectionWriter) -> Result<(), CollectionError> {
        if self.changed.is_empty() {
            return Ok(());
        }
        // Their numbers stay valid: new games come after them.
        writer.replace_records(std::mem::take(&mut self.changed))?;
        self.n_changed_bytes = 0;
        self.collection = writer.collection()?;
        Ok(())
    }
}
