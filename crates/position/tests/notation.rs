//! Moves as text: write then read = identity in every notation of every game, and what a careless hand may write.

use crate::walk;
use ashta_position::notation::{
    MoveTextError, UnfitGame, read_coordinates, read_csa, read_kif, read_san, write_coordinates, write_csa,
    write_ki2, write_kif, write_san,
};
use ashta_position::{CompiledRules, Game, Move};
use ashta_rules::{load, load_text};

/// Knuth's MMIX generator: the tests need variety, not quality.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

fn compiled(spec: &str) -> CompiledRules {
    CompiledRules::new(load(spec).unwrap_or_else(|problems| panic!("{spec}:\n{problems}")))
}

fn at(spec: &str, position: &str) -> Game {
    Game::from_text(&compiled(spec), position).unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// Visits the positions of random games.
fn wander(rules: &CompiledRules, n_games: usize, n_plies: usize, mut visit: impl FnMut(&Game, &[Move])) {
    let mut random = Lcg(20240607);
    for _ in 0..n_games {
        let mut game = Game::start(rules);
        for _ in 0..n_plies {
            let legal = game.legal_moves();
            if legal.is_empty() || game.outcome().is_some() {
                break;
            }
            visit(&game, &legal);
            game.play_unchecked(legal[random.below(legal.len())]);
        }
    }
}

fn check_san_and_coordinates(game: &Game, legal: &[Move]) {
    for mv in legal {
        let san = write_san(game, *mv);
        assert_eq!(read_san(game, &san), Ok(*mv), "{san} in {}", game.text());
        let coordinates = write_coordinates(game, *mv);
        assert_eq!(read_coordinates(game, &coordinates), Ok(*mv), "{coordinates} in {}", game.text());
        assert_eq!(read_san(game, &coordinates), Ok(*mv), "{coordinates} as SAN in {}", game.text());
    }
    let mut texts: Vec<String> = legal.iter().map(|mv| write_san(game, *mv)).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), legal.len(), "two moves with one text in {}", game.text());
}

fn check_csa_and_kif(game: &Game, legal: &[Move]) {
    for mv in legal {
        let csa = write_csa(game, *mv).expect("the game fits CSA");
        assert_eq!(read_csa(game, &csa), Ok(*mv), "{csa} in {}", game.text());
        assert_eq!(read_csa(game, &csa[1..]), Ok(*mv), "{csa} without its sign in {}", game.text());
        let kif = write_kif(game, *mv).expect("the game fits KIF");
        assert_eq!(read_kif(game, &kif), Ok(*mv), "{kif} in {}", game.text());
        let ki2 = write_ki2(game, *mv).expect("the game fits KI2");
        assert_eq!(read_kif(game, &ki2), Ok(*mv), "{ki2} in {}", game.text());
        assert!(!ki2.contains('('), "{ki2} in {}", game.text());
    }
}

#[test]
fn books_say_which_piece_goes() {
    let golds = "4k4/9/9/9/9/9/9/9/3G1GK2 b - 1";
    let straight = "4k4/9/9/9/9/9/9/9/4GGK2 b - 1";
    let beside = "4k4/9/9/9/9/9/9/5G3/5GK2 b - 1";
    let three = "4k4/9/9/9/9/9/9/5G3/3G1GK2 b - 1";
    let silvers = "4k4/9/9/9/9/9/5S3/9/5SK2 b - 1";
    let dragons = "+R8/8k/9/1+R7/9/9/9/9/6K2 b - 1";
    let abreast = "k8/9/9/9/4+R3+R/9/9/9/6K2 b - 1";
    let upside = "2kg1g3/9/9/9/9/9/9/9/4K4 w - 1";
    let held = "4k4/9/9/9/9/9/9/9/4GK3 b G 1";
    let pawn = "4k4/9/9/4P4/9/9/9/9/4K4 b P 1";
    let lines = [
        (golds, "6i5h", "５八金左"),
        (golds, "4i5h", "５八金右"),
        (straight, "5i5h", "５八金直"),
        (straight, "4i5h", "５八金右"),
        (beside, "4h5h", "５八金寄"),
        (beside, "4i5h", "５八金上"),
        (three, "4i5h", "５八金右上"),
        (three, "6i5h", "５八金左"),
        (silvers, "4g5h", "５八銀引"),
        (silvers, "4i5h", "５八銀上"),
        (dragons, "9a8b", "８二龍引"),
        (dragons, "8d8b", "８二龍上"),
        (abreast, "5e3e", "３五龍左"),
        (abreast, "1e3e", "３五龍右"),
        (upside, "6a5b", "５二金右"),
        (upside, "4a5b", "５二金左"),
        (held, "5i5h", "５八金"),
        (held, "G*5h", "５八金打"),
        (held, "G*5b", "５二金"),
        (pawn, "5d5c+", "５三歩成"),
        (pawn, "5d5c", "５三歩不成"),
    ];
    for (position, coordinates, ki2) in lines {
        let game = at("shogi", position);
        let mv = read_coordinates(&game, coordinates).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(write_ki2(&game, mv).as_deref(), Ok(ki2), "{position}");
    }
}

