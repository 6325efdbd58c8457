//! Every message and picture that a user can meet, as snapshots: `tests/snapshots/`.
//!
//! After a change, `INSTA_UPDATE=always cargo test -p ashta` writes them anew; read the difference.

use std::process::Command;

/// Runs `ashta` in `tests/` and gives all that it says; times, which differ, are left out.
fn ashta(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ashta"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"))
        .output()
        .expect("the command runs");
    let typed: Vec<String> = args
        .iter()
        .map(|arg| if arg.contains(' ') || arg.is_empty() { format!("{arg:?}") } else { arg.to_string() })
        .collect();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let said: Vec<&str> = stderr.lines().map(|line| if is_time(line) { "(time)" } else { line }).collect();
    let command = format!("$ ashta {}", typed.join(" "));
    let status = output.status.code().expect("it ends by itself");
    format!("{}\n{stdout}--- stderr\n{}\n--- status {status}\n", command.trim_end(), said.join("\n"))
}

fn is_time(line: &str) -> bool {
    line == "under a millisecond" || line.ends_with("million nodes/s")
}

/// A test for each picture: its name and the arguments.
macro_rules! snapshots {
    ($($name:ident: $args:expr;)*) => {
        $(
            #[test]
            fn $name() {
                insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
                    insta::assert_snapshot!(stringify!($name), ashta(&$args));
                });
            }
        )*
    };
}

