//! Experiments from the command line: the same bytes however a run is divided, killed, stopped or repeated, records that
//! read back, and every message as a snapshot.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ashta_lab::{GameRow, Journal, UnitTally, evolution_names, experiment_names};
use ashta_position::notation::{read_coordinates, read_csa, read_san};
use ashta_position::{CompiledRules, Game, Move};
use ashta_rules::load;

/// A folder in which commands are run, and which goes away when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("laboratory-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ashta"));
        command.args(args).current_dir(&self.0).env_remove("COLUMNS").stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the command runs")
    }

    /// Runs a command that must succeed.
    fn done(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("output is UTF-8")
    }

    fn start(&self, args: &[&str]) -> Running {
        start(&mut self.command(args))
    }

    /// All that a command says, for a snapshot.
    fn said(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let shown = |arg: &&str| match arg.contains([' ', '(', '\'']) {
            true => format!("{arg:?}"),
            false => arg.to_string(),
        };
        let typed: Vec<String> = args.iter().map(shown).collect();
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let status = output.status.code().expect("it ends by itself");
        format!("$ ashta {}\n{stdout}--- stderr\n{stderr}--- status {status}\n", typed.join(" "))
    }

    /// The report of a run in every form.
    fn report(&self, run: &str) -> Vec<String> {
        ["html", "ja.html", "md", "json", "csv"]
            .iter()
            .map(|form| self.read(&format!("{run}/report.{form}")))
            .collect()
    }

    fn assert_same_report(&self, one: &str, other: &str) {
        for (a, b) in self.report(one).iter().zip(&self.report(other)) {
            let differs = a.lines().zip(b.lines()).find(|(a, b)| a != b);
            assert!(!a.is_empty() && a == b, "{one} and {other} differ: {differs:?}");
        }
    }

    /// Every game in a run's journal, in order, from units that are there once.
    fn rows(&self, run: &str) -> Vec<GameRow> {
        let units = Journal::read(self.path(run).join("journal")).expect("a journal").units;
        UnitTally::merge(units.values()).rows
    }

    fn n_units(&self, run: &str) -> usize {
        Journal::read(self.path(run).join("journal")).map_or(0, |journal| journal.units.len())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// A command under way; killed if a test fails before it ends.
struct Running(Child);

fn start(command: &mut Command) -> Running {
    Running(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the command runs"))
}

impl Running {
    /// Waits until something is so.
    fn wait_until(&mut self, what: &str, is_so: impl Fn() -> bool) {
        let since = Instant::now();
        while !is_so() {
            assert_eq!(self.0.try_wait().expect("it can be asked"), None, "it ended before {what}");
            assert!(since.elapsed() < Duration::from_secs(60), "waited too long: {what}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn end(&mut self) -> (ExitStatus, String) {
        let mut said = String::new();
        self.0.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
        (self.0.wait().expect("it ends"), said)
    }

    #[cfg(unix)]
    fn signal(&self, signal: &str) {
        let kill = Command::new("kill").args([signal, &self.0.id().to_string()]).status();
        assert!(kill.expect("there is a kill command").success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            _ = self.0.kill();
            _ = self.0.wait();
        }
    }
}

#[test]
fn threads_do_not_change_the_report() {
    let folder = Folder::new();
    for (name, stop) in [("games", ["--games", "40"]), ("until", ["--until", "D±10%"])] {
        for threads in ["1", "2", "8"] {
            let run = format!("{name}{threads}");
            let what = ["analyze", "minishogi", "shatranj", "--player", "P0", "--player", "P1"];
            let how = ["--seed", "3", "--threads", threads, "--folder", &run];
            folder.done(&[&what[..], &stop, &how].concat());
        }
        folder.assert_same_report(&format!("{name}2"), &format!("{name}1"));
        folder.assert_same_report(&format!("{name}8"), &format!("{name}1"));
    }
}

#[test]
fn shards_merged_are_one_run() {
    let folder = Folder::new();
    let what = ["analyze", "minishogi", "shatranj", "--player", "P1", "--games", "30", "--folder"];
    folder.done(&[&what[..], &["one", "--keep", "one.pgn"]].concat());
    for shard in ["1", "2", "3"] {
        let (run, part) = (format!("part{shard}"), format!("{shard}/3"));
        folder.done(&[&what[..], &[run.as_str(), "--shard", &part]].concat());
        assert!(!folder.path(&run).join("report.json").exists(), "a part has no report");
    }
    let parts = ["part3", "part1", "part2/journal"];
    let merged =
        folder.done(&[&["merge"], &parts[..], &["--folder", "whole", "--keep", "whole.pgn"]].concat());
    folder.assert_same_report("whole", "one");
    assert_eq!(folder.read("whole.pgn"), folder.read("one.pgn"));
    assert_eq!(merged, folder.done(&[&what[..], &["one"]].concat()), "the table is the same too");
    // A part that is given twice counts once.
    folder.done(&["merge", "part1", "part1", "part2", "part3", "--folder", "twice"]);
    folder.assert_same_report("twice", "one");

    folder.done(&["analyze", "minishogi", "--games", "10", "--folder", "other"]);
    folder.write("letter", "Dear journal");
    let journal = fs::read(folder.path("part2/journal")).expect("a journal");
    folder.write("damaged", [&journal[..40], b"x", &journal[41..]].concat());
    let wrong: [(&str, &[&str]); 6] = [
        ("merge_part_missing", &["part1", "part3"]),
        ("merge_other_plan", &["part1", "other", "part2", "part3"]),
        ("merge_no_journal", &["part1", "letter", "part2"]),
        ("merge_no_journal_first", &["letter", "part1", "part2"]),
        ("merge_no_such_folder", &["part1", "part4"]),
        ("merge_damaged", &["part1", "damaged", "part3"]),
    ];
    for (name, parts) in wrong {
        snapshot(name, &folder.said(&[&["merge"], parts, &["--folder", "wrong"]].concat()));
        assert!(!folder.path("wrong").exists(), "{name}: nothing is made");
    }
}

/// Pseudo-random numbers, the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// A run of a second or two, in many small units.
const LONGER: [&str; 7] = ["analyze", "minishogi", "shatranj", "--player", "P1", "--games", "300"];

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on() {
    use std::os::unix::process::ExitStatusExt;
    let folder = Folder::new();
    folder.done(&[&LONGER[..], &["--folder", "undisturbed"]].concat());
    // Every third kill comes at once, the others after some units more, and a moment later: within a unit, or a line of
    // the journal.
    let mut random = Random(18);
    for n in 0..12 {
        let (before, more) = (folder.n_units("killed"), n % 3);
        let mut running = folder.start(&[&LONGER[..], &["--folder", "killed"]].concat());
        running.wait_until("some units are done", || folder.n_units("killed") >= before + more);
        std::thread::sleep(Duration::from_micros(random.below(3000)));
        running.0.kill().expect("it can be killed");
        let (status, said) = running.end();
        assert!(status.signal() == Some(9) || status.success(), "{status}: {said}");
        assert!(folder.n_units("killed") >= before + more, "what was kept is lost");
    }
    folder.done(&[&LONGER[..], &["--folder", "killed"]].concat());
    folder.assert_same_report("killed", "undisturbed");
    assert_eq!(folder.rows("killed"), folder.rows("undisturbed"), "no game twice, none missing");
    assert_eq!(folder.rows("killed").len(), 600);
}

/// One changed bit early in a journal costs one unit; the same command plays that again and comes to the same report.
#[test]
fn a_damaged_journal_keeps_its_other_units() {
    let folder = Folder::new();
    let run = |name: &str| {
        folder.run(&[
            "analyze",
            "minishogi",
            "--player",
            "P0",
            "--games",
            "300",
            "--seed",
            "1",
            "--folder",
            name,
        ])
    };
    assert!(run("whole").status.success() && run("damaged").status.success());
    let (n_units, path) = (folder.n_units("whole"), folder.path("damaged").join("journal"));
    assert!(n_units > 2, "{n_units}");
    let mut bytes = fs::read(&path).expect("a journal");
    // Behind the header: the magic and three numbers, the plan, a checksum.
    let plan_bytes = u32::from_le_bytes(bytes[20..24].try_into().expect("four bytes")) as usize;
    let begin = 24 + plan_bytes + 8 + 40;
    bytes[begin] ^= 4;
    fs::write(&path, bytes).expect("written");
    assert_eq!(folder.n_units("damaged"), n_units - 1);
    let again = run("damaged");
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(said.contains("bytes of the journal are damaged"), "{said}");
    assert_eq!(folder.n_units("damaged"), n_units);
    folder.assert_same_report("damaged", "whole");
}

#[cfg(unix)]
#[test]
fn a_stopped_run_goes_on_and_a_second_is_refused() {
    let folder = Folder::new();
    let mut random = Random(18);
    let args = [&LONGER[..], &["--threads", "1", "--folder", "stopped"]].concat();
    for signal in ["-INT", "-TERM"] {
        let mut running = folder.start(&args);
        let (before, more) = (folder.n_units("stopped"), 1 + random.below(8) as usize);
        running.wait_until("a few units are done", || folder.n_units("stopped") >= before + more);
        // Held still, so that it cannot end before the second has come.
        running.signal("-STOP");
        let refused = folder.said(&args);
        running.signal(signal);
        running.signal("-CONT");
        let (status, said) = running.end();
        assert_eq!(status.code(), Some(2), "{said}");
        let n_games = folder.rows("stopped").len();
        let hint = format!("stopped; {n_games} games are in stopped; run the same command to continue\n");
        assert_eq!(said, hint);
        snapshot("analyze_in_use", &refused);
        assert!(!folder.path("stopped/report.json").exists());
    }
    folder.done(&args);
    folder.done(&[&LONGER[..], &["--folder", "undisturbed"]].concat());
    folder.assert_same_report("stopped", "undisturbed");
    // The folder of another experiment is refused, too, and left as it is.
    let other = folder.said(&["analyze", "chess", "--games", "1", "--folder", "stopped"]);
    let is_digest = |word: &str| word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let words = other.split_inclusive([' ', '(', ')', ',']).map(|word| {
        let end = word.trim_end_matches([' ', '(', ')', ',']);
        if is_digest(end) { word.replace(end, "DIGEST") } else { word.to_string() }
    });
    snapshot("analyze_other_plan", &words.collect::<String>());
    folder.assert_same_report("stopped", "undisturbed");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_before_games_are_played() {
    let folder = Folder::new();
    let check = |output: &Output, what: &str| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with(&format!("error: cannot store the run in full: {what}")), "{said}");
        assert!(said.contains("hint: `--folder DIR` chooses another folder; nothing was played"), "{said}");
        let left: Vec<_> = fs::read_dir(folder.path("full")).expect("a folder").collect();
        assert!(left.is_empty(), "{left:?}");
    };
    let ashta = [env!("CARGO_BIN_EXE_ashta"), "analyze", "minishogi", "--games", "10", "--folder", "full"];
    // A limit on the size of files is a full disk that needs no rights.
    let limited = "trap '' XFSZ; ulimit -f 1000; exec \"$0\" \"$@\"";
    let output = Command::new("sh").args(["-c", limited]).args(ashta).current_dir(&folder.0).output();
    check(&output.expect("there is a shell"), "File too large");
    // A disk of a megabyte, which only this command and its children see.
    let mounted = "mount -t tmpfs -o size=1m none full || exit 77; exec \"$0\" \"$@\"";
    let mut unshare = Command::new("unshare");
    unshare.args(["-m", "sh", "-c", mounted]).args(ashta).current_dir(&folder.0);
    match unshare.output() {
        Ok(output) if ![Some(1), Some(77)].contains(&output.status.code()) => check(&output, "No space left"),
        _ => eprintln!("notice: no small disk can be mounted here; a full one was not tried"),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_loses_nothing() {
    let folder = Folder::new();
    let limited = "trap '' XFSZ; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_ashta")]).args(LONGER);
    let mut running = start(command.args(["--threads", "1", "--folder", "filled"]).current_dir(&folder.0));
    running.wait_until("a few units are done", || folder.n_units("filled") >= 4);
    let (pid, limit) = (running.0.id().to_string(), "--fsize=1024");
    let Ok(limited) = Command::new("prlimit").args([limit, "--pid", &pid]).status() else {
        eprintln!("notice: there is no prlimit here; a disk that fills up was not tried");
        return;
    };
    assert!(limited.success());
    let (status, said) = running.end();
    assert_eq!(status.code(), Some(2), "{said}");
    assert!(said.starts_with("error: cannot write to the journal filled/journal: File too large"), "{said}");
    assert!(said.contains("hint: the journal keeps everything finished so far"), "{said}");
    assert!(folder.n_units("filled") >= 4);
    folder.done(&[&LONGER[..], &["--folder", "filled"]].concat());
    folder.done(&[&LONGER[..], &["--folder", "undisturbed"]].concat());
    folder.assert_same_report("filled", "undisturbed");
}

/// Reads a record back: every move is legal, and the game ends where and how its row says.
fn assert_reads_back(
    game: &str,
    words: &[&str],
    read: impl Fn(&Game, &str) -> Result<Move, ashta_position::notation::MoveTextError>,
    row: &GameRow,
) {
    let mut game = Game::start(&CompiledRules::new(load(game).unwrap_or_else(|error| panic!("{error}"))));
    for word in words {
        let mv = read(&game, word).unwrap_or_else(|error| panic!("{error}"));
        game.play(mv).unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(words.len() as u32, row.n_plies);
    let winner = game.outcome().and_then(|outcome| outcome.winner);
    assert_eq!(winner.map(|side| side.0), row.winner);
}

#[test]
fn games_kept_as_pgn_read_back() {
    let folder = Folder::new();
    let what = ["analyze", "chess", "shatranj", "--player", "P1", "--preset", "paper-001", "--games", "10"];
    folder.done(&[&what[..], &["--keep", "games.pgn", "--folder", "run"]].concat());
    let (text, rows) = (folder.read("games.pgn"), folder.rows("run"));
    let mut parts = text.split("\n\n").filter(|part| !part.is_empty());
    let tag = |head: &str, name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(&format!("[{name} \"")));
        line.and_then(|rest| rest.strip_suffix("\"]")).expect(name).to_string()
    };
    for (n, row) in rows.iter().enumerate() {
        let (head, moves) = (parts.next().expect("tags"), parts.next().expect("moves"));
        assert!(moves.lines().all(|line| line.len() <= 80), "{moves}");
        let mut words: Vec<&str> = moves.split_whitespace().collect();
        let result = words.pop().expect("a result");
        let numbers: Vec<&str> = words.iter().copied().filter(|word| word.ends_with('.')).collect();
        let expected: Vec<String> = (1..=row.n_plies.div_ceil(2)).map(|n| format!("{n}.")).collect();
        assert_eq!(numbers, expected);
        words.retain(|word| !word.ends_with('.'));
        assert_eq!(
            result,
            [Some("1-0"), Some("0-1"), None][row.winner.map_or(2, usize::from)].unwrap_or("1/2-1/2")
        );
        assert_eq!(tag(head, "Result"), result);
        assert_eq!(tag(head, "Round"), (n % 10 + 1).to_string());
        assert_eq!(tag(head, "Termination"), row.reason.to_string(), "{head}");
        let played = tag(head, "Variant");
        assert_eq!(played, ["chess+paper-001", "shatranj+paper-001"][n / 10]);
        assert_reads_back(&played, &words, read_san, row);
    }
    assert_eq!((rows.len(), parts.next()), (20, None));
}

#[test]
fn records_that_are_there_survive_a_refusal() {
    let folder = Folder::new();
    folder.write("old.csa", "a game");
    folder.write("file", "");
    for args in [["chess", "--folder", "run"], ["shogi", "--folder", "file/run"]] {
        let output = folder.run(&[&["analyze"], &args[..], &["--games", "1", "--keep", "old.csa"]].concat());
        assert_eq!((output.status.code(), folder.read("old.csa").as_str()), (Some(2), "a game"), "{args:?}");
    }
}

#[test]
fn games_kept_as_usi_and_csa_read_back() {
    let folder = Folder::new();
    for (ending, n_games) in [("usi", 10), ("csa", 10)] {
        let (keep, run, n) = (format!("games.{ending}"), format!("run-{ending}"), n_games.to_string());
        folder.done(&["analyze", "shogi", "--games", &n, "--keep", &keep, "--folder", &run]);
        let (text, rows) = (folder.read(&keep), folder.rows(&run));
        assert_eq!(rows.len(), n_games);
        if ending == "usi" {
            assert_eq!(text.lines().count(), n_games);
            for (line, row) in text.lines().zip(&rows) {
                let moves = line.strip_prefix("position startpos moves ").expect("a start");
                assert_reads_back("shogi", &moves.split(' ').collect::<Vec<_>>(), read_coordinates, row);
            }
        } else {
            let games: Vec<&str> = text.split("/\n").filter(|game| !game.is_empty()).collect();
            assert_eq!(games.len(), n_games);
            for (game, row) in games.iter().zip(&rows) {
                let is_move = |line: &&str| line.len() > 1 && line.starts_with(['+', '-']);
                assert_reads_back("shogi", &game.lines().filter(is_move).collect::<Vec<_>>(), read_csa, row);
                let end = if row.winner.is_some() { "%TSUMI" } else { "%CHUDAN" };
                assert!(game.starts_with("V2.2\n") && game.contains("\nPI\n+\n"), "{game}");
                assert_eq!(game.lines().last(), Some(end));
            }
        }
    }
}

#[test]
fn a_report_can_be_run_again_from_itself() {
    let folder = Folder::new();
    let own = "pawn = 1\nsilver = 5.5\ngold = 6\nbishop = 8\nrook = 10\n";
    let promoted = "tokin = 7\npromoted-silver = 6\nhorse = 10\ndragon = 12\n";
    folder.write("values", format!("{own}{promoted}"));
    let commands: [&[&str]; 5] = [
        &[
            "analyze",
            "minishogi",
            "--player",
            "P1/P0",
            "--games",
            "20",
            "--seed",
            "9",
            "--preset",
            "paper-000",
        ],
        &[
            "analyze",
            "minishogi",
            "--player",
            "A3(1)",
            "--games",
            "2",
            "--values",
            "values",
            "--max-plies",
            "50",
        ],
        &["reproduce", "000-table7", "--games", "5"],
        &["evolve", "heian-to-shogi", "--player", "P0", "--games", "4"],
        &["learn", "minishogi", "--games", "6", "--depth", "1", "--unit", "silver", "--features", "mobility"],
    ];
    let runs: Vec<String> = (0..commands.len()).map(|n| format!("run{n}")).collect();
    let carry_out =
        |(run, command): (&String, &&[&str])| folder.done(&[command, &["--folder", run][..]].concat());
    let tables: Vec<String> = runs.iter().zip(&commands).map(carry_out).collect();
    // The report has the values, too.
    fs::remove_file(folder.path("values")).expect("it was there");
    for (n, (run, table)) in runs.iter().zip(&tables).enumerate() {
        let froms =
            [("/report.json", "json"), ("/report.html", "html"), ("/report.ja.html", "ja"), ("", "folder")];
        for (from, again) in froms {
            let (from, again) = (format!("{run}{from}"), format!("again{n}-{again}"));
            assert_eq!(folder.done(&["rerun", &from, "--folder", &again, "--threads", "1"]), *table);
            folder.assert_same_report(&again, run);
        }
    }
}

/// The fields of a line of CSV.
fn csv_fields(line: &str) -> Vec<String> {
    let (mut fields, mut is_quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is one").push(letter),
        }
    }
    fields
}

