//! Which files an import finds, and what collections it adds to.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::common::{Numbers, add, compiled, random_record};
use ashta_records::import::RecordFile;
use ashta_records::{
    CollectionWriter, Format, ImportObserver, ImportPlan, ImportReport, Limits, Rejection, files_below,
    import,
};

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
fn a_lost_manifest_is_reported_and_nothing_is_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = compiled("minishogi");
    let mut writer = CollectionWriter::open(folder.path(), &rules, "minishogi").expect("a collection");
    let mut numbers = Numbers(1);
    add(&mut writer, &[random_record(&rules, &mut numbers, 20, 3)]);
    drop(writer);
    std::fs::remove_file(folder.path().join("MANIFEST")).expect("removed");
    let told = CollectionWriter::open(folder.path(), &rules, "minishogi").expect_err("damaged").to_string();
    assert!(told.ends_with("is damaged: it is missing, but segments exist"), "{told}");
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
    let mut file =
        RecordFile::of_bytes("game.kif", bytes, Limits::default()).expect("read").expect("a format");
    assert_eq!(file.games.next().expect("a game").expect("text").text, text);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.zip");
    std::fs::write(&path, b"PK\x03\x04....").expect("written");
    let Err(error) = RecordFile::open(&path, None, Limits::default()) else { panic!("it is not read") };
    assert_eq!(error.to_string(), "compressed with zip, which is not supported: decompress it first");
}

/// Notes what is refused.
#[derive(Default)]
struct Refused(Vec<String>);

impl ImportObserver for Refused {
    fn rejected(&mut self, refusal: &Rejection) {
        self.0.push(format!("{:?} line {}: {}", refusal.game, refusal.line, refusal.what));
    }
    fn progress(&mut self, _: &ImportReport, _: u64) {}
    fn wants_stop(&mut self) -> bool {
        false
    }
}

fn import_with(path: &Path, game: &str, limits: Limits) -> (ImportReport, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = CollectionWriter::open(folder.path(), &compiled(game), game).expect("a collection");
    let mut refused = Refused::default();
    let plan = ImportPlan { limits, ..ImportPlan::default() };
    let report = import(&mut writer, &[path.to_path_buf()], plan, &mut refused).expect("imported");
    (report, refused.0)
}

/// A file that unpacks to more than it may, packed in each way that is read.
fn packed(folder: &Path, text: &str) -> [PathBuf; 2] {
    let [zst, gz] = ["games.pgn.zst", "games.pgn.gz"].map(|name| folder.join(name));
    std::fs::write(&zst, zstd::encode_all(text.as_bytes(), 3).expect("packed")).expect("written");
    let mut packing = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packing.write_all(text.as_bytes()).expect("packed");
    std::fs::write(&gz, packing.finish().expect("packed")).expect("written");
    [zst, gz]
}

#[test]
fn files_that_unpack_to_too_much_are_refused_and_what_came_before_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    // More than the buffer of a reader before it.
    let games = (0..20_000)
        .map(|n| format!("[Event \"{n}\"]\n[White \"{n}\"]\n\n1. e4 e5 2. Nf3 *\n\n"))
        .collect::<String>();
    let text = games + &" ".repeat(8 << 20);
    for path in packed(folder.path(), &text) {
        let limits = Limits { unpacked_bytes: 4 << 20, unpacked_ratio: 0, ..Limits::default() };
        let (report, refused) = import_with(&path, "chess", limits);
        assert_eq!((report.n_too_large, report.n_refused), (1, 1), "{refused:?}");
        assert_eq!(
            refused[0].split_once(": ").expect("a place").1,
            "cannot read the rest of the file: decompresses to more than 4194304 bytes: decompress it first if that is intended"
        );
        assert!(report.n_added > 10_000, "{}", report.n_added);
        let by_ratio = Limits { unpacked_ratio: 1_000_000, ..limits };
        assert_eq!(
            import_with(&path, "chess", by_ratio).0.n_too_large,
            0,
            "what is packed so well may hold so much"
        );
        assert_eq!(import_with(&path, "chess", Limits::default()).0.n_added, 20_000);
    }
}