#[test]
fn every_legal_move_of_every_game_reads_back() {
    for name in walk::games_but_contests().into_iter().chain(["shatranj+castling"]) {
        wander(&compiled(name), 4, 90, check_san_and_coordinates);
    }
}

/// KIF of games that name their pieces themselves, of either width of digits and brackets.
#[test]
fn moves_of_large_games_are_written_in_kif() {
    let position = "11k/12/12/12/12/12/12/12/5pN5/6p5/12/K1P9 b - 1";
    let lines = [
        ("6i6h", "6八獅子 （←6九）", "６八獅"),
        ("6i7i6h", "一歩目 7九獅子 （←6九） / 二歩目 6八獅子 （←7九）", "７九・６八獅"),
        ("6i6j6i", "一歩目 6十獅子 （←6九） / 二歩目 6九獅子（居食い） （←6十）", "６十居喰い"),
        ("6i6j7i", "一歩目 6十獅子 （←6九） / 二歩目 7九獅子 （←6十）", "６十・７九獅"),
        ("12l11k", "11十一玉将 （←12十二）", "１１十一玉"),
    ];
    let game = at("chu-shogi", position);
    for (coordinates, kif, book) in lines {
        let mv = read_coordinates(&game, coordinates).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(write_kif(&game, mv).as_deref(), Ok(kif));
        assert_eq!(write_ki2(&game, mv).as_deref(), Ok(book));
        assert_eq!(read_kif(&game, kif), Ok(mv));
        assert_eq!(read_kif(&game, book), Ok(mv));
        let narrow = kif.replace('（', "(").replace('）', ")");
        assert_eq!(read_kif(&game, &format!("▲{narrow}   (0:01/00:00:01)")), Ok(mv));
    }
    for wrong in
        ["6八王 （←6九）", "6八獅子 （←6十）", "5五獅子 （←6九）", "一歩目 7九獅子 （←6九）", "", "（←"]
    {
        assert!(read_kif(&game, wrong).is_err(), "{wrong}");
    }
    wander(&compiled("dai-shogi"), 1, 40, |game, legal| {
        for mv in legal {
            let kif = write_kif(game, *mv).expect("dai shogi names its pieces");
            assert_eq!(read_kif(game, &kif), Ok(*mv), "{kif} in {}", game.text());
        }
    });
}

#[test]
fn every_legal_move_reads_back_in_csa_and_kif() {
    let fitting =
        ["shogi", "heian-drops", "heian-large", "heian-shogi", "heian-shogi+board-8x8", "minishogi"];
    for name in fitting {
        wander(&compiled(name), 4, 150, check_csa_and_kif);
    }
}

/// Chess with what the library's games lack: letters with signs, a free promotion to several kinds, pieces of one kind
/// that promote to `+`, and a castling that is neither K nor Q and shares its squares with a step of the king.
const ODD: &str = r#"
extends = "chess"
name = "Odd chess"
hand = "captures"

[board]
start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQXkqx - 0 1"

[pieces.pawn]
moves = "mfWcfF"
promotes = { to = ["guard", "dragon", "horse"], zone = "ranks 5-8", choice = "may" }