#[test]
fn data_goes_alone_to_the_output() {
    let folder = Folder::new();
    let what = ["analyze", "minishogi", "shatranj+double-step", "--player", "P1/P0", "--games", "10"];
    let json = folder.done(&[&what[..], &["--json", "--folder", "run"]].concat());
    assert_eq!(json, folder.read("run/report.json"));
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["plan"]["cells"].as_array().map(Vec::len), Some(2));
    assert_eq!(value["seed"], 1);
    let rows = value["tables"][0]["rows"].as_array().expect("rows");
    assert_eq!(rows[1]["game"], "shatranj+double-step");
    assert_eq!(rows[1]["players"], "P1 v P0");
    assert_eq!(rows[1]["games"].as_f64(), Some(10.0));
    let length = &rows[0]["D, plies"];
    let of = |part: &str| length[part].as_f64().unwrap_or_else(|| panic!("{}", rows[0]));
    assert!(of("low") < of("value") && of("value") < of("high"), "{length}");

    let csv = folder.done(&[&what[..], &["--csv", "--folder", "run"]].concat());
    assert_eq!(csv, folder.read("run/report.csv"));
    let lines: Vec<Vec<String>> = csv.lines().map(csv_fields).collect();
    assert_eq!(lines.len(), 3, "{csv}");
    assert!(lines.iter().all(|line| line.len() == lines[0].len() && line.len() > 6), "{csv}");
    let of = |column: &str| {
        let at = lines[0].iter().position(|name| name == column).unwrap_or_else(|| panic!("{csv}"));
        lines[1][at].parse::<f64>().ok()
    };
    assert_eq!(of("games"), Some(10.0), "{csv}");
    for (column, part) in [("D, plies", "value"), ("D, plies (low)", "low"), ("D, plies (high)", "high")] {
        assert_eq!(of(column), length[part].as_f64(), "{csv}");
    }
    snapshot("analyze_json_and_csv", &folder.said(&[&what[..], &["--json", "--csv"]].concat()));
}

