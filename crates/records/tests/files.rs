//! Which files an import finds, and what collections it adds to.

mod common;

use std::path::Path;

use ashta_records::import::RecordFile;
use ashta_records::{CollectionWriter, files_below};
use common::{Numbers, add, compiled, random_record};

fn names(folder: &Path) -> Vec<String> {
    let below = files_below(&[folder.to_path_buf()]).expect("a folder");
    below.iter().map(|path| path.strip_prefix(folder).expect("below").display().to_string()).collect()
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_twice_and_dangling_ones_stop_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, inner) = (folder.path(), folder.path().join("inner"));
    std::fs::create_dir(&inner).expect("made");
    for file in ["b.pgn", "a.kif", "notes.txt", "inner/c.usi"] {
        std::fs::write(path.join(file), "").expect("written");
    }
    for link in ["again", "and-again"] {
        std::os::unix::fs::symlink(path, inner.join(link)).expect("linked");
    }
    std::os::unix::fs::symlink(path.join("gone"), path.join("z.pgn")).expect("linked");
    assert_eq!(names(path), ["a.kif", "b.pgn", "inner/c.usi", "z.pgn"]);
}

#[test]
fn a_lost_manifest_is_told_and_nothing_is_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = compiled("minishogi");
    let mut writer = CollectionWriter::open(folder.path(), &rules, "minishogi").expect("a collection");
    let mut numbers = Numbers(1);
    add(&mut writer, &[random_record(&rules, &mut numbers, 20, 3)]);
    drop(writer);
    std::fs::remove_file(folder.path().join("MANIFEST")).expect("removed");
    let told = CollectionWriter::open(folder.path(), &rules, "minishogi").expect_err("damaged").to_string();
    assert!(told.ends_with("is damaged: it is gone, though files of games are there"), "{told}");
    assert!(folder.path().join("00000001.seg").exists());
}

#[test]
fn a_collection_without_games_may_become_one_of_another_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let (chess, shogi) = (compiled("chess"), compiled("shogi"));
    drop(CollectionWriter::open(folder.path(), &chess, "chess").expect("begun"));
    let mut writer = CollectionWriter::open(folder.path(), &shogi, "shogi").expect("begun anew");
    add(&mut writer, &[random_record(&shogi, &mut Numbers(1), 20, 3)]);
    drop(writer);
    CollectionWriter::open(folder.path(), &chess, "chess").expect_err("it has games of shogi now");
}

#[test]
fn utf_16_is_read_and_other_packings_are_named() {
    let text = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n";
    let mut bytes = vec![0xFF, 0xFE];
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let mut file = RecordFile::of_bytes("game.kif", bytes).expect("read").expect("a format");
    assert_eq!(file.games.next().expect("a game").expect("text").text, text);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.zip");
    std::fs::write(&path, b"PK\x03\x04....").expect("written");
    let Err(error) = RecordFile::open(&path, None) else { panic!("it is not read") };
    assert_eq!(error.to_string(), "it is packed with zip, which is not read here: unpack it first");
}
