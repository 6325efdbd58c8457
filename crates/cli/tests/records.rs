//! Collections from the command line: what every command says, as pictures, and what pictures cannot show.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/records");

/// An empty folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("records").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

fn ashta(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ashta"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the command runs")
}

/// A folder with the collection `games` of three games of chess.
fn with_games(name: &str) -> PathBuf {
    let folder = folder(name);
    let imported = ashta(&folder, &["records", "import", "games", &format!("{FILES}/club.pgn")]);
    assert_eq!(imported.status.code(), Some(2), "one record is refused");
    folder
}

fn picture(folder: &Path, args: &[&str]) -> String {
    let output = ashta(folder, args);
    let typed: Vec<String> = args
        .iter()
        .map(|arg| if arg.contains(' ') { format!("{arg:?}") } else { arg.replace(FILES, "FILES") })
        .collect();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(FILES, "FILES");
    let status = output.status.code().expect("it ends by itself");
    format!(
        "$ ashta {}\n{}--- stderr\n{}--- status {status}\n",
        typed.join(" "),
        text(&output.stdout),
        text(&output.stderr)
    )
}

macro_rules! snapshots {
    ($($name:ident: $args:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let folder = with_games(stringify!($name));
                insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
                    insta::assert_snapshot!(concat!("records_", stringify!($name)), picture(&folder, &$args));
                });
            }
        )*
    };
}

