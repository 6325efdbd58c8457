//! Games that nobody plays: pieces put together at random, so that what works is not only what the library needs.
//!
//! In: a seed. Out: a game file, and the fast generator held to the slow twin in it. `ASHTA_DEEP=1` makes twenty times
//! as many games.

use crate::walk;
use std::collections::BTreeMap;

use crate::twin::Twin;
use crate::walk::SplitMix64;
use ashta_position::{CompiledRules, Game, Line, MoveGroups, Word, with_line};
use ashta_rules::load_text;

const N_GAMES: u64 = 150;
const N_POSITIONS: usize = 8;

/// Movements that meet, cross and cover each other when put together.
const MOVES: &[&str] = &[
    "W",
    "F",
    "D",
    "A",
    "N",
    "H",
    "C",
    "Z",
    "G",
    "R",
    "B",
    "Q",
    "K",
    "R2",
    "B3",
    "fR",
    "bB",
    "sR",
    "vRsW",
    "fF",
    "fsW",
    "mR",
    "cB",
    "mK",
    "cQ",
    "mfWcfF",
    "nN",
    "nA",
    "nD",
    "nZ",
    "pR",
    "pB",
    "mRcpR",
    "cpQ",
    "t[FR]",
    "t[NB]",
    "t[WB]",
    "B2+",
    "R3+",
    "Q2-3",
    "t[FR3+]",
    "t[WB2+]",
    "N2+",
    "D0",
    "A0",
    "N0",
    "imfnD",
    "iN",
    "imfR2",
    "KNADcaKmabK",
    "KNADcaKmabK",
    "KcamK",
    "WDcavWfmabW",
    "FAfcavFfmabF",
    "KNADcacK",
    "FAcafF",
];

/// A game file: a king and five other kinds, on a board that both sides see alike.
fn game_text(random: &mut SplitMix64) -> String {
    let is_ring = random.below(4) == 0;
    let (files, ranks) = match is_ring {
        true => (8 + random.below(9), 5 + random.below(4)),
        false => (4 + random.below(8), 5 + random.below(6)),
    };
    let known: Vec<&str> = MOVES.iter().copied().filter(|moves| !is_ring || fits_ring(moves)).collect();
    let mut pick = |texts: &[&str]| texts[random.below(texts.len())].to_string();
    let wraps = if is_ring { "wraps = \"files\"\n" } else { "" };
    let hand = pick(&["none", "none", "captures"]);
    let royal = pick(&["checkmate", "checkmate", "checkmate", "capture"]);
    let (pass, facing) = (pick(&["no", "no", "allowed"]), pick(&["allowed", "allowed", "forbidden"]));
    let mut pieces = String::new();
    for letter in ["A", "B", "C", "D", "E"] {
        let n_parts = pick(&["1", "2", "3"]).len() + usize::from(pick(&["", "x"]).is_empty());
        let moves: String = (0..n_parts).map(|_| pick(&known)).collect();
        let limits = pick(&[
            "",
            "",
            "",
            ", from = \"half\"",
            ", within = \"half\"",
            ", not-onto = \"a\"",
            ", not-over = \"b\"",
        ]);
        let more = pick(&known);
        let moves = match limits.as_str() {
            "" => format!("\"{moves}\""),
            _ => format!("[\"{moves}\", {{ moves = \"{more}\"{limits} }}]"),
        };
        pieces +=
            &format!("[pieces.{}]\nletter = \"{letter}\"\nmoves = {moves}\n", letter.to_ascii_lowercase());
        if letter < "D" {
            let on = pick(&[
                "\"end\"",
                "\"start-or-end\"",
                "\"enter\"",
                "\"stay\"",
                "[\"enter\", \"capture\"]",
                "[\"capture\", \"last-rank\"]",
            ]);
            let choice = pick(&["must", "may", "may-unless-stuck"]);
            let supply = pick(&["", "", ", supply = \"lost\"", ", at-most = 2"]);
            let to = pick(&["\"d\"", "\"e\"", "[\"d\", \"e\"]"]);
            pieces += &format!(
                "promotes = {{ to = {to}, zone = \"zone\", on = {on}, choice = \"{choice}\"{supply} }}\n"
            );
        }
        if hand == "captures" && pick(&["", "", "x"]) == "x" {
            pieces += &pick(&[
                "drop = { mate = \"forbidden\" }\n",
                "drop = { per-file = 1 }\n",
                "drop = { region = \"half\" }\n",
            ]);
        }
    }
    let bans = pick(&[
        "",
        "",
        "[bans.all]\nby = \"a\"\nof = [\"b\", \"c\"]\n",
        "[bans.guarded]\nby = { not = \"c\" }\nof = \"officers\"\nif = \"guarded\"\nfarther-than = 1\n\
         unless-also-takes = \"c\"\nguards-though-taken = \"b\"\n",
        "[bans.answer]\nby = { not = \"e\" }\nof = \"officers\"\nafter = { by = { not = \"a\" }, of = \"officers\" }\n\
         except = \"same-square\"\n",
        "[bans.answer]\nby = { not = \"e\" }\nof = \"officers\"\nif = \"guarded\"\nlegs = \"last\"\n\
         after = { by = { not = \"a\" }, of = [\"a\", \"b\"] }\n",
    ]);
    let king = pick(&["K", "K", "KN", "W", "KAD", "Q2", "KNADcaKmabK"]);
    let (start, castling) = start_text(random, files, ranks, is_ring);
    format!(
        "name = \"Strange\"\nabout = \"Made at random.\"\nhand = \"{hand}\"\npass = \"{pass}\"\nfacing = \"{facing}\"\n\
         [board]\nfiles = {files}\nranks = {ranks}\n{wraps}start = \"{start}\"\n\
         [regions]\nhalf = \"ranks 1-{}\"\nzone = \"ranks {}-{ranks}\"\n{pieces}\
         [pieces.king]\nletter = \"K\"\nmoves = \"{king}\"\nroyal = true\n{castling}[sets]\nofficers = [\"d\", \"e\"]\n{bans}\
         [ends]\nroyal = \"{royal}\"\nstalemate = \"draw\"\n",
        ranks.div_ceil(2),
        ranks - 1
    )
}

