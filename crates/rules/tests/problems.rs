//! What wrong game files are told: every problem at once, each with its place and a hint that works.

use ashta_rules::{Problem, Problems, check_text, load_text};

/// A small game with hands on a numbered board; the tests put mistakes into it.
const SMALL: &str = r#"name = "Small"
about = "Six by six."
hand = "captures"

[board]
files = 6
ranks = 6
coordinates = "numbers"
start = "rsgksr/pppppp/6/6/PPPPPP/RSKGSR b - 1"

[regions]
zone = "ranks a-b"

[pieces]
pawn = { letter = "P", moves = "fW", promotes = { to = "tokin", zone = "zone" } }
silver = { letter = "S", moves = "FfW" }
gold = { letter = "G", moves = "WfF" }
rook = { letter = "R", moves = "R" }
king = { letter = "K", moves = "K", royal = true }
tokin = { letter = "+P", moves = "WfF" }

[ends]
royal = "checkmate"
repetition = { fold = 4 }
"#;

fn with(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(SMALL.to_string(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

/// `line:column what | hint` of every problem.
fn told(text: &str) -> Vec<String> {
    let problems = check_text("small.toml", text).expect_err("it has problems");
    problems.0.iter().map(line).collect()
}

fn line(problem: &Problem) -> String {
    let (line, column) = problem.place.line_and_column();
    let hint = problem.hint.as_ref().map(|hint| format!(" | {hint}")).unwrap_or_default();
    format!("{line}:{column} {}{hint}", problem.what)
}

#[test]
fn the_small_game_is_sound() {
    check_text("small.toml", SMALL).unwrap_or_else(|problems| panic!("{problems}"));
}

#[test]
fn regions_are_explained_in_the_words_of_the_board() {
    let text = with(&[("\"ranks a-b\"", "\"ranks 5-6\"")]);
    assert_eq!(
        told(&text),
        ["12:8 this board has no rank `5` | regions look like `rank a`, `ranks a-c`, `4f-2d` or `6f 1f`"]
    );
}

#[test]
fn names_of_regions_and_games_are_guessed() {
    let text = with(&[("zone = \"zone\"", "zone = \"zoen\"")]);
    assert_eq!(told(&text), ["15:72 no region is named `zoen` | did you mean `zone`?"]);
    let text = with(&[("name = \"Small\"", "name = \"Small\"\nextends = \"shoggi\"")]);
    assert_eq!(told(&text), ["2:11 no game is named `shoggi` | did you mean `shogi`?"]);
    let text = with(&[("name = \"Small\"", "name = \"Small\"\nextends = \"unknwon\"")]);
    let told = told(&text);
    assert!(told[0].contains("`ashta games` lists the games"), "{told:?}");
}

#[test]
fn a_region_that_cannot_be_read_is_told_once() {
    let text = with(&[("zone = \"ranks a-b\"", "zone = 2")]);
    assert_eq!(told(&text).len(), 1, "{:?}", told(&text));
}

#[test]
fn ends_that_must_be_tables_are_shown_as_tables_that_work() {
    for key in ["bare", "repetition", "quiet", "impasse"] {
        let text = with(&[("repetition = { fold = 4 }", &format!("{key} = \"draw\""))]);
        let problems = check_text("small.toml", &text).expect_err("a text is no table");
        let [problem] = problems.0.as_slice() else { panic!("{problems}") };
        assert_eq!(problem.what.to_string(), format!("`{key}` must be a table, not a string"));
        let hint = problem.hint.as_ref().expect("a hint").to_string();
        let example = hint.strip_prefix("write ").expect("something to write");
        let text = with(&[("repetition = { fold = 4 }", example)]);
        check_text("small.toml", &text).unwrap_or_else(|problems| panic!("{example}: {problems}"));
    }
}

#[test]
fn words_that_may_stand_there_are_listed_whatever_stands_there() {
    let text = with(&[("royal = \"checkmate\"", "royal = { verdict = \"loss\" }")]);
    assert_eq!(
        told(&text),
        ["23:9 `royal` must be a string, not a table | possible values: checkmate, capture"]
    );
}

#[test]
fn a_wrong_size_hides_no_other_problem() {
    let text = with(&[
        ("files = 6", "files = 60"),
        ("moves = \"FfW\"", "moves = \"FfX\""),
        ("zone = \"zone\"", "zone = \"zoen\""),
        ("fold = 4", "flod = 4"),
        ("tokin = { letter", "tokin = { leter"),
    ]);
    assert_eq!(
        told(&text),
        [
            "6:9 `files` must be a whole number from 1 to 16, not 60",
            "15:72 no region is named `zoen` | did you mean `zone`?",
            "16:37 `X` is not an atom; atoms are WFDNAHCZG and R B Q K | CONTRIBUTING.md has a page on Betza notation",
            "20:9 the key `letter` is missing",
            "20:11 unknown key `leter` | did you mean `letter`?",
            "24:16 unknown key `flod` | did you mean `fold`?",
        ]
    );
    let text = with(&[("[board]", "[bord]"), ("fold = 4", "fold = 40")]);
    let told = told(&text);
    assert!(told.iter().any(|line| line.contains("the table [board] is missing")), "{told:#?}");
    assert!(told.iter().any(|line| line.contains("`fold` must be")), "{told:#?}");
}

#[test]
fn a_problem_of_the_ends_does_not_hide_one_of_the_start() {
    let text = with(&[("fold = 4", "fold = 40"), ("/6/6/", "/6/7/")]);
    assert_eq!(
        told(&text),
        [
            "9:26 in the start position: rank d has more than 6 squares",
            "24:23 `fold` must be a whole number from 2 to 10, not 40",
        ]
    );
}

#[test]
fn changes_are_told_together_with_the_base() {
    let changes = r#"
[changes.fast]
about = "Pawns fly."
pieces.pawn.moves = "fX"

[changes.faster]
about = "So do rooks."
include = ["fast", "slow"]
pieces.rok.moves = "Q"

[changes.text]
include = "fast"

[changes]
short = "no table"
"#;
    let text = with(&[("fold = 4", "fold = 40")]) + changes;
    let lines = told(&text);
    assert_eq!(
        lines,
        [
            "24:23 `fold` must be a whole number from 2 to 10, not 40",
            "28:23 with the change `fast`: `X` is not an atom; atoms are WFDNAHCZG and R B Q K | CONTRIBUTING.md has a page on Betza notation",
            "32:20 with the change `faster`: this game has no change named `slow` | it offers fast, faster, text, short",
            "33:8 with the change `faster`: the key `letter` is missing",
            "36:11 with the change `text`: `include` must be a list, not a string | write include = [\"...\"] with names of other changes",
            "39:9 with the change `short`: a change must be a table, not a string | write [changes.short] with about = \"...\" and the keys that it sets",
        ],
        "{lines:#?}"
    );
}

#[test]
fn contradicting_changes_are_still_refused() {
    let changes = "[changes.a]\npass = \"allowed\"\n[changes.b]\npass = \"no\"\n";
    let Problems(problems) =
        load_text("small.toml", &(SMALL.to_string() + changes), &["a", "b"]).expect_err("both set pass");
    assert_eq!(problems.len(), 1);
    assert!(problems[0].what.code() == "rules.contradiction", "{}", problems[0].what);
}

/// Reading the file again for each change, and comparing each problem with all others, took half a minute.
#[test]
fn two_thousand_changes_are_checked() {
    // Every fortieth change is included by the 39 after it.
    let change = |n: usize, value: &str| {
        let include =
            if n.is_multiple_of(40) { String::new() } else { format!("include = [\"c{}\"]\n", n - n % 40) };
        format!("[changes.c{n}]\nabout = \"c\"\n{include}pass = \"{value}\"\n")
    };
    let all = |value: &str| (0..2_000).map(|n| change(n, value)).collect::<String>();
    check_text("small.toml", &(SMALL.to_string() + &all("allowed"))).expect("it is sound");
    let problems =
        check_text("small.toml", &(SMALL.to_string() + &all("maybe"))).expect_err("it has problems");
    assert_eq!(problems.0.len(), 2_000);
}

#[test]
fn sets_bans_and_two_legs_are_checked() {
    let text = with(&[
        ("moves = \"FfW\"", "moves = \"FfWcaK\""),
        ("zone = \"zone\" }", "zone = \"zone\", on = [\"enter\", \"captur\"] }"),
        (
            "[ends]",
            "[sets]\nsmall = [\"pawn\", \"silvr\"]\nking = \"gold\"\n\n\
             [bans.a]\nby = \"small\"\nof = { not = \"small\" }\nexcept = \"same-square\"\n\n\
             [bans.b]\nby = \"rook\"\nof = \"rook\"\nafter = { by = \"rook\", of = \"rook\" }\n\n[ends]",
        ),
        ("repetition = { fold = 4 }", "bare = { waits = \"chek\" }"),
    ]);
    assert_eq!(
        told(&text),
        [
            "15:95 `on` cannot be `captur` | possible values: end, start-or-end, enter, capture, last-rank, stay",
            "16:10 silver captures by two legs (`a`) where it does not leap | add the leaps to every square that the legs capture on: a lion is KNADcaKmabK",
            "23:18 no piece is named `silvr` | did you mean `silver`?",
            "24:1 the set king has the name of a piece",
            "26:1 the ban a has `except` without `after`: the square of the capture that it follows",
            "31:1 the ban b with `after` needs a field of the position's text, which hands or en passant use already",
            "38:18 `waits` cannot be `chek` | possible values: check, retake",
        ]
    );
}

#[test]
fn kinds_of_a_ban_are_said() {
    let bans = "[bans.a]\nby = {}\nof = []\nguards-though-taken = \"pawn\"\n\n[bans.b]\nof = 3\n\n[ends]";
    assert_eq!(
        told(&with(&[("[ends]", bans)])),
        [
            "22:1 the ban a has `guards-though-taken` without if = \"guarded\"",
            "23:6 the key `not` is missing",
            "24:6 expected a piece, a set, a list of both, or a table with `not`",
            "27:1 the key `by` is missing",
            "28:6 expected a piece, a set, a list of both, or a table with `not`",
        ]
    );
}
