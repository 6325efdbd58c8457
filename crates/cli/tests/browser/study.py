"""Problems, endings and openings, studied as a person does."""

import json
import pathlib
import re

from laboratory import expect, own_server, picture, run

MATE_IN_TWO = "8/8/7k/7p/8/4K1R1/2R5/8 w - - 0 1"
IN_PASSING = "8/2B1k3/2K5/3pP3/4R3/8/8/5Q2 w - d6 0 1"
CASTLES = "2Q5/8/8/8/8/8/2R5/R3K2k w Q - 0 1"
TSUME = "7k1/4B4/6+P2/9/9/9/9/9/9 b Rrb4g4s4n4l17p 1"


def click_move(page, start, end):
    page.locator(f'.board [data-square="{start}"]').click()
    page.locator(f'.board [data-square="{end}"]').click()


def pictures(page, name):
    """In the light and in the dark."""
    picture(page, name)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    picture(page, f"{name}-dark")
    page.evaluate("document.documentElement.dataset.theme = 'light'")


def test_a_mate_in_two_is_solved_and_stepped_through(page, lab):
    page.goto(f"{lab.url}/#/study/problems")
    expect(page.locator(".study-example")).to_have_count(7)
    expect(page.locator(".study-example svg")).to_have_count(7)
    pictures(page, "study-problems")
    page.get_by_role("textbox", name="FEN").fill(MATE_IN_TWO)
    page.get_by_role("textbox", name="FEN").press("Enter")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("heading", name="Mate in 2, one key")).to_be_visible()
    key = page.locator(".step.key")
    expect(key).to_have_text("1.Rh2!")
    expect(page.locator(".aim")).to_have_text("zugzwang")
    key.click()
    expect(page.locator('.board [data-piece="h2"]')).to_be_attached()
    defence = page.locator(".step.reply").first
    defence.click()
    expect(defence).to_have_attribute("aria-current", "true")
    expect(page.locator(".study-where")).to_contain_text("Rh2")
    # From the defence on with the keyboard to the mate.
    defence.press("ArrowRight")
    expect(page.locator(".study-where")).to_contain_text("#")
    pictures(page, "study-solution")
    page.reload()
    expect(page.get_by_role("heading", name="Mate in 2, one key")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON").click()
    assert json.loads(pathlib.Path(saved.value.path()).read_text())["mate"]["mate_in"] == 2


def test_a_solution_is_seen_and_heard_on_a_phone(page, lab):
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script("localStorage.setItem('language', 'ja')")
    page.goto(f"{lab.url}/#/study/problems?game=chess&position={MATE_IN_TWO}&mate=2")
    page.get_by_role("button", name="解く", exact=True).click()
    expect(page.get_by_role("heading", name="2手で詰み、初手は一つ")).to_be_in_viewport()
    expect(page.locator("#spoken")).to_have_text("2手で詰み、初手は一つ")


def test_tries_are_told_and_no_mate_is_proved(page, lab):
    page.goto(f"{lab.url}/#/study/problems?game=chess&position={MATE_IN_TWO}&mate=2")
    page.get_by_label("Tries too").check()
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_text(re.compile(r"Tries: \d+")).click()
    expect(page.locator(".step.refutes").first).to_be_visible()
    page.get_by_label("Moves", exact=True).fill("1")
    page.get_by_label("Moves", exact=True).press("Tab")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("heading", name="No mate in 1 moves: proved")).to_be_visible()


def test_a_problem_keeps_castling_rights_and_en_passant(page, lab):
    """The only mate is a capture in passing; and castling that the text denies is none."""
    for text, said in [(IN_PASSING, "Mate in 1, one key"), (IN_PASSING.replace(" d6 ", " - "), "No mate in 1 moves: proved"),
                       (CASTLES, "Mate in 1, one key"), (CASTLES.replace(" Q ", " - "), "No mate in 1 moves: proved")]:
        page.goto("about:blank")
        page.goto(f"{lab.url}/#/study/problems?mate=1")
        fen = page.get_by_role("textbox", name="FEN")
        fen.fill(text)
        fen.press("Enter")
        assert fen.input_value() == text, fen.input_value()
        page.get_by_role("button", name="Solve", exact=True).click()
        expect(page.get_by_role("heading", name=said)).to_be_visible()