/// Whether a board whose files wrap knows a movement.
fn fits_ring(moves: &str) -> bool {
    !moves.contains(['p', 't', 'j'])
}

/// Two ranks of men a side, the second side's turned by half, or mirrored if there is castling; the king in the first rank.
fn start_text(random: &mut SplitMix64, files: usize, ranks: usize, is_ring: bool) -> (String, String) {
    let mut rank = |king: Option<usize>| -> Vec<char> {
        let man = |random: &mut SplitMix64| ['1', '1', 'A', 'B', 'C', 'D', 'E'][random.below(7)];
        (0..files).map(|file| if king == Some(file) { 'K' } else { man(random) }).collect()
    };
    let (second, king) = (rank(None), files / 2);
    let first = rank(Some(king));
    let castling = if is_ring { String::new() } else { castling_text(random, &first, king) };
    let turned = |rank: &[char]| {
        let small = |c: &char| c.to_ascii_lowercase();
        match castling.is_empty() {
            true => rank.iter().rev().map(small).collect::<String>(),
            false => rank.iter().map(small).collect(),
        }
    };
    let plain = |rank: &[char]| rank.iter().collect::<String>();
    let empty = vec!["1".repeat(files); ranks - 4].join("/");
    let board = [turned(&first), turned(&second), empty, plain(&second), plain(&first)].join("/");
    // In one of three games some of the empty squares are holes, on one side of the board or on both.
    let one_in = if random.below(3) == 0 { 2 + random.below(6) } else { usize::MAX };
    let pierced = |c: char| if c == '1' && random.below(one_in) == 0 { '*' } else { c };
    let board: String = board.chars().map(pierced).collect();
    // Neighbouring empty squares are one number.
    let mut out = String::new();
    let mut n_empty = 0;
    for c in board.chars() {
        match c {
            '1' => n_empty += 1,
            _ => {
                out += &if n_empty > 0 { n_empty.to_string() } else { String::new() };
                out.push(c);
                n_empty = 0;
            }
        }
    }
    out += &if n_empty > 0 { n_empty.to_string() } else { String::new() };
    (out + " w", castling)
}

/// In one of three games the king may castle with a man of the first rank, to wherever that makes sense.
fn castling_text(random: &mut SplitMix64, first: &[char], king: usize) -> String {
    let partner = random.below(first.len());
    let (royal_end, partner_end) = (random.below(first.len()), random.below(first.len()));
    let nobody_moves = (royal_end, partner_end) == (king, partner);
    let makes_sense = partner != king && first[partner] != '1' && royal_end != partner_end && !nobody_moves;
    if random.below(3) > 0 || !makes_sense {
        return String::new();
    }
    let name = |file: usize| (b'a' + file as u8) as char;
    let [k, p, ke, pe] = [king, partner, royal_end, partner_end].map(name);
    format!("[castling]\nK = \"{k}1{ke}1 {p}1{pe}1\"\n")
}

