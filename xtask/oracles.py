"""Compares random positions with python-chess, cshogi and pyffish: legal moves, results, SAN, USI and FEN.

`cargo xtask oracles [POSITIONS [GAME ...]]` installs the three from PyPI and runs this; by default 100,000 positions of every game.
Every difference is printed; the exit status is 1 if there is any that KNOWN_DIFFERENCES does not explain.
"""

import re
import subprocess
import sys

import chess
import cshogi
import pyffish

# Our game, and the name that pyffish has for it.
PYFFISH_GAMES = [
    ("chess", "chess"),
    ("shatranj", "shatranj"),
    ("makruk", "makruk"),
    ("sittuyin", "sittuyin"),
    ("shatar", "shatar"),
    ("courier", "courier"),
    ("capablanca", "capablanca"),
    ("xiangqi", "xiangqi"),
    ("janggi", "janggi"),
    ("shogi", "shogi"),
    ("minishogi", "minishogi"),
    ("sho-shogi", "shoshogi"),
    ("tori-shogi", "torishogi"),
]

# Where rules differ on purpose: a reason for each kind of difference that is not counted.
KNOWN_DIFFERENCES = {
    "ends": "pyffish has no moves once its own rules say that the game is over (bare king, bikjang, repetition)",
    "drop-mate": "pyffish counts a pawn drop that mates as legal",
    "sittuyin-promotion": "pyffish also promotes with a diagonal step",
    "bikjang": "our janggi file leaves bikjang out",
    "prince": "pyffish does not let a promotion to a second royal piece answer a check; by our rules the last one counts",
    "niol": "our shatar file leaves out that lesser pieces may not mate",
}