def test_a_problem_is_tried_by_hand(page, lab):
    page.goto(f"{lab.url}/#/study/problems?game=chess&position={MATE_IN_TWO}&mate=2&mode=try")
    said = page.locator(".study-verdict")
    expect(said).to_contain_text("mate in 2")
    click_move(page, "c2", "c5")
    expect(said).to_contain_text("refutes it")
    page.get_by_role("button", name="Take back").click()
    click_move(page, "c2", "h2")
    expect(said).to_contain_text("Right. The longest defence is")
    reply = re.search("defence is (\\w+);", said.inner_text()).group(1)
    expect(page.locator(f'.board [data-piece="{reply[-2:]}"]')).to_be_attached()
    pictures(page, "study-try")
    # The rook mates on the file that the key has taken.
    page.locator(f'.board [data-square="h2"]').click()
    page.locator(f'.board .square.target[data-square="{"h5" if reply == "Kh7" else "h4"}"]').click()
    expect(said).to_contain_text("Mate. Solved!")


def test_a_long_search_is_stopped(page, lab):
    page.goto(f"{lab.url}/#/study/problems?game=chess&mate=9")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator(".study-progress")).to_contain_text("length", timeout=10_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".study-progress")).to_be_hidden()
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_enabled()


def test_a_tsume_in_shogi(page, lab):
    page.goto(f"{lab.url}/#/study/problems?game=shogi&position={TSUME.replace('+', '%2B')}&tsume=1")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("heading", name="Mate by checks in 3 plies")).to_be_visible()
    steps = page.locator(".tsume .step")
    expect(steps).to_have_count(3)
    steps.nth(2).click()
    expect(page.locator('.board [data-piece="2b"]')).to_be_attached()
    pictures(page, "study-tsume")
    page.get_by_role("button", name="Try it yourself").first.click()
    said = page.locator(".study-verdict")
    expect(said).to_contain_text("mate by checks in 3 plies")
    page.locator('.board [data-hand="0:rook"]').click()
    page.locator('.board [data-square="9i"]').click()
    expect(said).to_contain_text("Every move must give check.")
    page.get_by_role("button", name="Take back").click()
    page.locator('.board [data-hand="0:rook"]').click()
    page.locator('.board [data-square="2c"]').click()
    expect(said).to_contain_text("1 plies left")