snapshots! {
    import_again: ["records", "import", "games", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/records/club.pgn")];
    import_json: ["records", "import", "new", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/records/line.usi"), "--json"];
    import_nowhere: ["records", "import", "games", "nowhere.pgn"];
    import_unknown_format: ["records", "import", "games", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/records/letter.txt")];
    import_another_game: ["records", "import", "games", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/records/line.usi"), "--game", "shogi"];
    import_wrong_format: ["records", "import", "games", "x", "--format", "doc"];
    import_not_a_collection: ["records", "import", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/records"), concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/records/club.pgn")];
    list: ["records", "list", "games"];
    list_some: ["records", "list", "games", "player=anna date>=2019-03"];
    list_none: ["records", "list", "games", "player=nobody"];
    list_json: ["records", "list", "games", "result=draw", "--json"];
    list_nowhere: ["records", "list", "nowhere"];
    show: ["records", "show", "games", "1", "--ply", "3", "--ascii"];
    show_json: ["records", "show", "games", "3", "--json"];
    show_notes: ["records", "show", "games", "1", "--json"];
    show_usi: ["records", "show", "games", "2", "--format", "usi"];
    show_beyond: ["records", "show", "games", "9"];
    export: ["records", "export", "games", "event=cup"];
    export_unfit: ["records", "export", "games", "--format", "kif"];
    export_to: ["records", "export", "games", "--to", "some.usi"];
    players: ["records", "players", "games"];
    players_csv: ["records", "players", "games", "result=draw", "--csv"];
    players_json: ["records", "players", "games", "-n", "1", "--json"];
    players_none: ["records", "players", "games", "player=nobody"];
    survey: ["records", "survey", "games", "--frequent", "4"];
    survey_json: ["records", "survey", "games", "--frequent", "1", "--json"];
    find: ["find", "games", "e4=P turn=black"];
    find_exact: ["find", "games", "--moves", "e4"];
    find_json: ["find", "games", "swapped(e5=p e4=P)", "--json", "-n", "1"];
    find_csv: ["find", "games", "e4=P", "--csv"];
    find_none: ["find", "games", "h8=K"];
    find_nothing_asked: ["find", "games"];
    find_wrong_word: ["find", "games", "e4=P plyer=anna"];
    find_wrong_piece: ["find", "games", "e4=P d5=X"];
    find_open_bracket: ["find", "games", "(e4=P or d4=P"];
    find_wrong_position: ["find", "games", "position \"8/8/8/8/8/8/8/K7 w - - 0 1\""];
    explore: ["explore", "games"];
    explore_some: ["explore", "games", "--moves", "e4", "rating>=1700", "--json"];
    explore_in_games_with: ["explore", "games", "d4=P"];
    explore_none: ["explore", "games", "--moves", "a3"];
    explore_csv: ["explore", "games", "--moves", "e4", "--csv"];
    help_players: ["records", "players", "--help"];
    help_records: ["records", "--help"];
    help_find: ["find", "--help"];
    help_explore: ["explore", "--help"];
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_from_its_beginning() {
    let folder = folder("a_pipe");
    let file = std::fs::File::open(format!("{FILES}/club.pgn")).expect("opened");
    let mut cat = Command::new("cat").stdin(file).stdout(Stdio::piped()).spawn().expect("it starts");
    let imported = Command::new(env!("CARGO_BIN_EXE_ashta"))
        .args(["records", "import", "games", "/dev/stdin", "--format", "pgn"])
        .current_dir(&folder)
        .stdin(cat.stdout.take().expect("a pipe"))
        .output()
        .expect("the command runs");
    cat.wait().expect("it ends");
    let told = String::from_utf8_lossy(&imported.stdout);
    assert!(told.starts_with("added 3 games "), "{told}");
}

#[test]
fn what_is_exported_goes_in_again() {
    let folder = with_games("round");
    for format in ["pgn", "usi"] {
        let file = format!("out.{format}");
        assert!(ashta(&folder, &["records", "export", "games", "--to", &file]).status.success());
        let again = ashta(
            &folder,
            &["records", "import", &format!("again-{format}"), &file, "--game", "chess", "--json"],
        );
        let report: serde_json::Value = serde_json::from_slice(&again.stdout).expect("JSON");
        assert_eq!((report["added"].as_u64(), report["refused"].as_u64()), (Some(3), Some(0)));
    }
}

#[test]
fn what_is_said_comes_out_as_it_went_in() {
    let folder = folder("said");
    let said = "手合割：平手\n先手：a\n後手：b\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:16/00:00:16)\n*good\n   2 ３四歩(33)\n   3 投了\n\n変化：2手\n   2 ８四歩(83)\n*also\n";
    std::fs::write(folder.join("said.kif"), said).expect("written");
    assert!(ashta(&folder, &["records", "import", "kif", "said.kif"]).status.success());
    let shown = |collection: &str| {
        let output = ashta(&folder, &["records", "show", collection, "1", "--json"]);
        let shown: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (shown["moves"].clone(), shown["notes"].clone())
    };
    let first = shown("kif");
    assert_eq!(first.1[0]["comment"], "good");
    for (from, to) in [("kif", "ki2"), ("ki2", "jkf"), ("jkf", "csa"), ("csa", "pgn")] {
        let file = format!("said.{to}");
        assert!(ashta(&folder, &["records", "export", from, "--to", &file]).status.success());
        let imported = ashta(&folder, &["records", "import", to, &file, "--game", "shogi"]);
        assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
        assert_eq!(shown(to), first, "{from} to {to}");
    }
}

#[test]
fn damage_is_told() {
    let folder = with_games("damage");
    let well = ashta(&folder, &["records", "check", "games"]);
    assert!(String::from_utf8_lossy(&well.stdout).starts_with("all is well: 3 games in 1 segments"));
    let segment = folder.join("games/00000001.seg");
    let mut bytes = std::fs::read(&segment).expect("a segment");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&segment, bytes).expect("written");
    let output = ashta(&folder, &["records", "check", "games"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.starts_with("error: games/00000001.seg is damaged") && told.contains("hint: "), "{told}");
}

#[test]
fn what_a_second_copy_knows_more_is_told_and_both_are_kept_if_wanted() {
    let folder = folder("copies");
    let games = |name: &str, event: &str, date: &str| {
        let text = format!("[White \"A\"]\n[Black \"B\"]\n{event}[Date \"{date}\"]\n\n1. e4 e5 *\n");
        std::fs::write(folder.join(name), text).expect("written");
    };
    games("one.pgn", "", "09:10:01");
    games("two.pgn", "[Event \"Cup\"]\n", "1971.08.12");
    let said: Vec<String> = [
        &["records", "import", "games", "one.pgn"][..],
        &["records", "import", "games", "two.pgn"],
        &["records", "import", "games", "one.pgn", "two.pgn"],
        &["records", "import", "games", "one.pgn", "two.pgn", "--keep-both"],
        &["records", "list", "games"],
    ]
    .iter()
    .map(|args| picture(&folder, args))
    .collect();
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("records_copies", said.join("\n"));
    });
}

#[test]
fn a_second_importer_is_told_and_readers_are_not_kept() {
    let folder = with_games("lock");
    let lock = std::fs::File::options().write(true).open(folder.join("games/LOCK")).expect("a lock");
    lock.lock().expect("nobody else has it");
    let second = picture(&folder, &["records", "import", "games", &format!("{FILES}/club.pgn")]);
    assert_eq!(
        second,
        "$ ashta records import games FILES/club.pgn\n--- stderr\nerror: another process is adding games to games\n\n\
         hint: wait until it finishes; searching works meanwhile\n--- status 2\n"
    );
    assert!(ashta(&folder, &["find", "games", "e4=P"]).status.success());
}

/// Waits until a process reads its input and minds Ctrl-C, as Linux tells of every process.
#[cfg(target_os = "linux")]
fn wait_until_it_reads(process: u32, n_bytes: u64) {
    let number = |file: &str, name: &str, radix: u32| {
        let text = std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
        let found = text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        found.and_then(|number| u64::from_str_radix(number, radix).ok()).unwrap_or(0)
    };
    let interrupt = 1 << (2 - 1);
    for _ in 0..60_000 {
        if number("status", "SigCgt:", 16) & interrupt != 0 && number("io", "rchar:", 10) >= n_bytes {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("it never reads");
}

/// Ctrl-C commits what was read, and the same command goes on.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_keeps_what_is_committed() {
    let folder = folder("interrupt");
    let one = std::fs::read_to_string(format!("{FILES}/club.pgn")).expect("a file");
    let game = one.split("\n\n[Event").next().expect("a game");
    let many: String =
        (0..60_000).map(|n| game.replace("[White \"", &format!("[White \"{n} ")) + "\n\n").collect();
    std::fs::write(folder.join("many.pgn"), many).expect("written");
    let args = ["records", "import", "games", "many.pgn", "--json"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_ashta"));
    let child = child.args(args).current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().expect("it starts");
    wait_until_it_reads(child.id(), 500_000);
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(interrupted.success());
    let output = child.wait_with_output().expect("it ends");
    let first: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let rest = ashta(&folder, &args);
    let second: serde_json::Value = serde_json::from_slice(&rest.stdout).expect("a report");
    assert_eq!(second["games"].as_u64(), Some(60_000));
    assert_eq!(second["duplicates"], first["added"]);
}