#[test]
fn every_experiment_and_evolution_can_be_planned() {
    let folder = Folder::new();
    folder.write("file", "");
    // The folder is opened when every game has been loaded and every player read.
    let unusable = ["--games", "1", "--folder", "file/run"];
    let experiments = experiment_names().into_iter().map(|name| ["reproduce", name]);
    let evolutions = evolution_names().into_iter().map(|name| ["evolve", name]);
    for command in experiments.chain(evolutions) {
        let output = folder.run(&[&command[..], &unusable].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with("error: cannot store the run in file/run: "), "{command:?}: {said}");
    }
    let reading = ["reproduce", "001-table3", "--reading", "all"];
    let output = folder.run(&[&reading[..], &unusable].concat());
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot store the run in file/run: "));
    folder.done(&["evolve", "shatranj-to-chess", "--player", "P0", "--games", "2", "--folder", "run"]);
    let value: serde_json::Value = serde_json::from_str(&folder.read("run/report.json")).expect("JSON");
    assert_eq!(value["plan"]["cells"].as_array().map(Vec::len), Some(32));
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

const EVOLUTION: &str = r#"title = "From shatranj towards chess"
base = "shatranj+bare-king-ignored"
base_name = "shatranj"
player = "P0"
preset = "paper-001"
games = 10

[[changes]]
change = "double-step"
about = "the pawn's double step"

[[changes]]
change = "queen-and-bishop"
about = "queen and bishop"
"#;

fn change(n: usize) -> String {
    format!("\n[[changes]]\nchange = \"castling-{n}\"\nabout = \"castling\"\n")
}

#[test]
fn wrong_evolution_files_are_told() {
    let folder = Folder::new();
    let question = "\n[[questions]]\nearlier = \"a\"\nlater = \"z\"\nsource = \"nobody\"\n";
    let nine: String = (1..=7).map(change).collect();
    let wrong = [
        ("evolve_broken_syntax", EVOLUTION.replace("change = \"queen", "change = queen")),
        ("evolve_unknown_key", EVOLUTION.replace("about = \"queen", "abuot = \"queen")),
        ("evolve_missing_key", EVOLUTION.replace("player = \"P0\"\n", "")),
        ("evolve_wrong_kind_of_value", EVOLUTION.replace("games = 10", "games = \"ten\"")),
        ("evolve_unknown_change", EVOLUTION.replace("\"double-step\"", "\"duble-step\"")),
        ("evolve_unknown_base", EVOLUTION.replace("\"shatranj+bare", "\"shatrnj+bare")),
        ("evolve_unknown_player", EVOLUTION.replace("\"P0\"", "\"P33\"")),
        ("evolve_unknown_preset", EVOLUTION.replace("paper-001", "paper-002")),
        ("evolve_same_change_twice", EVOLUTION.replace("\"queen-and-bishop\"", "\"double-step\"")),
        ("evolve_takes_back_nothing", EVOLUTION.replace("\"double-step\"", "\"-castling\"")),
        (
            "evolve_changes_that_contradict",
            EVOLUTION.replace("\"queen-and-bishop\"", "\"double-step-and-en-passant\""),
        ),
        ("evolve_nine_changes", format!("{EVOLUTION}{nine}")),
        ("evolve_no_change", EVOLUTION.split("[[changes]]").take(1).collect::<String>() + "changes = []\n"),
        ("evolve_no_games", EVOLUTION.replace("games = 10", "games = 0")),
        ("evolve_question_about_nothing", format!("{EVOLUTION}{question}")),
    ];
    for (name, text) in wrong {
        folder.write("mine.toml", text);
        snapshot(name, &folder.said(&["evolve", "mine.toml", "--folder", "run"]));
        assert!(!folder.path("run").exists(), "{name}: nothing is made");
    }
    folder.write("mine.toml", EVOLUTION);
    folder.done(&["evolve", "mine.toml", "--folder", "run"]);
}

#[test]
fn wrong_reports_are_told() {
    let folder = Folder::new();
    folder.done(&["analyze", "minishogi", "--games", "10", "--folder", "run"]);
    let (json, html) = (folder.read("run/report.json"), folder.read("run/report.html"));
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let digest = value["plan"]["cells"][0]["digest"].as_str().expect("a digest");
    folder.write("altered.json", json.replace(digest, "0123456789abcdef"));
    folder.write("altered.html", html.replace(digest, "0123456789abcdef"));
    folder.write("strange.json", "{\"plan\": 3}");
    folder.write("letter.txt", "Dear report");
    let digest_now = |text: String| text.replace(digest, "(digest)");
    for (name, report) in [
        ("rerun_altered_json", "altered.json"),
        ("rerun_altered_html", "altered.html"),
        ("rerun_strange_json", "strange.json"),
        ("rerun_no_report", "letter.txt"),
        ("rerun_no_such_file", "nowhere.json"),
        ("rerun_no_such_folder", "nowhere"),
        ("rerun_folder_without_journal", "."),
    ] {
        snapshot(name, &digest_now(folder.said(&["rerun", report, "--folder", "again"])));
        assert!(!folder.path("again").exists(), "{name}: nothing is made");
    }
    // When an interval is narrow only one who has all games can say.
    folder.done(&["analyze", "minishogi", "--until", "D±50%", "--folder", "until"]);
    snapshot("rerun_until_and_shard", &folder.said(&["rerun", "until/report.json", "--shard", "1/2"]));
    // Whatever stands in a plan, it is told and not panicked.
    let bad: [(&str, serde_json::Value); 7] = [
        ("/plan/stop", serde_json::json!({ "games": 0 })),
        ("/plan/stop", serde_json::json!({ "until": { "measure": "E", "percent": 1, "most_games": 0 } })),
        ("/plan/cells", serde_json::json!([])),
        ("/plan/cells/0/game", "".into()),
        ("/plan/cells/0/players", serde_json::json!(["P0"])),
        ("/plan/cells/0/players/1", "P99".into()),
        ("/plan/cells/0/values", "king".into()),
    ];
    for (at, bad) in bad {
        let mut report = value.clone();
        *report.pointer_mut(at).expect(at) = bad.clone();
        folder.write("bad.json", report.to_string());
        let output = folder.run(&["rerun", "bad.json", "--folder", "bad"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with("error: "), "{bad}: {said}");
        assert_eq!(output.status.code(), Some(2), "{bad}: {said}");
    }
}

#[test]
fn wrong_values_are_told() {
    let folder = Folder::new();
    for (name, text) in [
        ("analyze_values_wrong_piece", "pawn = 1\n\n# the knight\nkinght = 3\n"),
        ("analyze_values_wrong_line", "pawn = 1\nknight: 3\n"),
        ("analyze_values_missing", "pawn = 1\n"),
        ("analyze_values_not_a_number", "pawn = NaN\n"),
    ] {
        folder.write("values.txt", text);
        let args = ["analyze", "chess", "--player", "A3(1)", "--values", "values.txt", "--folder", "run"];
        snapshot(name, &folder.said(&args));
        assert!(!folder.path("run").exists(), "{name}: nothing is made");
    }
}

/// A test for each message that needs nothing but its arguments.
macro_rules! snapshots {
    ($($name:ident: $args:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let folder = Folder::new();
                folder.write("file", "");
                snapshot(stringify!($name), &folder.said(&$args));
                let left: Vec<_> = fs::read_dir(&folder.0).expect("a folder").collect();
                assert_eq!(left.len(), 1, "nothing is made: {left:?}");
            }
        )*
    };
}

snapshots! {
    help_analyze: ["analyze", "--help"];
    help_reproduce: ["reproduce", "--help"];
    help_evolve: ["evolve", "--help"];
    help_merge: ["merge", "--help"];
    help_rerun: ["rerun", "--help"];
    help_learn: ["learn", "--help"];
    help_match: ["match", "--help"];
    learn_nothing: ["learn"];
    learn_wrong_lambda: ["learn", "minishogi", "--lambda", "0.8,1.5"];
    learn_wrong_alpha: ["learn", "minishogi", "--alpha", "0.05:0.002"];
    learn_wrong_feature: ["learn", "minishogi", "--features", "hnd"];
    learn_wrong_bared: ["learn", "minishogi", "--bared", "drawn"];
    learn_wrong_unit: ["learn", "minishogi", "--unit", "lance"];
    learn_wrong_span: ["learn", "minishogi", "--games", "10", "--span", "5-20"];
    match_nobody: ["match", "minishogi", "ysss", "ones"];
    match_nobody_far: ["match", "minishogi", "ones", "zzzzzzz"];
    match_wrong_sprt: ["match", "minishogi", "ones", "given", "--sprt", "20:0"];
    match_nowhere: ["match", "minishogi", "./nowhere.values", "given"];
    reproduce_learning_with_until: ["reproduce", "004-table2", "--until", "E±5%"];
    reproduce_lists: ["reproduce"];
    evolve_lists: ["evolve"];
    analyze_nothing: ["analyze"];
    analyze_wrong_game: ["analyze", "shatranj", "chss"];
    analyze_wrong_change: ["analyze", "shatranj+duble-step"];
    analyze_wrong_player_depth: ["analyze", "chess", "--player", "P33"];
    analyze_wrong_player_letter: ["analyze", "chess", "--player", "P1/Q3"];
    analyze_wrong_player_option: ["analyze", "chess", "--player", "P'2(nxt)"];
    analyze_wrong_number_of_players: ["analyze", "chess", "--player", "P1/P2/P3"];
    analyze_wrong_preset: ["analyze", "chess", "--preset", "paper-01"];
    analyze_wrong_preset_far: ["analyze", "chess", "--preset", "zzz"];
    analyze_wrong_until: ["analyze", "chess", "--until", "E2"];
    analyze_wrong_until_measure: ["analyze", "chess", "--until", "X±2%"];
    analyze_wrong_until_percent: ["analyze", "chess", "--until", "E±0%"];
    analyze_until_and_games: ["analyze", "chess", "--until", "E±2%", "--games", "10"];
    analyze_until_and_shard: ["analyze", "chess", "--until", "E±2%", "--shard", "1/2"];
    analyze_until_most_0: ["analyze", "chess", "--until", "E±2%", "--most", "0"];
    analyze_most_alone: ["analyze", "chess", "--most", "10"];
    analyze_wrong_shard: ["analyze", "chess", "--shard", "3"];
    analyze_wrong_shard_0: ["analyze", "chess", "--shard", "0/3"];
    analyze_wrong_shard_beyond: ["analyze", "chess", "--shard", "4/3"];
    analyze_games_0: ["analyze", "chess", "--games", "0"];
    analyze_max_plies_0: ["analyze", "chess", "--max-plies", "0"];
    analyze_wrong_folder: ["analyze", "chess", "--games", "1", "--folder", "file/run"];
    analyze_keep_wrong_ending: ["analyze", "chess", "--games", "1", "--keep", "games.txt"];
    analyze_keep_no_ending: ["analyze", "chess", "--games", "1", "--keep", "games"];
    analyze_keep_unfit: ["analyze", "chess", "--games", "1", "--keep", "games.csa"];
    analyze_keep_other_start: ["analyze", "shogi+without-large-pieces", "--games", "1", "--keep", "games.csa"];
    analyze_keep_nowhere: ["analyze", "chess", "--games", "1", "--keep", "nowhere/games.pgn"];
    analyze_keep_and_shard: ["analyze", "chess", "--games", "10", "--keep", "games.pgn", "--shard", "1/2"];
    analyze_values_nowhere: ["analyze", "chess", "--values", "nowhere.txt"];
    reproduce_wrong_name: ["reproduce", "001-table4"];
    reproduce_wrong_name_far: ["reproduce", "zzz"];
    reproduce_wrong_reading: ["reproduce", "001-table3", "--reading", "nxt"];
    evolve_wrong_name: ["evolve", "shatranj-to-ches"];
    evolve_wrong_name_far: ["evolve", "zzz"];
    evolve_nowhere: ["evolve", "./nowhere.toml"];
    merge_nothing: ["merge"];
    rerun_nothing: ["rerun"];
}

/// The games of a seed are the same in every version: journals of an older one would mix with others else.
#[test]
fn a_seed_tells_the_games() {
    let folder = Folder::new();
    let what = ["analyze", "minishogi", "shatranj", "--player", "P0", "--player", "P1", "--games", "50"];
    snapshot("analyze", &folder.said(&[&what[..], &["--folder", "run"]].concat()));
    let made = ["analyze", "minishogi", "--games", "1"];
    let output = folder.run(&made);
    let said = String::from_utf8_lossy(&output.stderr);
    let run = said.strip_prefix("report: ").and_then(|path| path.strip_suffix("/report.html\n"));
    let run = run.unwrap_or_else(|| panic!("{said}"));
    assert!(run.starts_with("ashta-runs/analyze-") && folder.path(run).join("journal").is_file(), "{run}");
}