snapshots! {
    help: ["--help"];
    help_show: ["show", "--help"];
    help_serve: ["serve", "--help"];
    serve_without_a_folder: ["serve", "--listen", "127.0.0.1:0", "--data", "/dev/null/x"];
    serve_with_a_token_that_others_see: ["serve", "--token", "0123456789abcdef"];
    serve_others_without_a_token: ["serve", "--listen", "0.0.0.0:0", "--no-token", "--data", "/dev/null/x"];
    serve_at_no_address: ["serve", "--listen", "localhost"];
    help_of_command: ["help", "perft"];
    help_of_wrong_command: ["help", "shwo"];
    games: ["games"];
    show_chess: ["show", "chess"];
    show_chess_pieces_ascii: ["show", "chess", "--pieces", "--ascii"];
    show_shogi: ["show", "shogi"];
    show_shogi_ascii: ["show", "shogi", "--ascii", "--position", "4k4/9/4P4/9/9/9/9/9/4K4 b G2p 1"];
    show_xiangqi_pieces: ["show", "xiangqi", "--pieces"];
    show_grant_acedrex_pieces: ["show", "grant-acedrex", "--pieces"];
    show_tori_shogi_pieces: ["show", "tori-shogi", "--pieces"];
    show_janggi_pieces: ["show", "janggi", "--pieces"];
    show_changes_together: ["show", "shatranj+double-step+stalemate-draws"];
    show_set_up: ["show", "sittuyin"];
    show_check: ["show", "chess", "--moves", "e2e4 f7f6 d1h5"];
    show_mate: ["show", "chess", "--moves", "f2f3 e7e5 g2g4 d8h4"];
    show_own_file: ["show", "files/hawk-chess.toml+paper-001", "--ascii"];
    show_json: ["show", "minishogi", "--json", "--moves", "1e1b"];
    moves: ["moves", "minishogi"];
    moves_san: ["moves", "chess", "--moves", "e4 e5 Nf3 Nc6 Bc4 Nf6", "--notation", "san"];
    moves_csa: ["moves", "shogi", "--notation", "csa"];
    moves_kif: ["moves", "shogi", "--moves", "7g7f 3c3d", "--notation", "kif"];
    moves_unfit: ["moves", "chess", "--notation", "kif"];
    moves_after_the_end: ["moves", "chess", "--moves", "f2f3 e7e5 g2g4 d8h4"];
    moves_json: ["moves", "chess", "--position", "8/P7/8/8/8/8/8/k1K5 w - - 0 1", "--json"];
    perft: ["perft", "chess", "3"];
    perft_divide: ["perft", "shogi", "2", "--divide"];
    perft_depth_0: ["perft", "chess", "0"];
    perft_json: ["perft", "minishogi", "3", "--json", "--divide"];
    bench: ["bench"];
    check_good: ["check", "files/hawk-chess.toml"];
    help_variant: ["variant", "--help"];
    check_variants: ["check", "files/variants.ini"];
    check_variants_json: ["check", "files/variants.ini", "--json"];
    show_variant: ["show", "files/variants.ini:centaurs", "--ascii"];
    show_variant_without_name: ["show", "files/variants.ini"];
    show_variant_of_wrong_name: ["show", "files/variants.ini:centaur"];
    show_variant_with_problems: ["show", "files/variants.ini:mistaken"];
    variant_read: ["variant", "read", "files/variants.ini", "hopping"];
    variant_read_notes: ["variant", "read", "files/variants.ini", "centaurs"];
    variant_read_nowhere: ["variant", "read", "files/no.ini"];
    variant_write: ["variant", "write", "xiangqi"];
    variant_write_refused: ["variant", "write", "chu-shogi"];
    variant_betza: ["variant", "betza", "KNADcaKmabK"];
    variant_betza_xboard: ["variant", "betza", "--xboard", "flNmRcpR"];
    variant_betza_unwritten: ["variant", "betza", "t[FR]"];
    variant_betza_wrong: ["variant", "betza", "WXN"];
    check_mistakes: ["check", "files/mistakes.toml"];
    check_mistakes_json: ["check", "files/mistakes.toml", "files/hawk-chess.toml", "--json"];
    check_mistaken_change: ["check", "files/mistaken-change.toml"];
    check_broken_toml: ["check", "files/broken.toml"];
    check_riders: ["check", "files/riders.toml"];
    check_numbered: ["check", "files/numbered.toml"];
    check_wrong_size: ["check", "files/wrong-size.toml"];
    check_wrong_parent: ["check", "files/wrong-parent.toml"];
    check_goes_on: ["check", "files/broken.toml", "files/nowhere.toml", "files", "files/mistaken-change.toml"];
    check_goes_on_json: ["check", "files/nowhere.toml", "files/wrong-parent.toml", "files/riders.toml", "--json"];
    check_library_name: ["check", "chess"];
    wrong_game: ["show", "chss"];
    wrong_game_far: ["show", "zzz"];
    wrong_file: ["show", "./nowhere.toml"];
    wrong_change: ["show", "shatranj+duble-step"];
    wrong_change_none_offered: ["show", "antichess+double-step"];
    wrong_changes_together: ["show", "shatranj+double-step+double-step-and-en-passant"];
    wrong_position_piece: ["show", "chess", "--position", "rnbqxbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"];
    wrong_position_rank: ["show", "chess", "--position", "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"];
    wrong_position_turn: ["moves", "shogi", "--position", "4k4/9/9/9/9/9/9/9/4K4 x - 1"];
    wrong_position_empty: ["show", "chess", "--position", ""];
    wrong_position_kanji: ["show", "shogi", "--position", "玉8/9/9/9/9/9/9/9/4K4 b - 1"];
    wrong_position_no_king: ["show", "chess", "--position", "8/8/8/8/8/8/8/K7 w - - 0 1"];
    wrong_move_illegal: ["show", "chess", "--moves", "e2e4 e7e5 e4e5"];
    wrong_move_unreadable: ["show", "chess", "--moves", "e2e4 castle"];
    wrong_move_must_promote: ["show", "chess", "--position", "8/4P3/8/8/8/8/8/k1K5 w - - 0 1", "--moves", "e7e8"];
    wrong_move_promotes_otherwise: ["show", "chess", "--position", "8/4P3/8/8/8/8/8/k1K5 w - - 0 1", "--moves", "e7e8k"];
    wrong_move_must_promote_to_one: ["show", "makruk", "--position", "8/8/8/4P3/8/8/8/k1K5 w - - 0 1", "--moves", "e5e6"];
    wrong_move_after_the_end: ["show", "chess", "--moves", "f2f3 e7e5 g2g4 d8h4 a2a3"];
    wrong_move_unreadable_after_the_end: ["moves", "chess", "--moves", "f3 e5 g4 Qh4 castle"];
    wrong_depth: ["perft", "chess", "deep"];
    wrong_notation: ["moves", "chess", "--notation", "english"];
    wrong_command: ["shwo", "chess"];
    wrong_option: ["show", "chess", "--asci"];
    missing_game: ["show"];
}
