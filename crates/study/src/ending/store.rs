//! The tablebases of a game, built on demand and stored on disk.
//!
//! In: rules, a folder, a material. Out: values. Never: a tablebase of other rules, or a truncated one: a file has a
//! magic number, a version, the rules' digest and a checksum, and is written atomically.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use ashta_messages::Tell;
use ashta_position::{CompiledRules, Game, Move, with_line};
use ashta_records::AtomicFile;
use ashta_rules::{KindId, Rules, Side, Square};

use super::ending_material::EndingMaterial;
use super::position_index::PositionIndex;
use super::retrograde::{BuildError, ProgressCallback, Tablebases, build, conversion_materials, probe};
use super::tablebase::{Code, Tablebase, TablebaseValue};
use super::unmoves::{check_game, symmetries};

#[derive(Debug)]
pub struct Endings {
    rules: CompiledRules,
    folder: Option<PathBuf>,
    tables: Tablebases,
}

#[derive(Debug, Tell)]
pub enum EndingError {
    #[code(transparent)]
    Build(#[from] BuildError),
    #[code("study.tablebase-not-saved")]
    Keep { path: PathBuf, error: io::Error },
}

const MAGIC: &[u8; 8] = b"ASHTAEND";
/// Incremented when the meaning of a tablebase changes; others are rebuilt.
const VERSION: u32 = 1;
const COMPRESSION: i32 = 3;

impl Endings {
    pub fn new(rules: &CompiledRules, folder: Option<PathBuf>) -> Endings {
        Endings { rules: rules.clone(), folder, tables: Tablebases::new() }
    }

    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    /// Loads or builds the tablebase of a material and of all its conversions.
    pub fn prepare(
        &mut self,
        material: &EndingMaterial,
        progress: ProgressCallback,
        stop: &AtomicBool,
    ) -> Result<&Tablebase, EndingError> {
        check_game(self.rules.rules()).map_err(BuildError::from)?;
        self.prepare_below(material, progress, stop)?;
        Ok(&self.tables[material])
    }

    fn prepare_below(
        &mut self,
        material: &EndingMaterial,
        progress: ProgressCallback,
        stop: &AtomicBool,
    ) -> Result<(), EndingError> {
        if self.tables.contains_key(material) {
            return Ok(());
        }
        for next in conversion_materials(material, self.rules.rules()) {
            self.prepare_below(&next, progress, stop)?;
        }
        let rules = self.rules.rules().clone();
        let path = self.folder.as_ref().map(|folder| folder.join(file_name(&rules, material)));
        let kept = path.as_ref().and_then(|path| read_table(&fs::read(path).ok()?, &rules, material).ok());
        let table = match kept {
            Some(table) => table,
            None => {
                let mut start = Game::start(&self.rules);
                let table = with_line!(start.line_mut(), line => {
                    build(&mut line.position().clone(), material, &self.tables, progress, stop)
                })?;
                if let Some(path) = path {
                    write_table(&path, &rules, &table).map_err(|error| EndingError::Keep { path, error })?;
                }
                table
            }
        };
        self.tables.insert(material.clone(), table);
        Ok(())
    }

    pub fn is_on_disk(&self, material: &EndingMaterial) -> bool {
        let name = file_name(self.rules.rules(), material);
        self.tables.contains_key(material)
            || self.folder.as_ref().is_some_and(|folder| folder.join(name).exists())
    }

    pub fn table(&self, material: &EndingMaterial) -> Option<&Tablebase> {
        self.tables.get(material)
    }

    /// The value for the side to move, if its tablebase is loaded.
    pub fn probe(&self, game: &Game) -> Option<TablebaseValue> {
        let grid = game.rules().grid();
        let pieces: Vec<(Side, KindId, u8)> = grid
            .squares()
            .filter_map(|square| game.piece(square).map(|(side, kind)| (side, kind, square.0)))
            .collect();
        probe(&self.tables, &pieces, game.turn().0)
    }

    /// Every legal move with its value for the side that makes it, the best first.
    pub fn moves(&self, game: &Game) -> Vec<(Move, TablebaseValue)> {
        let mut game = game.clone();
        let mut moves = Vec::new();
        for mv in game.legal_moves() {
            game.play_unchecked(mv);
            if let Some(value) = self.probe(&game) {
                moves.push((mv, value.for_mover()));
            }
            game.take_back();
        }
        moves.sort_by_key(|(mv, value)| (std::cmp::Reverse(value.rank()), *mv));
        moves
    }

    pub fn game_at(&self, material: &EndingMaterial, squares: &[u8], turn: Side) -> Option<Game> {
        let mut setup = ashta_rules::Setup::empty(self.rules.rules());
        for (piece, square) in material.pieces().zip(squares) {
            setup.board[Square(*square).0 as usize] = Some(piece);
        }
        setup.turn = turn.0;
        Game::from_setup(&self.rules, &setup).ok()
    }
}

fn file_name(rules: &Rules, material: &EndingMaterial) -> String {
    format!("{:016x}-{}.ending", rules.digest(), material.name(rules).replace('+', "p"))
}

fn header(rules: &Rules, material: &EndingMaterial, n_codes: u64, checksum: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(rules.digest().to_le_bytes());
    let name = material.name(rules);
    bytes.extend((name.len() as u32).to_le_bytes());
    bytes.extend(name.as_bytes());
    bytes.extend(n_codes.to_le_bytes());
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn raw(codes: &[Code]) -> Vec<u8> {
    codes.iter().flat_map(|code| code.0.to_le_bytes()).collect()
}

/// Two processes may write the same one at once.
fn write_table(path: &Path, rules: &Rules, table: &Tablebase) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let bytes = raw(&table.codes);
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes);
    let mut file = AtomicFile::create(path)?;
    file.write_all(&header(rules, &table.material, table.codes.len() as u64, checksum))?;
    file.write_all(&zstd::bulk::compress(&bytes, COMPRESSION)?)?;
    file.finish()
}

/// Parses a tablebase file; rejects other rules, other versions and damage.
pub fn read_table(bytes: &[u8], rules: &Rules, material: &EndingMaterial) -> io::Result<Tablebase> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_string());
    let symmetries = symmetries(rules, material);
    let index = PositionIndex::new(rules.grid().n_squares(), material.n_pieces(), symmetries);
    let length = header(rules, material, 0, 0).len();
    let (head, body) = bytes.split_at_checked(length).ok_or_else(|| wrong("the file is cut off"))?;
    let codes = zstd::bulk::decompress(body, index.len() * 2)?;
    let checksum = xxhash_rust::xxh3::xxh3_64(&codes);
    if head != header(rules, material, index.len() as u64, checksum) || codes.len() != index.len() * 2 {
        return Err(wrong("the file is of other rules, of another version, or damaged"));
    }
    let codes = codes.chunks_exact(2).map(|pair| Code(u16::from_le_bytes([pair[0], pair[1]]))).collect();
    Ok(Tablebase { material: material.clone(), index, codes })
}
