//! Matches against other programs that do not play the game: they stop and tell, and are never scored.
#![cfg(unix)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ashta_lab::matches::{
    CompetitorError, CompetitorPlan, Match, MatchEnd, MatchError, MatchGame, MatchPlan, PairPlayed, run_match,
};
use ashta_lab::{JournalOf, digest_text};
use ashta_play::Clock;
use ashta_rules::load;
use tempfile::TempDir;

/// A UCI program in shell: `$n` is the number of the game, `$m` of its own move in it. It plays `a1a1` where `moves` tell
/// nothing, and nothing else once it has made its file `probed`.
fn program(folder: &Path, options: &str, moves: &str) -> String {
    let script = format!(
        "cd {}\nn=0\nwhile read -r line; do case \"$line\" in\n\
         uci) {options} echo uciok;;\nisready) echo readyok;;\nucinewgame) n=$((n+1)); m=0;;\nquit) exit;;\n\
         go*) m=$((m+1)); case $(ls probed 2>&-)$n.$m in {moves} *) echo bestmove a1a1;; esac;;\nesac; done\n",
        folder.display()
    );
    let path = folder.join("program.sh");
    std::fs::write(&path, script).expect("the folder can be written");
    format!("uci:/bin/sh {}", path.display())
}

fn a_match(game: &str, program: &str) -> Result<Match, MatchError> {
    let competitor =
        |text: &str| CompetitorPlan::read(text, |_| None::<Result<String, CompetitorError>>).expect(text);
    let rules = load(game).expect("the library is sound");
    let games = vec![MatchGame {
        name: game.into(),
        game: game.into(),
        digest: digest_text(&rules),
        competitors: [competitor("P0"), competitor(program)],
    }];
    let plan = MatchPlan {
        command: String::new(),
        version: String::new(),
        seed: 3,
        games,
        n_pairs: 20,
        n_opening_plies: 0,
        max_plies: 80,
        depths: (1, 2, 1),
        sprt: None,
    };
    let clock = Clock(Arc::new(|| Duration::ZERO));
    Match::with_clock(plan, Some(clock), |game| Ok(load(game).expect("sound")))
}

#[test]
fn a_program_that_plays_another_game_is_found_out_before_the_match() {
    let folder = TempDir::new().expect("a folder");
    let error = a_match("chess", &program(folder.path(), "", "")).expect_err("a1a1 is not a move");
    assert!(error.to_string().contains("played `a1a1`, which is not legal"), "{error}");
}

#[test]
fn a_program_that_does_not_offer_the_game_is_refused_by_name() {
    let folder = TempDir::new().expect("a folder");
    let offer = "echo option name UCI_Variant type combo default chess var chess var xiangqi;";
    let error = a_match("minishogi", &program(folder.path(), offer, "")).expect_err("it is not offered");
    assert!(error.to_string().contains("does not support minishogi; it supports chess, xiangqi"), "{error}");
}

#[test]
fn first_moves_that_are_faults_stop_a_match_and_are_not_scored() {
    let folder = TempDir::new().expect("a folder");
    // Legal in the two games of the probe, on either side; then never again.
    let moves = "1.1) echo bestmove e2e4;; 1.2) echo bestmove d2d4;; 2.1) echo bestmove e7e5;; \
                 2.2) touch probed; echo bestmove d7d5;;";
    let of = a_match("chess", &program(folder.path(), "", moves)).expect("it passes the probe");
    let (mut journal, contents) =
        JournalOf::<PairPlayed>::open_or_create(folder.path().join("journal"), of.plan.digest(), "")
            .expect("a journal");
    let end = run_match(&of, &mut journal, contents.units, 1, &AtomicBool::new(false), |_| {});
    match end.expect("it can be written") {
        MatchEnd::Broken(fault) => {
            assert!(fault.to_string().contains("played `a1a1`, which is not legal"), "{fault}")
        }
        end => panic!("{end:?}"),
    }
}
