"""Complete games and questions through python-chess, a client not written here. Usage: chess_client.py ASHTA"""

import sys

import chess
import chess.engine

ASHTA = sys.argv[1]


def whole_game(engine, limits):
    board = chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        # python-chess refuses a move that is not legal.
        board.push(engine.play(board, limits[board.turn]).move)
    assert board.ply() > 10, board.fen()
    return board


def over_uci():
    with chess.engine.SimpleEngine.popen_uci([ASHTA, "uci"]) as engine:
        strong, weak = chess.engine.Limit(nodes=6000), chess.engine.Limit(nodes=100)
        board = whole_game(engine, {chess.WHITE: strong, chess.BLACK: weak})
        assert board.is_game_over(claim_draw=True), board.fen()
        print("UCI: a game of", board.ply(), "plies,", board.result(claim_draw=True))

        board = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
        found = engine.analyse(board, chess.engine.Limit(mate=2))
        assert found["score"].white().mate() == 2, found
        assert found["pv"][0] == chess.Move.from_uci("a1a6"), found

        board = chess.Board()
        only = chess.Move.from_uci("a2a3")
        assert engine.play(board, chess.engine.Limit(depth=5), root_moves=[only]).move == only
        lines = engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)
        assert len({line["pv"][0] for line in lines}) == 3, lines

        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": engine.options["UCI_Elo"].min})
        assert engine.play(board, chess.engine.Limit(time=0.2)).move in board.legal_moves
        engine.configure({"UCI_LimitStrength": False})

        with engine.analysis(board) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 5:
                    break
            analysis.stop()
            assert analysis.wait().move in board.legal_moves
        clock = chess.engine.Limit(white_clock=0.3, black_clock=0.3, white_inc=0.01, black_inc=0.01)
        assert engine.play(board, clock).move in board.legal_moves


def over_xboard():
    with chess.engine.SimpleEngine.popen_xboard([ASHTA, "xboard"]) as engine:
        board = whole_game(engine, {chess.WHITE: chess.engine.Limit(depth=5), chess.BLACK: chess.engine.Limit(depth=1)})
        assert board.is_game_over(claim_draw=True), board.fen()
        print("XBoard: a game of", board.ply(), "plies,", board.result(claim_draw=True))
        board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
        assert engine.play(board, chess.engine.Limit(time=0.1)).move == chess.Move.from_uci("d1d8")
        info = engine.analyse(board, chess.engine.Limit(depth=3))
        assert info["pv"][0] == chess.Move.from_uci("d1d8"), info


over_uci()
over_xboard()
