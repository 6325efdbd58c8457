//! The peers, asked line by line: `cozy perft 4 FEN`, `haitaka random TURN GAMES`. Each answer is a count and nanoseconds.
//!
//! In: questions. Out: answers. Never: our code.

use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::Instant;

const MAX_PLIES: u32 = 1000;

fn main() {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [peer, work, first, second] = words.as_slice() else { panic!("{line}: four words are expected") };
        let number =
            |text: &str| text.parse::<u64>().unwrap_or_else(|_| panic!("{line}: {text} is not a number"));
        let start = Instant::now();
        let count = match (*peer, *work) {
            ("cozy", "perft") => cozy_perft(&second.parse().expect("a position"), number(first) as u32),
            ("haitaka", "perft") => {
                haitaka_perft(&haitaka::Board::from_sfen(second).expect("a position"), number(first) as u32)
            }
            ("cozy", "random") => random_cozy(number(first), number(second) as u32),
            ("haitaka", "random") => random_haitaka(number(first), number(second) as u32),
            _ => panic!("{line}: no such work"),
        };
        writeln!(out, "{count} {}", start.elapsed().as_nanos()).expect("the benchmark listens");
        out.flush().expect("the benchmark listens");
    }
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut total = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            total += moves.len() as u64;
            false
        });
        return total;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            total += cozy_perft(&after, depth - 1);
        }
        false
    });
    total
}

fn haitaka_perft(board: &haitaka::Board, depth: u32) -> u64 {
    let mut total = 0;
    if depth == 1 {
        let mut count = |moves: haitaka::PieceMoves| {
            total += moves.into_iter().len() as u64;
            false
        };
        board.generate_board_moves(&mut count);
        board.generate_drops(&mut count);
        return total;
    }
    let mut play = |moves: haitaka::PieceMoves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            total += haitaka_perft(&after, depth - 1);
        }
        false
    };
    board.generate_board_moves(&mut play);
    board.generate_drops(&mut play);
    total
}

/// The same cheap generator for all.
struct Random(u64);

impl Random {
    /// Other games every turn: the few of one seed may be dear or cheap.
    fn of_turn(turn: u64) -> Random {
        Random((turn + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

fn random_cozy(turn: u64, n_games: u32) -> u64 {
    let (mut random, mut groups, mut plies, mut n_moves) = (Random::of_turn(turn), Vec::new(), 0, 0);
    for _ in 0..n_games {
        let mut board = cozy_chess::Board::default();
        for _ in 0..MAX_PLIES {
            groups.clear();
            let mut total = 0;
            board.generate_moves(|moves| {
                total += moves.len() as u32;
                groups.push((moves, total));
                false
            });
            if total == 0 || board.halfmove_clock() >= 100 {
                break;
            }
            n_moves += u64::from(total);
            plies += 1;
            board.play_unchecked(pick(&groups, random.below(total)));
        }
    }
    black_box(n_moves);
    plies
}

fn random_haitaka(turn: u64, n_games: u32) -> u64 {
    let (mut random, mut groups, mut plies, mut n_moves) = (Random::of_turn(turn), Vec::new(), 0, 0);
    for _ in 0..n_games {
        let mut board = haitaka::Board::startpos();
        for _ in 0..MAX_PLIES {
            groups.clear();
            let mut total = 0;
            let mut take = |moves: haitaka::PieceMoves| {
                total += moves.into_iter().len() as u32;
                groups.push((moves, total));
                false
            };
            board.generate_board_moves(&mut take);
            board.generate_drops(&mut take);
            if total == 0 {
                break;
            }
            n_moves += u64::from(total);
            plies += 1;
            board.play_unchecked(pick(&groups, random.below(total)));
        }
    }
    black_box(n_moves);
    plies
}

fn pick<G: Copy + IntoIterator<Item = M>, M>(groups: &[(G, u32)], n: u32) -> M {
    let at = groups.iter().position(|(_, until)| n < *until).expect("n is below the total");
    let before = if at == 0 { 0 } else { groups[at - 1].1 };
    groups[at].0.into_iter().nth((n - before) as usize).expect("the group has so many")
}