/// What is wrong in a position, if anything.
pub fn check(rules: &CompiledRules, game: &Game) -> Option<String> {
    let twin = Twin::new(rules.rules(), &game.setup());
    let mut expected: Vec<String> = twin.legal_moves().iter().map(|mv| twin.text(mv)).collect();
    expected.sort_unstable();
    let found: Vec<String> = walk::moves_by_text(game).into_iter().map(|(text, _)| text).collect();
    if found != expected {
        return Some(walk::difference(["fast", "slow"], [&found, &expected]));
    }
    if game.is_in_check() != twin.is_in_check() {
        return Some(format!("check: {}, slow {}", game.is_in_check(), twin.is_in_check()));
    }
    with_line!(game.line(), line => check_forms(line))
}

/// Counting, grouping, asking, taking back and the key.
fn check_forms<W: Word>(line: &Line<W>) -> Option<String> {
    let mut position = line.position().clone();
    let list = position.legal_moves();
    let mut groups = MoveGroups::new();
    position.generate(&mut groups);
    let before = *position.state();
    let restores = list.iter().all(|mv| {
        let undo = position.play_unchecked(*mv);
        position.take_back(*mv, undo);
        *position.state() == before
    });
    let fresh = ashta_position::Position::new(position.tables().clone(), &position.setup());
    let laws = [
        ("the count", position.count_legal_moves() == list.len() as u64),
        ("whether there is a move", position.has_legal_move() != list.is_empty()),
        ("the groups", (0..groups.len()).map(|n| groups.pick(n)).eq(list.iter().copied())),
        ("taking back", restores),
        ("the key", fresh.is_ok_and(|fresh| fresh.key() == position.key())),
    ];
    laws.iter().find(|(_, holds)| !holds).map(|(what, _)| format!("{what} is wrong"))
}

fn check_game(seed: u64) -> Option<String> {
    let mut random = SplitMix64(seed);
    let text = game_text(&mut random);
    let rules = match load_text("strange.toml", &text, &[]) {
        Ok(rules) => CompiledRules::new(rules),
        // Some combinations make no sense, and are told so.
        Err(_) => return None,
    };
    let start = rules.rules().start().clone();
    Game::from_setup(&rules, &start).ok()?;
    let games = walk::positions(&rules, seed, N_POSITIONS, 60);
    games
        .iter()
        .find_map(|game| Some(format!("seed {seed}: {}\n{}\n{text}", game.text(), check(&rules, game)?)))
}

#[test]
fn games_put_together_at_random_obey_the_slow_twin() {
    let n_games = if walk::is_deep() { 20 * N_GAMES } else { N_GAMES };
    let seeds: Vec<u64> = (0..n_games).collect();
    let wrong: Vec<String> =
        walk::in_parallel(&seeds, |seed| check_game(*seed)).into_iter().flatten().collect();
    // One example of each sort, and how many there are.
    let mut sorts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for text in wrong {
        sorts.entry(sort_of(&text)).or_default().push(text);
    }
    let shown: Vec<String> =
        sorts.iter().map(|(sort, texts)| format!("{} x {sort}\n{}", texts.len(), texts[0])).collect();
    assert!(shown.is_empty(), "\n{}", shown.join("\n"));
}

/// What a difference looks like.
fn sort_of(text: &str) -> String {
    let only =
        |who: &str| text.lines().find_map(|line| line.strip_prefix(&format!("only {who}:"))).map(str::trim);
    let what = match (only("fast"), only("slow")) {
        (Some(""), Some(_)) => "lacks moves",
        (Some(_), Some("")) => "has moves too many, or one twice",
        (Some(_), Some(_)) => "has other moves",
        (None, _) | (_, None) => "breaks another law",
    };
    what.to_string()
}

#[test]
fn most_of_them_are_games() {
    let loads = |seed: &u64| {
        let text = game_text(&mut SplitMix64(*seed));
        load_text("strange.toml", &text, &[]).map_err(|problems| problems.to_string())
    };
    let problems: Vec<String> = (0..N_GAMES).filter_map(|seed| loads(&seed).err()).collect();
    let n_wrong = problems.len() as u64;
    assert!(
        n_wrong < N_GAMES / 2,
        "{n_wrong} of {N_GAMES} are none: {}",
        problems.first().cloned().unwrap_or_default()
    );
}