[pieces.rook]
promotes = { to = ["dragon", "guard"], zone = "ranks 4-8", on = "start-or-end", choice = "may" }

[pieces.guard]
letter = "R!"
moves = "K"

[pieces.horse]
letter = "R'"
moves = "N"

[pieces.dragon]
letter = "+R"
moves = "RF"

[castling]
X = "e1f1 h1e1"
"#;

#[test]
fn every_legal_move_of_an_odd_game_reads_back() {
    let rules =
        CompiledRules::new(load_text("odd.toml", ODD, &[]).unwrap_or_else(|problems| panic!("{problems}")));
    let mut n_castlings = 0;
    wander(&rules, 30, 90, |game, legal| {
        for mv in legal {
            let san = write_san(game, *mv);
            n_castlings += usize::from(san.starts_with("O-O/X"));
            assert_eq!(read_san(game, &san), Ok(*mv), "{san} in {}", game.text());
        }
    });
    assert!(n_castlings > 0, "random play should reach the odd castling");
}

#[test]
fn chess_is_written_as_players_write_it() {
    let check = |position: &str, coordinates: &str, san: &str| {
        let game = at("chess", position);
        let mv = read_coordinates(&game, coordinates).unwrap_or_else(|error| panic!("{position}: {error}"));
        assert_eq!(write_san(&game, mv), san, "{coordinates} in {position}");
        assert_eq!(read_san(&game, san), Ok(mv), "{san} in {position}");
    };
    check("startpos", "e2e4", "e4");
    check("startpos", "g1f3", "Nf3");
    check("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "e4d5", "exd5");
    check("rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", "e5d6", "exd6");
    check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O");
    check("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O");
    check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+");
    check("5rk1/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N");
    check("1n3bk1/P4ppp/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q");
    check("6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", "a8=R#");
    check("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#");
    // Two knights on different files; on one file; a pinned rival does not count; three queens need both.
    check("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1d2", "Nbd2");
    check("4k3/8/8/5N2/8/8/8/4KN2 w - - 0 1", "f1e3", "N1e3");
    check("4r2k/8/8/8/4N3/8/8/N3K3 w - - 0 1", "a1c2", "Nc2");
    check("4r2k/8/8/8/4N3/8/4K3/N5N1 w - - 0 1", "g1f3", "Nf3");
    check("3k4/8/8/8/8/Q7/8/Q1Q1K3 w - - 0 1", "a1b2", "Qa1b2");
}

#[test]
fn other_games_are_written_in_the_same_manner() {
    let check = |spec: &str, position: &str, coordinates: &str, san: &str| {
        let game = at(spec, position);
        let mv = read_coordinates(&game, coordinates).unwrap_or_else(|error| panic!("{position}: {error}"));
        assert_eq!(write_san(&game, mv), san, "{coordinates} in {position}");
    };
    check("shogi", "startpos", "7g7f", "P-7f");
    check("shogi", "startpos", "4i5h", "G4i-5h");
    check("shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3", "8h2b+", "Bx2b+");
    check("shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3", "8h2b", "Bx2b=");
    check("shogi", "4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", "G*5b");
    // Hodges' notation does not mark check: `+` is always the promotion.
    check("shogi", "4k4/9/9/9/3N5/9/9/9/4K4 b - 1", "6e5c", "N-5c=");
    check("shogi", "3k5/9/9/9/3N5/9/9/9/4K4 b - 1", "6e5c", "N-5c=");
    check("shogi", "3k5/9/9/9/3N5/9/9/9/4K4 b - 1", "6e5c+", "N-5c+");
    check("shogi", "9/5k3/9/9/3N5/9/9/9/4K4 b - 1", "6e5c+", "N-5c+");
    check("chu-shogi", "11k/12/12/12/12/12/12/6F5/12/12/12/K11 b - 1", "6h5g", "FL-5g");
    check("chu-shogi", "11k/12/12/12/12/12/12/12/5pN5/6p5/12/K11 b - 1", "6i7i6h", "Lnx7i-6h");
    check("chu-shogi", "11k/12/12/12/12/12/12/12/5pN5/6p5/12/K11 b - 1", "6i7i6i", "Lnx!7i");
    check("chu-shogi", "11k/12/12/12/12/12/12/12/5pN5/12/12/K11 b - 1", "6i5i6i", "--");
    check("xiangqi", "startpos", "b3e3", "Cbe3");
    check("janggi", "startpos", "0000", "--");
    check("sittuyin", "8/8/8/4P3/8/8/8/K6k[] w - - 0 1", "e5e5f", "e5=F");
}

#[test]
fn careless_texts_are_understood() {
    let check = |spec: &str, position: &str, texts: &str, coordinates: &str| {
        let game = at(spec, position);
        let mv = read_coordinates(&game, coordinates).unwrap_or_else(|error| panic!("{position}: {error}"));
        for text in texts.split(',') {
            assert_eq!(read_san(&game, text), Ok(mv), "{text} in {position}");
        }
    };
    check("chess", "startpos", "e4,Pe4,e2e4,e2-e4,Pe2-e4,ee4,2e4,e4!,e4!?, e4 ,e4?? ,♙e4", "e2e4");
    check("chess", "startpos", "Nf3,Ngf3,N1f3,Ng1f3,Ng1-f3,g1f3,♘f3,♞f3,Nf3+,Nf3#", "g1f3");
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check("chess", castling, "O-O,0-0,o-o,OO,O-O+,O-O!,Kg1,Ke1g1,e1g1,Ke1-g1", "e1g1");
    check("chess", castling, "O-O-O,0-0-0,o-o-o,000,Kc1,e1c1", "e1c1");
    let promotion = "1n4k1/P7/8/8/8/8/8/4K3 w - - 0 1";
    check("chess", promotion, "a8=Q,a8Q,a8(Q),a8/Q,a8q,a7a8q,a7-a8=Q,a8=Q+,a8=q!", "a7a8q");
    check("chess", promotion, "axb8=N,ab8N,axb8(N),a:b8=N,a7xb8=N,ab8n,xb8=N", "a7b8n");
    let passing = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    check("chess", passing, "exd6,ed6,e5d6,exd6 e.p.,exd6e.p.,exd6ep,e5xd6,exd6!", "e5d6");
    let rooks = "4k3/8/8/3R4/1P6/8/4K3/3R4 w - - 0 1";
    check("chess", rooks, "R1d3,Rd1d3,R1d3?!", "d1d3");
    check("chess", "4k3/8/8/1p6/P7/8/8/4K3 w - - 0 1", "ab5,axb5,a4b5,a4xb5,Paxb5,Pxb5", "a4b5");
    check("chess", "4k3/8/8/8/8/8/1N6/N3K3 w - - 0 1", "Nac2,Na1c2,N1c2,Nc2", "a1c2");
    check("shogi", "startpos", "P7f,7f,7g7f,P7g-7f,P-7f,P7f=,P-7f=", "7g7f");
    let bishop = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    check("shogi", bishop, "Bx2b+,Bx2b=+,B2b+,8h2b+,Bx2b=+B,B8hx2b+", "8h2b+");
    check("shogi", bishop, "Bx2b,Bx2b=,B2b,8h2b,Bx2b=B", "8h2b");
    check("shogi", "4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5e,P@5e,*5e,P*5e!", "P*5e");
    check("makruk", "8/4k3/8/P7/8/8/8/4K3 w - - 0 1", "a6=M,a6,a6M,a5a6m", "a5a6m");
    check("janggi", "startpos", "--,pass,0000", "0000");
}

#[test]
fn a_text_for_several_moves_lists_them() {
    let check = |spec: &str, position: &str, text: &str, message: &str| {
        let error = read_san(&at(spec, position), text).expect_err("the text is ambiguous");
        assert!(matches!(error, MoveTextError::Ambiguous { .. }), "{error}");
        assert_eq!(error.to_string(), message);
    };
    let knights = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
    check("chess", knights, "Nd2", "`Nd2` is ambiguous: b1d2, f1d2");
    check("chess", knights, "N1d2", "`N1d2` is ambiguous: b1d2, f1d2");
    let promotion = "6k1/P7/8/8/8/8/8/4K3 w - - 0 1";
    check("chess", promotion, "a8", "`a8` is ambiguous: a7a8q, a7a8r, a7a8b, a7a8n");
    check("shogi", "startpos", "G5h", "`G5h` is ambiguous: 6i5h, 4i5h");
    let golds = read_kif(&at("shogi", "startpos"), "５八金").expect_err("two golds");
    assert_eq!(golds.to_string(), "`５八金` is ambiguous: 6i5h, 4i5h");
}

#[test]
fn what_is_no_move_says_so() {
    let chess = at("chess", "startpos");
    let shogi = at("shogi", "startpos");
    let sentence = |result: Result<Move, MoveTextError>| result.expect_err("no legal move").to_string();
    assert_eq!(sentence(read_san(&chess, "e5")), "`e5` is not legal here");
    assert_eq!(sentence(read_san(&chess, "O-O")), "`O-O` is not legal here");
    assert_eq!(sentence(read_san(&chess, "--")), "`--` is not legal here");
    assert!(
        sentence(read_san(&chess, "hello")).starts_with("cannot read the move `hello`: moves look like ")
    );
    assert_eq!(sentence(read_csa(&shogi, "-7776FU")), "`-7776FU` is not legal here");
    assert_eq!(sentence(read_csa(&shogi, "+7775FU")), "`+7775FU` is not legal here");
    assert_eq!(
        sentence(read_csa(&shogi, "%TORYO")),
        "cannot read the move `%TORYO`: moves look like +7776FU"
    );
    assert_eq!(sentence(read_kif(&shogi, "７五歩(77)")), "`７五歩(77)` is not legal here");
    assert_eq!(sentence(read_kif(&shogi, "投了")), "cannot read the move `投了`: moves look like ７六歩(77)");
    assert_eq!(
        sentence(read_kif(&shogi, "同　歩(77)")),
        "cannot read the move `同　歩(77)`: 同 needs a move before it"
    );
}

#[test]
fn a_game_without_words_is_refused() {
    let check = |spec: &str, message: &str| {
        let game = at(spec, "startpos");
        let mv = game.legal_moves()[0];
        let error: UnfitGame = write_csa(&game, mv).expect_err("the game does not fit");
        assert_eq!(error.to_string(), message);
        assert_eq!(read_csa(&game, "+7776FU"), Err(MoveTextError::Unfit(error)));
        assert!(
            write_kif(&game, mv).is_err()
                && matches!(read_kif(&game, "７六歩"), Err(MoveTextError::Unfit(_)))
        );
    };
    let board = "its board does not have up to nine numbered files and ranks";
    check("chess", &format!("CSA cannot represent Chess: {board}"));
    check("wa-shogi", &format!("CSA cannot represent Wa shogi: {board}"));
    check("sho-shogi", "CSA cannot represent Sho shogi: it has no name for the drunk-elephant");
}

#[test]
fn a_game_of_shogi_reads_as_its_records_have_it() {
    let line = [
        ("7g7f", "+7776FU", "７六歩(77)"),
        ("3c3d", "-3334FU", "３四歩(33)"),
        ("8h2b+", "+8822UM", "２二角成(88)"),
        ("3a2b", "-3122GI", "同　銀(31)"),
        ("B*5e", "+0055KA", "５五角打"),
        ("5a6b", "-5162OU", "６二玉(51)"),
        ("5e2b+", "+5522UM", "２二角成(55)"),
        ("B*3c", "-0033KA", "３三角打"),
        ("2b3c", "+2233UM", "同　馬(22)"),
    ];
    let mut game = at("shogi", "startpos");
    for (coordinates, csa, kif) in line {
        let mv = read_coordinates(&game, coordinates).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(write_csa(&game, mv).as_deref(), Ok(csa));
        assert_eq!(write_kif(&game, mv).as_deref(), Ok(kif));
        assert_eq!(read_csa(&game, csa), Ok(mv), "{csa}");
        assert_eq!(read_kif(&game, kif), Ok(mv), "{kif}");
        game.play_unchecked(mv);
    }
}

#[test]
fn careless_records_of_shogi_are_understood() {
    let check = |position: &str, texts: &str, coordinates: &str| {
        let game = at("shogi", position);
        let mv = read_coordinates(&game, coordinates).unwrap_or_else(|error| panic!("{position}: {error}"));
        for text in texts.split(',') {
            assert_eq!(read_kif(&game, text), Ok(mv), "{text} in {position}");
        }
    };
    check("startpos", "７六歩(77),76歩(77),７六歩,▲７六歩,☗７６歩,7六歩(77)   ( 0:01/00:00:01)+", "7g7f");
    check("startpos", "５八金右,５八金右(49),５八金(49),５八金右上", "4i5h");
    check("startpos", "５八金左", "6i5h");
    let bishop = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    check(bishop, "２二角成(88),２二角成,22角成", "8h2b+");
    check(bishop, "２二角不成(88),２二角(88),２二角不成,２二角生", "8h2b");
    check("4k4/9/9/9/9/9/9/9/4K4 b P 1", "５五歩打,５五歩,55歩打", "P*5e");
    // A pawn that must promote does so in silence; a drop is meant only when no piece on the board can go.
    check("k8/4P4/9/9/9/9/9/9/4K4 b - 1", "５一歩,５一歩成,51歩成(52)", "5b5a+");
    check("k8/9/9/9/9/4G4/9/9/4K4 b G 1", "５五金,５五金(56),５五金直,５五金上", "5f5e");
    check("k8/9/9/9/9/4G4/9/9/4K4 b G 1", "５五金打", "G*5e");
    let golds = "k8/9/9/9/3G1G3/3GGG3/9/9/4K4 b - 1";
    check(golds, "５五金直", "5f5e");
    check(golds, "５五金右上", "4f5e");
    check(golds, "５五金左上,５五金左上(66)", "6f5e");
    check(golds, "５五金右寄", "4e5e");
    check(golds, "５五金左寄", "6e5e");
    check("k8/9/9/9/4+R4/9/9/9/4K2+R1 b - 1", "５八竜引,５八龍引,５八竜左", "5e5h");
    check("k8/9/9/9/9/9/9/9/K6+R1 b - 1", "２一竜,２一龍行,２一竜上,21竜入", "2i2a");
    // The second side sees the board from the other edge.
    check("k8/9/9/3ggg3/9/9/9/9/4K4 w - 1", "△５五金右,５五金右上", "6d5e");
    check("k8/9/9/3ggg3/9/9/9/9/4K4 w - 1", "５五金左", "4d5e");
    check("k8/9/9/9/9/4s4/4+s4/9/4K4 w - 1", "６八全,６八成銀(57)", "5g6h");
    check("4k4/9/9/9/9/9/9/9/4K4 w - 1", "５二王,５二玉(51)", "5a5b");
}

#[test]
fn csa_passes_over_the_time() {
    let game = at("shogi", "startpos");
    let mv = read_coordinates(&game, "7g7f").expect("it is legal");
    for text in ["+7776FU", "7776FU", " +7776FU,T12 ", "+7776FU,'comment"] {
        assert_eq!(read_csa(&game, text), Ok(mv), "{text}");
    }
}

#[test]
fn hostile_texts_are_errors_or_legal_moves() {
    let shards = "e4|7|６|六|歩|同|　|(|)|=|+|-|O-O|0|00|FU|x|P|N|@|*|é|👑|\u{0}|成|打|右|#|!|e.p.|--|♘|77|a1|999999999999|\u{301}| |/";
    let shards: Vec<&str> = shards.split('|').collect();
    let mut random = Lcg(7);
    for name in ["chess", "shogi", "wa-shogi", "xiangqi", "janggi", "sittuyin", "minishogi"] {
        let game = at(name, "startpos");
        for _ in 0..4_000 {
            let text: String = (0..random.below(7)).map(|_| shards[random.below(shards.len())]).collect();
            for read in [read_san, read_coordinates, read_csa, read_kif] {
                if let Ok(mv) = read(&game, &text) {
                    assert!(game.is_legal(mv), "{text:?} in {name}");
                }
            }
        }
        for read in [read_san, read_coordinates, read_csa, read_kif] {
            assert!(read(&game, "").is_err(), "nothing is no move of {name}");
            assert!(read(&game, &"7６九".repeat(50_000)).is_err());
            assert!(read(&game, &format!("{}e4", "!".repeat(100_000))).is_err());
        }
    }
}
