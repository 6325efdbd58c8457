//! The tables of a game's endings, made when first asked for and kept on disk.
//!
//! In: rules, a folder, a material. Out: what positions are worth. Never: a table of other rules, or one that was cut off:
//! a file has a magic, a version, the rules' digest and a checksum, and takes its name only when it is whole.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use ashta_position::{CompiledRules, Game, Move, with_line};
use ashta_records::AtomicFile;
use ashta_rules::{KindId, Rules, Side, Square};

use super::build::{BuildError, EndingTables, Watch, build, look_up, next_materials};
use super::material::Material;
use super::reach::{check_game, symmetries};
use super::space::Space;
use super::table::{Code, EndingTable, Worth};

/// The tables of a game.
#[derive(Debug)]
pub struct Endings {
    rules: CompiledRules,
    folder: Option<PathBuf>,
    tables: EndingTables,
}

/// Why a table could not be had.
#[derive(Debug, thiserror::Error)]
pub enum EndingError {
    /// It cannot be made, or somebody said stop.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It was made and could not be kept.
    #[error("cannot keep the table in {}: {error}", path.display())]
    Keep {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

const MAGIC: &[u8; 8] = b"ASHTAEND";
/// Raised when the meaning of a table changes; others are made anew.
const VERSION: u32 = 1;
const COMPRESSION: i32 = 3;

impl Endings {
    /// Of a game, kept in a folder if one is given.
    pub fn new(rules: &CompiledRules, folder: Option<PathBuf>) -> Endings {
        Endings { rules: rules.clone(), folder, tables: EndingTables::new() }
    }

    /// The rules.
    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    /// Has the table of a material, and those of all that it leads to, ready.
    pub fn prepare(
        &mut self,
        material: &Material,
        watch: Watch,
        stop: &AtomicBool,
    ) -> Result<&EndingTable, EndingError> {
        check_game(self.rules.rules()).map_err(BuildError::from)?;
        self.prepare_below(material, watch, stop)?;
        Ok(&self.tables[material])
    }

    fn prepare_below(
        &mut self,
        material: &Material,
        watch: Watch,
        stop: &AtomicBool,
    ) -> Result<(), EndingError> {
        if self.tables.contains_key(material) {
            return Ok(());
        }
        for next in next_materials(material, self.rules.rules()) {
            self.prepare_below(&next, watch, stop)?;
        }
        let rules = self.rules.rules().clone();
        let path = self.folder.as_ref().map(|folder| folder.join(file_name(&rules, material)));
        let kept = path.as_ref().and_then(|path| read_table(&fs::read(path).ok()?, &rules, material).ok());
        let table = match kept {
            Some(table) => table,
            None => {
                let mut start = Game::start(&self.rules);
                let table = with_line!(start.line_mut(), line => {
                    build(&mut line.position().clone(), material, &self.tables, watch, stop)
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

    /// Whether the table of a material is on the disk already.
    pub fn is_kept(&self, material: &Material) -> bool {
        let name = file_name(self.rules.rules(), material);
        self.tables.contains_key(material)
            || self.folder.as_ref().is_some_and(|folder| folder.join(name).exists())
    }

    /// The table of a material, if it is ready.
    pub fn table(&self, material: &Material) -> Option<&EndingTable> {
        self.tables.get(material)
    }

    /// What a position is worth to the side to move, if its table is ready.
    pub fn worth(&self, game: &Game) -> Option<Worth> {
        let grid = game.rules().grid();
        let men: Vec<(Side, KindId, u8)> = grid
            .squares()
            .filter_map(|square| game.piece(square).map(|(side, kind)| (side, kind, square.0)))
            .collect();
        look_up(&self.tables, &men, game.turn().0)
    }

    /// Every legal move with what it is worth to the side that makes it, the best first.
    pub fn moves(&self, game: &Game) -> Vec<(Move, Worth)> {
        let mut game = game.clone();
        let mut moves = Vec::new();
        for mv in game.legal_moves() {
            game.play_unchecked(mv);
            if let Some(worth) = self.worth(&game) {
                moves.push((mv, worth.before()));
            }
            game.take_back();
        }
        moves.sort_by_key(|(mv, worth)| (std::cmp::Reverse(worth.rank()), *mv));
        moves
    }

    /// A game at men on squares.
    pub fn game_at(&self, material: &Material, squares: &[u8], turn: Side) -> Option<Game> {
        let mut setup = ashta_rules::Setup::empty(self.rules.rules());
        for (man, square) in material.men().zip(squares) {
            setup.board[Square(*square).0 as usize] = Some(man);
        }
        setup.turn = turn.0;
        Game::from_setup(&self.rules, &setup).ok()
    }
}

fn file_name(rules: &Rules, material: &Material) -> String {
    format!("{:016x}-{}.ending", rules.digest(), material.name(rules).replace('+', "p"))
}

fn header(rules: &Rules, material: &Material, n_codes: u64, checksum: u64) -> Vec<u8> {
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

/// Writes a table; two may make the same one at once.
fn write_table(path: &Path, rules: &Rules, table: &EndingTable) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let bytes = raw(&table.codes);
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes);
    let mut file = AtomicFile::create(path)?;
    file.write_all(&header(rules, &table.material, table.codes.len() as u64, checksum))?;
    file.write_all(&zstd::bulk::compress(&bytes, COMPRESSION)?)?;
    file.finish()
}

/// Reads the bytes of a table's file; one of other rules, of another version or damaged is refused.
pub fn read_table(bytes: &[u8], rules: &Rules, material: &Material) -> io::Result<EndingTable> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_string());
    let maps = symmetries(rules, material);
    let space = Space::new(rules.grid().n_squares(), material.n_men(), maps);
    let length = header(rules, material, 0, 0).len();
    let (head, body) = bytes.split_at_checked(length).ok_or_else(|| wrong("the file is cut off"))?;
    let codes = zstd::bulk::decompress(body, space.len() * 2)?;
    let checksum = xxhash_rust::xxh3::xxh3_64(&codes);
    if head != header(rules, material, space.len() as u64, checksum) || codes.len() != space.len() * 2 {
        return Err(wrong("the file is of other rules, of another version, or damaged"));
    }
    let codes = codes.chunks_exact(2).map(|pair| Code(u16::from_le_bytes([pair[0], pair[1]]))).collect();
    Ok(EndingTable { material: material.clone(), space, codes })
}