#[test]
fn a_window_that_takes_too_much_memory_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn.zst");
    let mut packing = zstd::Encoder::new(Vec::new(), 1).expect("packing");
    packing.window_log(24).and_then(|()| packing.long_distance_matching(true)).expect("a window");
    packing.write_all(&vec![b' '; 20 << 20]).expect("packed");
    std::fs::write(&path, packing.finish().expect("packed")).expect("written");
    let limits = Limits { zstd_window_log: 20, ..Limits::default() };
    let (report, refused) = import_with(&path, "chess", limits);
    assert_eq!((report.n_too_large, report.n_refused), (1, 1), "{refused:?}");
    assert!(refused[0].contains("needs too much memory to decompress (zstd --long)"), "{refused:?}");
}

#[test]
fn a_record_that_is_too_long_is_refused_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let filler = "x".repeat(3_000);
    let lines = format!("*{}\n", "y".repeat(99)).repeat(30);
    let kif = |moves: &str| format!("手合割：平手\n手数----指手---------消費時間--\n{moves}");
    let jkf = |comment: &str| {
        format!(
            "{{\"moves\":[{{\"comments\":[\"{comment}\"]}},\n{{\"move\":{{\"from\":{{\"x\":7,\"y\":7}},\"to\":{{\"x\":7,\"y\":6}},\"piece\":\"FU\"}}}}]}}\n"
        )
    };
    let texts = [
        (
            Format::Pgn,
            "chess",
            ["1. e4 *\n".to_string(), format!("1. d4 {{{filler}}} *\n"), "1. c4 *\n".into()],
        ),
        (
            Format::Usi,
            "shogi",
            [
                "startpos moves 7g7f\n".to_string(),
                format!("startpos moves 2g2f {filler}\n"),
                "startpos moves 5g5f\n".into(),
            ],
        ),
        (
            Format::Csa,
            "shogi",
            [
                "V2.2\nPI\n+\n+7776FU\n".to_string(),
                format!("V2.2\nPI\n+\n+2726FU\n'{filler}\n"),
                "V2.2\nPI\n+\n+5756FU\n".into(),
            ],
        ),
        (
            Format::Kif,
            "shogi",
            [kif("1 ７六歩(77)\n"), kif(&format!("1 ２六歩(27)\n{lines}")), kif("1 ５六歩(57)\n")],
        ),
        (Format::Jkf, "shogi", [jkf("a"), jkf(&filler), jkf("\\\" } b")]),
    ];
    for (format, game, games) in texts {
        let path = folder.path().join(format!("games.{}", format.name()));
        std::fs::write(&path, games.concat()).expect("written");
        let (report, refused) = import_with(&path, game, Limits { record_bytes: 2_000, ..Limits::default() });
        let line = games[0].lines().count() + 1;
        let told = format!("Some(2) line {line}: the record has more than 2000 bytes");
        assert_eq!(refused, [told], "{format:?}");
        // JKF's first and last are one game.
        assert_eq!(report.n_added + report.n_known, 2, "{format:?}");
    }
}

#[test]
fn lines_of_old_macintosh_files_are_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, "[Event \"a\"]\r\r1. e4 e5 *\r\r[Event \"b\"]\r\r1. d4 Kd7 *\r").expect("written");
    let (report, refused) = import_with(&path, "chess", Limits::default());
    assert_eq!(report.n_added, 1);
    assert_eq!(refused, ["Some(2) line 7: move 2: `Kd7` is not legal here"]);
}

/// A reader that looked at the whole record again at each of its lines would read 60 GB here.
#[test]
fn readers_take_a_record_of_many_lines_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = |add_glyph: &str, end: &str| format!("{add_glyph}{}{end}\n", "x".repeat(9)).repeat(100_000);
    let comments = lines("\"", "\",").trim_end_matches(",\n").to_string();
    let jkf_move = r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}}"#;
    let texts = [
        (Format::Pgn, "chess", format!("1. e4 {{\n{}}} *\n", lines("", ""))),
        (Format::Csa, "shogi", format!("V2.2\nPI\n+\n+7776FU\n{}", lines("'*", ""))),
        (Format::Kif, "shogi", format!("手合割：平手\n   1 ７六歩(77)\n{}", lines("*", ""))),
        (Format::Ki2, "shogi", format!("手合割：平手\n▲７六歩\n{}", lines("*", ""))),
        (Format::Jkf, "shogi", format!("{{\"moves\":[{{\"comments\":[\n{comments}\n]}},\n{jkf_move}]}}\n")),
    ];
    for (format, game, text) in texts {
        let path = folder.path().join(format!("games.{}", format.name()));
        std::fs::write(&path, text).expect("written");
        let (report, refused) = import_with(&path, game, Limits::default());
        assert_eq!((report.n_added, refused), (1, Vec::new()), "{format:?}");
    }
}