def test_a_file_of_problems(page, lab):
    page.goto(f"{lab.url}/#/study/problems?game=chess&mate=2")
    epd = "8/8/7k/7p/8/4K1R1/2R5/8 w - - dm 2; bm Rh2; id \"quiet\";\nnonsense\n8/8/8/8/k2K2p1/8/3Q4/3N4 w - - dm 2; bm Qd3; id \"wrong\";\n"
    page.locator("#problem-file").set_input_files({"name": "three.epd", "mimeType": "text/plain", "buffer": epd.encode()})
    expect(page.get_by_text("3 problems: 2 solved, 0 without a mate, 1 not as the file says, 1 unreadable.")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save CSV").click()
    lines = pathlib.Path(saved.value.path()).read_text().splitlines()
    assert len(lines) == 4 and lines[1].startswith("1,quiet,"), lines


def test_an_ending_is_made_and_practised(page, lab):
    page.goto(f"{lab.url}/#/study/endings")
    page.locator('[data-material="KRK"]').click()
    expect(page.get_by_text("Longest win: 16 moves (31 plies)").first).to_be_visible(timeout=60_000)
    expect(page.locator(".worth-marks circle").first).to_be_attached()
    expect(page.get_by_text("White to move wins in 16")).to_be_visible()
    pictures(page, "study-endings")
    page.get_by_role("button", name="Practise").click()
    said = page.locator(".study-verdict")
    expect(said).to_contain_text("Win this position")
    position, plies = practised(page, lab)
    moves = lab.ask("endings/probe", {"game": "chess", "position": position, "moves": []})["moves"]
    best = moves[0]["coordinates"]
    click_move(page, best[:2], best[2:4])
    if plies > 1:
        expect(said).to_contain_text("is best.")
        now = re.search("moves=([^&]*)", page.url).group(1).replace("+", " ").replace("%20", " ").split()
        moves = lab.ask("endings/probe", {"game": "chess", "position": position, "moves": now})["moves"]
        slow = next(move for move in moves if move["worth"] != moves[0]["worth"])
        click_move(page, slow["coordinates"][:2], slow["coordinates"][2:4])
        expect(said).to_contain_text(re.compile("wins in \\d+; .* would have won in \\d+|The win is gone"))
        pictures(page, "study-ending-practice")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the game").click()
        assert f'[FEN "{position.split(" ")[0]}' in pathlib.Path(saved.value.path()).read_text()
        page.reload()
        expect(page.locator(".board")).to_be_visible()


def practised(page, lab):
    """The position that is practised: the first seed from here that takes more than a few moves, so that nothing is left to luck."""
    for seed in range(1, 50):
        drawn = lab.ask("endings/practice", {"game": "chess", "material": "KRK", "seed": seed})
        if drawn["plies"] > 12:
            page.goto(f"{page.url.split('#')[0]}#/study/endings?game=chess&material=KRK&mode=practise&seed={seed}")
            expect(page.locator(".study-verdict")).to_contain_text(f"{(drawn['plies'] + 1) // 2} moves")
            return drawn["position"], drawn["plies"]
    raise AssertionError("no long win among 50 positions")


def test_any_position_of_an_ending(page, lab):
    page.goto(f"{lab.url}/#/study/endings?game=chess&material=KQK&mode=setup")
    page.get_by_role("textbox", name="FEN").fill("8/8/8/8/8/2k5/8/K6Q w - - 0 1")
    page.get_by_role("textbox", name="FEN").press("Enter")
    page.get_by_role("button", name="Evaluate").click()
    expect(page.get_by_text(re.compile("White to move wins in"))).to_be_visible()
    expect(page.locator(".study-moves-of tbody tr")).not_to_have_count(0)


def test_a_game_without_tables_says_so(page, lab):
    page.goto(f"{lab.url}/#/study/endings?game=shogi")
    expect(page.get_by_text("No tablebase can be built for this game: captured pieces can be dropped")).to_be_visible()


@own_server
def test_a_book_is_made_edited_practised_and_saved(page, lab):
    page.goto(f"{lab.url}/#/study/openings")
    expect(page.get_by_text("There is no book yet.")).to_be_visible()
    page.get_by_label("Name").fill("my-lines")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", name="my-lines")).to_be_visible()
    for start, end in [("e2", "e4"), ("e7", "e5"), ("g1", "f3")]:
        click_move(page, start, end)
        expect(page.locator(f'.tree .step[aria-current="true"]')).to_have_count(1)
        expect(page.locator(f'.board [data-piece="{end}"]')).to_be_attached()
    steps = page.locator(".tree .step")
    expect(steps).to_have_count(3)
    page.get_by_label("Name of this position").fill("King's knight")
    page.get_by_label("Name of this position").press("Tab")
    expect(page.locator(".tree em")).to_have_text("King's knight")
    page.get_by_role("button", name="! good move", exact=True).click()
    expect(page.locator(".tree")).to_contain_text("Nf3!")
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    undo.click()
    expect(page.locator(".tree")).not_to_contain_text("Nf3!")
    undo.click()
    expect(page.locator(".tree em")).to_have_count(0)
    undo.click()
    expect(steps).to_have_count(2)
    redo.click()
    expect(steps).to_have_count(3)
    redo.click()
    expect(page.locator(".tree em")).to_have_text("King's knight")
    redo.click()
    expect(page.locator(".tree")).to_contain_text("Nf3!")
    page.reload()
    expect(page.locator(".tree")).to_contain_text("Nf3!")
    # Another order of moves to the same position.
    page.get_by_role("button", name="To the start").click()
    for start, end in [("g1", "f3"), ("e7", "e5"), ("e2", "e4")]:
        click_move(page, start, end)
        expect(page.locator(f'.board [data-piece="{end}"]')).to_be_attached()
    expect(page.get_by_text("Also reached by")).to_be_visible()
    pictures(page, "study-book")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save PGN").click()
    text = pathlib.Path(saved.value.path()).read_text()
    assert "1. e4" in text and "King's knight" in text and "$1" in text, text


@own_server
def test_a_move_of_a_book_is_put_right(page, lab):
    lab.ask("books", {"name": "mended", "game": "chess"})
    lab.ask("books/mended/edit", {"action": "add", "line": "e2e4 e7e5 g1f3"})
    page.goto(f"{lab.url}/#/study/openings/mended?line=e2e4+e7e5")
    page.get_by_role("button", name="Play another instead").click()
    expect(page.get_by_text("Play the move that is to stand in the place of e5")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Play another instead").click()
    click_move(page, "c7", "c5")
    expect(page.locator('.tree .step[aria-current="true"]')).to_have_text("1…c5")
    expect(page.locator(".tree .step")).to_have_text(["1.e4", "1…c5"])
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".tree")).to_contain_text("1…e5")


