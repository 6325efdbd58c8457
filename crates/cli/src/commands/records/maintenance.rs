//! `ashta records merge` and `check`: the files of a collection.

use std::io::Write;
use std::path::PathBuf;

use ashta_position::CompiledRules;
use ashta_records::{CollectionWriter, Manifest};
use clap::Args;
use serde::Serialize;

use super::open::open_collection;
use crate::cli_error::{CliError, Status};
use crate::game_arguments::read_rules;
use crate::output::{grouped, write_json};

/// Merge the segments of a collection to speed up searches
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-merge.txt"))]
pub struct RecordsMergeArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Verify every byte of a collection
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-check.txt"))]
pub struct RecordsCheckArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CollectionFiles {
    collection: String,
    games: usize,
    segments: usize,
    bytes: u64,
}

impl CollectionFiles {
    fn new(folder: &std::path::Path, manifest: &Manifest) -> CollectionFiles {
        CollectionFiles {
            collection: folder.display().to_string(),
            games: manifest.n_games(),
            segments: manifest.segments.len(),
            bytes: manifest.n_bytes(),
        }
    }

    fn print(&self, what: &str, json: OutputKind, out: &mut dyn Write) -> Result<Status, CliError> {
        match json {
            OutputKind::Json => write_json(out, self),
            OutputKind::Words => {
                writeln!(
                    out,
                    "{what}: {} games in {} segments, {} bytes",
                    grouped(self.games as u64),
                    self.segments,
                    grouped(self.bytes)
                )?;
                Ok(Status::Done)
            }
        }
    }
}

#[derive(Clone, Copy)]
enum OutputKind {
    Json,
    Words,
}

impl From<bool> for OutputKind {
    fn from(is_json: bool) -> OutputKind {
        if is_json { OutputKind::Json } else { OutputKind::Words }
    }
}

pub fn merge(args: &RecordsMergeArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let manifest = Manifest::read(&args.collection)?;
    let rules = CompiledRules::new(read_rules(&manifest.game)?);
    let mut writer = CollectionWriter::open(&args.collection, &rules, &manifest.game)?;
    while writer.merge_step()? {}
    CollectionFiles::new(&args.collection, writer.manifest()).print("merged", args.json.into(), out)
}

pub fn check(args: &RecordsCheckArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let collection = open_collection(&args.collection)?;
    collection.check_all()?;
    CollectionFiles::new(&args.collection, collection.manifest()).print("all is well", args.json.into(), out)
}
