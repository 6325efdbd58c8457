//! `ashta records merge` and `check`: the files of a collection.

use std::io::Write;
use std::path::PathBuf;

use ashta_position::CompiledRules;
use ashta_records::{CollectionWriter, Manifest};
use clap::Args;
use serde::Serialize;

use super::super::{grouped, write_json};
use super::open::open_collection;
use crate::choice::read_rules;
use crate::failure::{Failure, Status};

/// Merge the files of a collection, so that searches have fewer to look at
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-merge.txt"))]
pub struct MergeArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Check every byte of a collection
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-check.txt"))]
pub struct CheckArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Tended {
    collection: String,
    games: usize,
    segments: usize,
    bytes: u64,
}

impl Tended {
    fn new(folder: &std::path::Path, manifest: &Manifest) -> Tended {
        Tended {
            collection: folder.display().to_string(),
            games: manifest.n_games(),
            segments: manifest.segments.len(),
            bytes: manifest.n_bytes(),
        }
    }

    fn tell(&self, what: &str, json: Form, out: &mut dyn Write) -> Result<Status, Failure> {
        match json {
            Form::Json => write_json(out, self),
            Form::Words => {
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
enum Form {
    Json,
    Words,
}

impl From<bool> for Form {
    fn from(is_json: bool) -> Form {
        if is_json { Form::Json } else { Form::Words }
    }
}

pub fn merge(args: &MergeArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    let manifest = Manifest::read(&args.collection)?;
    let rules = CompiledRules::new(read_rules(&manifest.game)?);
    let mut writer = CollectionWriter::open(&args.collection, &rules, &manifest.game)?;
    while writer.merge_step()? {}
    Tended::new(&args.collection, writer.manifest()).tell("merged", args.json.into(), out)
}

pub fn check(args: &CheckArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    let collection = open_collection(&args.collection)?;
    collection.check_all()?;
    Tended::new(&args.collection, collection.manifest()).tell("all is well", args.json.into(), out)
}