def positions(binary, game, number, seed):
    command = [binary, game, str(number), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            text, result, moves, move, san, after = line.rstrip("\n").split("\t")
            yield text, result, moves.split(), move, san, after
    if process.returncode != 0:
        sys.exit(f"error: {binary} {game} failed")


class Tally:
    def __init__(self, title):
        self.title, self.compared, self.known, self.wrong = title, 0, {}, 0

    def differ(self, text, what, ours, theirs):
        self.wrong += 1
        if self.wrong <= 5:
            print(f"DIFFERENT {self.title}: {text}\n  {what}\n  ours   {ours}\n  theirs {theirs}")

    def explain(self, key):
        assert key in KNOWN_DIFFERENCES
        self.known[key] = self.known.get(key, 0) + 1

    def report(self):
        known = "".join(f"; {count} not compared: {KNOWN_DIFFERENCES[key]}" for key, count in self.known.items())
        print(f"{self.title:<24} {self.compared:>7} positions, {self.wrong} differences{known}", flush=True)
        return self.wrong


def python_chess_result(board):
    if board.is_checkmate():
        return f"{'second' if board.turn else 'first'}: checkmate"
    if board.is_stalemate():
        return "draw: no legal move"
    if board.is_insufficient_material():
        return "draw: insufficient material"
    if board.halfmove_clock >= 100:
        return "draw: too many moves without progress"
    return "-"


def compare_python_chess(binary, number):
    tally = Tally("chess, python-chess")
    for text, result, moves, move, san, after in positions(binary, "chess", number, 1):
        board = chess.Board(text)
        tally.compared += 1
        theirs = sorted(mv.uci() for mv in board.legal_moves)
        if sorted(moves) != theirs:
            tally.differ(text, "legal moves", sorted(moves), theirs)
            continue
        # Repetition needs the game, which a position does not tell.
        if "repetition" not in result and result != python_chess_result(board):
            tally.differ(text, "result", result, python_chess_result(board))
        if move == "-":
            continue
        their_san = board.san(chess.Move.from_uci(move))
        if san != their_san:
            tally.differ(text, f"SAN of {move}", san, their_san)
        board.push_uci(move)
        if not same_fen(after, board):
            tally.differ(text, f"FEN after {move}", after, board.fen())
    return tally.report()


def same_fen(ours, board):
    """The en passant square is written where a pawn stands to capture there, which is X-FEN's rule."""
    return ours == board.fen(en_passant="xfen")


def compare_cshogi(binary, number):
    tally = Tally("shogi, cshogi")
    for text, result, moves, move, _san, after in positions(binary, "shogi", number, 2):
        board = cshogi.Board(sfen=text)
        tally.compared += 1
        theirs = sorted(cshogi.move_to_usi(mv) for mv in board.legal_moves)
        if sorted(moves) != theirs:
            tally.differ(text, "legal moves", sorted(set(moves) - set(theirs)), sorted(set(theirs) - set(moves)))
            continue
        if board.is_game_over() != (result != "-") and "repetition" not in result and "perpetual" not in result:
            tally.differ(text, "result", result, board.is_game_over())
        if move != "-":
            board.push_usi(move)
            if board.sfen() != after:
                tally.differ(text, f"SFEN after {move}", after, board.sfen())
    return tally.report()


def is_numbered(text):
    return len(text.split()) == 4


def to_pyffish(text):
    """Our position as pyffish has it: SFEN's hands go into brackets, the first side is `w`."""
    if not is_numbered(text):
        return text
    board, turn, hands, number = text.split()
    spread = "".join(letter * int(count or 1) for count, letter in re.findall(r"(\d*)([A-Za-z])", hands))
    return f"{board}[{spread or '-'}] {'w' if turn == 'b' else 'b'} - - 0 {number}"


def from_pyffish(mv, text):
    """A move of pyffish in our coordinates."""
    if not is_numbered(text):
        parts = re.fullmatch(r"([a-z]\d+)\1", mv)
        return "0000" if parts else mv
    n_files = sum(int(part) if part.isdigit() else 1 for part in re.findall(r"\d+|\+?[A-Za-z]", text.split("/")[0]))
    n_ranks = text.split()[0].count("/") + 1

    def square(name):
        file, rank = ord(name[0]) - ord("a"), int(name[1:])
        return f"{n_files - file}{chr(ord('a') + n_ranks - rank)}"

    if "@" in mv:
        return f"{mv[0]}*{square(mv[2:])}"
    parts = re.fullmatch(r"([a-z]\d+)([a-z]\d+)(\+?)", mv)
    return square(parts[1]) + square(parts[2]) + parts[3]


def facing(text):
    """Whether the generals stand on one file."""
    ranks = [re.sub(r"\d+", lambda n: "." * int(n[0]), rank) for rank in text.split()[0].split("/")]
    files = ["".join(rank[n] for rank in ranks) for n in range(len(ranks[0]))]
    return any("k" in file and "K" in file for file in files)


def mates(variant, fen, drop, text):
    """Whether a drop of theirs leaves no answer."""
    theirs = next(mv for mv in pyffish.legal_moves(variant, fen, []) if from_pyffish(mv, text) == drop)
    return not pyffish.legal_moves(variant, fen, [theirs])


def pyffish_result(variant, fen, moves, text):
    """The result by their rules where there are no moves: `first`, `second` or `draw`."""
    if moves:
        return None
    value = pyffish.game_result(variant, fen, [])
    if value == 0:
        return "draw"
    first_moves = text.split()[1] in ("b" if is_numbered(text) else "w")
    return "first" if first_moves == (value > 0) else "second"


def placed(fen):
    """Board and hands, hands in any order."""
    board, _, hands = fen.split()[0].partition("[")
    return board, sorted(hands.strip("]-"))


def explained(game, variant, fen, text, ours, theirs):
    """Why the moves may differ."""
    more, fewer = set(theirs) - set(ours), set(ours) - set(theirs)
    if not theirs or pyffish.is_immediate_game_end(variant, fen, [])[0]:
        return "ends"
    if game == "janggi" and facing(text):
        return "bikjang"
    if game == "sho-shogi" and not more and all(mv.endswith("+") for mv in fewer) and "E" in text.upper():
        return "prince"
    if game == "sittuyin" and all(mv[-1].isalpha() for mv in more | fewer):
        return "sittuyin-promotion"
    if not fewer and all("*" in mv and mates(variant, fen, mv, text) for mv in more):
        return "drop-mate"
    return None


def compare_pyffish(binary, number, game, variant):
    tally = Tally(f"{game}, pyffish")
    for text, result, moves, move, _san, after in positions(binary, game, number, 3):
        fen = to_pyffish(text)
        named = {from_pyffish(mv, text): mv for mv in pyffish.legal_moves(variant, fen, [])}
        tally.compared += 1
        if sorted(moves) != sorted(named):
            reason = explained(game, variant, fen, text, moves, list(named))
            if reason:
                tally.explain(reason)
            else:
                tally.differ(text, "legal moves", sorted(set(moves) - set(named)), sorted(set(named) - set(moves)))
            continue
        theirs = pyffish_result(variant, fen, moves, text)
        if game == "shatar" and theirs and "checkmate" in result and not result.startswith(theirs):
            tally.explain("niol")
        elif theirs and not result.startswith(theirs):
            tally.differ(text, "result", result, theirs)
        if move != "-" and placed(to_pyffish(after)) != placed(pyffish.get_fen(variant, fen, [named[move]])):
            tally.differ(text, f"position after {move}", after, pyffish.get_fen(variant, fen, [named[move]]))
    return tally.report()


def main():
    binary, number, only = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    comparisons = [("chess", compare_python_chess, ()), ("shogi", compare_cshogi, ())]
    comparisons += [(game, compare_pyffish, (game, variant)) for game, variant in PYFFISH_GAMES]
    unknown = set(only) - {game for game, _, _ in comparisons}
    if unknown:
        sys.exit(f"error: no other program knows {', '.join(sorted(unknown))}")
    wrong = sum(compare(binary, number, *more) for game, compare, more in comparisons if not only or game in only)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