@own_server
def test_a_book_is_practised(page, lab):
    lab.ask("books", {"name": "drill", "game": "chess"})
    lab.ask("books/drill/edit", {"action": "add", "line": "e2e4 e7e5 g1f3 b8c6"})
    page.goto(f"{lab.url}/#/study/openings/drill/practice")
    said = page.locator(".study-verdict")
    expect(said).to_contain_text("Your move?")
    expect(page.locator(".study-score")).to_contain_text("2 / 2")
    click_move(page, "d2", "d4")
    expect(said).to_contain_text("d4 is not in the book")
    click_move(page, "e2", "e4")
    expect(said).to_contain_text("e4 is right.")
    click_move(page, "g1", "f3")
    expect(said).to_contain_text("The line ends here.")
    expect(page.locator(".study-score")).to_contain_text("1 / 2")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the game").click()
    assert "1. e4 e5 2. Nf3 Nc6" in pathlib.Path(saved.value.path()).read_text()
    pictures(page, "study-drill")
    page.get_by_role("button", name="Next line").click()
    expect(page.locator(".study-score")).to_contain_text("1 / 2")


@own_server
def test_the_program_plays_from_a_book(page, lab):
    lab.ask("books", {"name": "odd", "game": "chess"})
    lab.ask("books/odd/edit", {"action": "add", "line": "e2e4 h7h5 a2a3"})
    page.goto(f"{lab.url}/#/play/chess?player=level:1")
    page.get_by_label("Opening book of the program").select_option("odd")
    click_move(page, "e2", "e4")
    expect(page.locator(".moves .move")).to_have_text(["e4", "h5"])
    # The choice stays with the next game; beyond the book the program thinks for itself.
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_label("Opening book of the program")).to_have_value("odd")
    click_move(page, "d2", "d4")
    expect(page.locator(".moves .move")).to_have_count(2)


@own_server
def test_a_book_grows_from_a_file(page, lab):
    lab.ask("books", {"name": "grown", "game": "chess"})
    page.goto(f"{lab.url}/#/study/openings/grown")
    page.get_by_text("Grow from games").click()
    games = "".join(f'[Result "{result}"]\n\n1. {moves} {result}\n\n' for moves, result in [("e4 e5 2. Nf3", "1-0"), ("e4 c5", "0-1"), ("d4 d5", "1/2-1/2")])
    page.locator("#book-file").set_input_files({"name": "club.pgn", "mimeType": "text/plain", "buffer": games.encode()})
    expect(page.get_by_text("3 games added")).to_be_visible()
    expect(page.locator(".study-next tbody tr")).to_have_count(2)
    expect(page.locator(".results").first).to_be_visible()
    pictures(page, "study-grown")


def test_in_japanese(page, lab):
    page.goto(f"{lab.url}/#/study/problems?game=shogi&position={TSUME.replace('+', '%2B')}&tsume=1")
    page.get_by_role("button", name="日本語").click()
    page.get_by_role("button", name="解く", exact=True).click()
    expect(page.get_by_role("heading", name="3手詰", exact=True)).to_be_visible()
    picture(page, "study-tsume-ja")
    page.goto(f"{lab.url}/#/study/endings?game=chess&material=KQK")
    expect(page.get_by_text("最長の勝ち：10手（19プライ）").first).to_be_visible(timeout=60_000)
    picture(page, "study-endings-ja")
    assert "study." not in page.locator("#main").inner_text()


if __name__ == "__main__":
    run(globals())
