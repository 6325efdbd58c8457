"""A person plays: by click, drag, keys and typing, with clocks, hints, scores, and dice."""

import json
import re

from laboratory import PICTURES, expect, picture, run, settle, wait_until, wait_while


def sit(page, lab, spec="chess", **query):
    """Opens the view on a new game; programs and dice do the same every time."""
    asked = "&".join(f"{key}={value}" for key, value in {"seed": 1, **query}.items())
    # Another address first: what is only another query of the same page is not loaded anew.
    page.goto("about:blank")
    page.goto(f"{lab.url}/#/play/{spec}?{asked}")
    expect(page.locator(".play .status")).not_to_have_text("Loading…")
    settle(page)


def cell(page, square):
    return page.locator(f'[data-square="{square}"]')


def middle(page, square):
    box = cell(page, square).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def may_move(page):
    """Until the board takes moves: a person sees the pieces before they touch them."""
    expect(page.locator(".play .board:not(.waiting)")).to_have_count(1)


def click(page, *squares):
    for square in squares:
        may_move(page)
        page.mouse.click(*middle(page, square))


def drag(page, start, end):
    may_move(page)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def moves(page):
    return page.locator(".play .moves button")


def status(page):
    return page.locator(".play .status")


def kept(page, spec):
    return json.loads(page.evaluate(f"localStorage.getItem('play:{spec}')"))


def type_move(page, text):
    page.get_by_label("Type a move").fill(text)
    page.get_by_label("Type a move").press("Enter")


def test_a_newcomer_can_move_at_once(page, lab):
    page.goto(lab.url)
    expect(status(page)).to_have_text("Your move: White.")
    click(page, "e2", "e4")
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("e4")
    expect(status(page)).to_contain_text("Your move: White.")
    expect(page).to_have_url(re.compile("#/play/chess$"))
    picture(page, "play-chess")


def test_nothing_moves_while_it_loads(page, lab):
    page.add_init_script("""window.shifts = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value; }).observe({ type: 'layout-shift', buffered: true });""")
    for spec in ["chess", "shogi", "four-handed"]:
        sit(page, lab, spec)
        page.reload(wait_until="networkidle")
        assert page.evaluate("window.shifts") < 0.02, (spec, page.evaluate("window.shifts"))


def test_drag_keys_and_typing(page, lab):
    sit(page, lab, player="human")
    drag(page, middle(page, "d2"), middle(page, "d4"))
    expect(moves(page)).to_have_text(["d4"])
    type_move(page, "d5")
    expect(moves(page)).to_have_count(2)
    cell(page, "c2").focus()
    for key in ["Enter", "ArrowUp", "ArrowUp", "Enter"]:
        page.keyboard.press(key)
    expect(moves(page)).to_have_count(3)
    assert kept(page, "chess")["moves"][2] == "c2c4"
    type_move(page, "Na6")
    expect(moves(page)).to_have_text(["d4", "d5", "c4", "Na6"])
    type_move(page, "Qh9")
    expect(page.locator(".notice.wrong")).to_be_visible()
    expect(moves(page)).to_have_count(4)


def test_an_illegal_move_is_refused_with_the_reason(page, lab):
    sit(page, lab, "chess", position="4k3/8/8/8/4q3/8/4R3/4K2R w K - 0 1", player="human")
    said = page.locator(".notice").last
    drag(page, middle(page, "e2"), middle(page, "d2"))
    expect(said).to_have_text(re.compile("^the rook on e2 is pinned by the queen on e4"))
    click(page, "e1", "c3")
    expect(said).to_have_text(re.compile("^the king on e1 does not move to c3"))
    type_move(page, "Rhg2")
    expect(page.locator(".notice.wrong").last).to_contain_text("the rook on h1 does not move to g2")
    # A piece that cannot move at all says why it cannot go there.
    sit(page, lab, "chess", position="4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", player="human")
    click(page, "e2", "c3")
    expect(said).to_have_text(re.compile("^the knight on e2 is pinned by the rook on e4"))
    expect(moves(page)).to_have_count(0)
    page.get_by_role("button", name="日本語").click()
    expect(status(page)).to_have_text("白の番です。")
    click(page, "e2", "c3")
    expect(said).to_have_text(re.compile("^e2 のナイトは e4 のルークにピンされていて動けません"))
    page.get_by_role("button", name="English").click()
    sit(page, lab, "shogi", position="4k4/9/9/9/9/9/4P4/9/4K4%20b%20P%201", player="human")
    page.locator('[data-hand="0:pawn"]').click()
    click(page, "5e")
    expect(said).to_have_text(re.compile("^a pawn may not be dropped on 5e: its side already has 1 on this file"))
    sit(page, lab, "four-handed", moves="2-4", player="human")
    click(page, "a2", "a3")
    expect(said).to_have_text(re.compile("^the padati on a2 moves on a 5, which was not thrown"))


def test_a_whole_game_by_keyboard_alone(page, lab):
    sit(page, lab)
    page.get_by_label("Who plays Black").select_option("human")
    page.keyboard.press("Tab")
    for _ in range(30):
        if page.evaluate("document.activeElement.dataset.square"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.square") == "a1"

    def go(square):
        for _ in range(40):
            here = page.evaluate("document.activeElement.dataset.square")
            if here == square:
                return
            dx, dy = ord(square[0]) - ord(here[0]), int(square[1]) - int(here[1])
            page.keyboard.press("ArrowRight" if dx > 0 else "ArrowLeft" if dx < 0 else "ArrowUp" if dy > 0 else "ArrowDown")

    for n, (start, end) in enumerate([("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")]):
        go(start)
        page.keyboard.press("Enter")
        go(end)
        page.keyboard.press("Enter")
        expect(moves(page)).to_have_count(n + 1)
    expect(status(page)).to_have_text("Black wins: checkmate.")
    expect(page.locator(".board .check")).to_have_count(1)
    picture(page, "play-mate")


def test_capture_ring_take_back_and_redo(page, lab):
    sit(page, lab, "chess", moves="e2e4,d7d5")
    click(page, "e4")
    expect(page.locator(".board .ring")).to_have_count(1)
    click(page, "d5")
    expect(moves(page)).to_have_count(4)
    before = kept(page, "chess")["moves"]
    page.get_by_role("button", name="Take back").click()
    expect(moves(page)).to_have_count(2)
    expect(status(page)).to_have_text("Your move: White.")
    page.get_by_role("button", name="Redo").click()
    expect(moves(page)).to_have_count(4)
    assert kept(page, "chess")["moves"] == before
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("button", name="Take back").click()
    expect(moves(page)).to_have_count(0)


def test_stepping_through_and_flip(page, lab):
    sit(page, lab, "chess", moves="e2e4,e7e5,g1f3,b8c6")
    page.get_by_role("button", name="To the start").click()
    expect(status(page)).to_have_text("After 0 of 4 moves.")
    expect(cell(page, "e2")).to_have_attribute("aria-label", "e2, white pawn")
    page.keyboard.press("ArrowRight")
    expect(cell(page, "e4")).to_have_attribute("aria-label", "e4, white pawn")
    page.keyboard.press("End")
    expect(cell(page, "c6")).to_have_attribute("aria-label", "c6, black knight")
    moves(page).nth(2).click()
    expect(moves(page).nth(2)).to_have_attribute("aria-current", "step")
    before = middle(page, "a1")
    page.get_by_role("button", name="Flip the board").click()
    after = middle(page, "a1")
    assert after[1] < before[1] and after[0] > before[0]
    assert page.locator(".seat").first.get_attribute("data-side") == "0"


def test_hint_evaluation_and_why(page, lab):
    sit(page, lab, "chess", moves="e2e4,e7e5")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".advice")).to_contain_text("Try ")
    expect(page.locator(".board .arrow")).to_have_count(1)
    page.get_by_label("Show who is better").check()
    expect(page.locator(".evaluation span")).to_have_text(re.compile(r"\d\.\d"))
    page.get_by_role("button", name="Why?").click()
    table = page.locator(".explanation table")
    expect(table).to_contain_text("Position")
    expect(table.locator("tbody tr")).to_have_count(8)
    page.get_by_role("button", name=re.compile("All .* moves")).click()
    assert table.locator("tbody tr").count() > 20
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert download.value.path().read_text().startswith("move,GAIN,CONCENTRATION")
    picture(page, "play-why")
    page.get_by_label("Search depth, plies").select_option("3")
    expect(page.locator(".explanation")).to_contain_text("the total over 3 plies")


def test_a_reload_loses_nothing(page, lab):
    sit(page, lab)
    click(page, "e2", "e4")
    expect(moves(page)).to_have_count(2)
    before = kept(page, "chess")["moves"]
    page.reload()
    expect(moves(page)).to_have_count(2)
    assert kept(page, "chess")["moves"] == before
    sit(page, lab, "shogi")
    expect(moves(page)).to_have_count(0)
    page.goto(f"{lab.url}/#/play/chess")
    expect(moves(page)).to_have_count(2)
    page.goto(f"{lab.url}/#/games")
    page.goto(f"{lab.url}/#/play")
    expect(moves(page)).to_have_count(2)


def test_shogi_with_a_drop_and_a_promotion(page, lab):
    sit(page, lab, "shogi", moves="7g7f,3c3d")
    page.get_by_label("Who plays White").select_option("human")
    click(page, "8h", "2b")
    choice = page.get_by_role("dialog", name="Which one?")
    expect(choice.get_by_role("button")).to_have_count(2)
    choice.get_by_role("button", name="horse").click()
    expect(moves(page)).to_have_count(3)
    click(page, "3a", "2b")
    expect(moves(page)).to_have_count(4)
    page.locator('[data-hand="0:bishop"]').click()
    click(page, "5e")
    expect(moves(page)).to_have_count(5)
    assert kept(page, "shogi")["moves"][-1] == "B*5e"
    picture(page, "play-shogi")
    page.get_by_label("Pieces").select_option("western")
    expect(page.locator('.board [data-piece="5i"]')).to_contain_text("K")
    page.reload()
    expect(page.locator('.board [data-piece="5i"]')).to_contain_text("K")


def test_scores_are_saved_and_loaded(page, lab):
    sit(page, lab, "chess", moves="e2e4,e7e5,g1f3,b8c6")
    page.get_by_text("Save, load, print").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).click()
    path = download.value.path()
    text = path.read_text()
    assert "1. e4 e5 2. Nf3 Nc6" in text, text
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(moves(page)).to_have_count(0)
    page.get_by_label("Load a file").set_input_files({"name": "game.pgn", "mimeType": "text/plain", "buffer": text.encode()})
    expect(moves(page)).to_have_count(4)
    assert kept(page, "chess")["moves"] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    page.get_by_role("button", name="Copy the position").click()
    expect(page.locator(".notice").last).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").startswith("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w")
    page.get_by_role("button", name="Paste a game record").click()
    page.get_by_role("textbox", name="Paste a game record").fill("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1")
    page.get_by_role("button", name="Open").click()
    expect(moves(page)).to_have_count(0)
    expect(cell(page, "d2")).to_have_attribute("aria-label", "d2, white rook")


ANNOTATED = """[Event "Club night"]
[Date "1999.03.04"]
[White "Ada"]
[Black "Grace"]
[Result "0-1"]
[Annotator "Ida"]

{A short game.} 1. f3?! {weakens the king} e5 (1... d5 {solid} 2. d4 $16 (2. e3)) 2. g4?? Qh4# 0-1
"""


def paste(page, text):
    if page.locator("details.files").get_attribute("open") is None:
        page.get_by_text("Save, load, print").click()
    page.get_by_role("button", name="Paste a game record").click()
    page.get_by_role("textbox", name="Paste a game record").fill(text)
    page.get_by_role("button", name="Open").click()


def saved_score(page, form):
    """The game as a file."""
    page.get_by_label("File format").select_option(form)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).click()
    return download.value.path().read_text()


def test_a_pasted_score_keeps_all_that_it_says(page, lab):
    sit(page, lab)
    paste(page, ANNOTATED)
    record = page.get_by_role("region", name="The recorded game")
    expect(record).to_contain_text("Ada – Grace")
    expect(record).to_contain_text("Club night · 1999.03.04")
    expect(record.locator(".result")).to_have_text("0–1")
    expect(page.locator('.seat[data-side="0"]')).to_contain_text("Ada")
    for said in ("A short game.", "weakens the king", "solid"):
        expect(page.locator(".play .moves")).to_contain_text(said)
    expect(moves(page)).to_have_text(["f3?!", "e5", "d5", "d4±", "e3", "g4??", "Qh4#"])
    picture(page, "play-record")
    # Into the variation, on with the keyboard, and into the variation within it.
    page.get_by_role("button", name="d5", exact=True).click()
    expect(cell(page, "d5")).to_have_attribute("aria-label", "d5, black pawn")
    page.keyboard.press("ArrowRight")
    expect(cell(page, "d4")).to_have_attribute("aria-label", "d4, white pawn")
    page.get_by_role("button", name="e3", exact=True).click()
    expect(cell(page, "e3")).to_have_attribute("aria-label", "e3, white pawn")
    page.reload()
    expect(moves(page)).to_have_count(7)
    expect(page.locator(".play .moves [aria-current]")).to_have_text("e3")
    page.get_by_text("Save, load, print").click()
    written = saved_score(page, "pgn").replace("\n", " ")
    for tag in ('[White "Ada"]', '[Black "Grace"]', '[Result "0-1"]', '[Event "Club night"]', '[Date "1999.03.04"]', '[Annotator "Ida"]'):
        assert tag in written, (tag, written)
    assert "{A short game.} 1. f3?! {weakens the king} 1... e5 (1... d5 {solid} 2. d4 $16 (2. e3)) 2. g4?? Qh4# 0-1" in written, written
    # The page's own form has it, too.
    own = saved_score(page, "json")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(moves(page)).to_have_count(0)
    expect(record).to_have_count(0)
    page.get_by_label("Load a file").set_input_files({"name": "own.json", "mimeType": "application/json", "buffer": own.encode()})
    expect(record).to_contain_text("Ada – Grace")
    assert saved_score(page, "pgn").replace("\n", " ") == written
    page.get_by_role("button", name="To the start").click()
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("region", name="棋譜")).to_contain_text("Ada – Grace")


def test_what_is_played_beside_a_record_is_a_variation_of_it(page, lab):
    sit(page, lab)
    paste(page, '[White "Ada"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n')
    expect(status(page)).to_have_text("The recorded game ends here: 1–0.")
    expect(page.get_by_role("button", name="Resign")).to_be_disabled()
    moves(page).nth(1).click()
    expect(moves(page).nth(1)).to_have_attribute("aria-current", "step")
    click(page, "f1", "c4")
    expect(moves(page)).to_have_text(["e4", "e5", "Nf3", "Bc4"])
    click(page, "b8", "c6")
    expect(moves(page)).to_have_count(5)
    # After the end of the game, too; and one of them is taken out again.
    moves(page).nth(2).click()
    expect(cell(page, "f3")).to_have_attribute("aria-label", "f3, white knight")
    click(page, "g8", "f6")
    expect(moves(page)).to_have_text(["e4", "e5", "Nf3", "Bc4", "Nc6", "Nf6"])
    assert "1. e4 e5 2. Nf3 (2. Bc4 Nc6) (2... Nf6) 1-0" in saved_score(page, "pgn")
    page.get_by_role("button", name="Bc4", exact=True).click()
    page.get_by_role("button", name="Remove variation").click()
    expect(moves(page)).to_have_text(["e4", "e5", "Nf3", "Nf6"])
    assert "1. e4 e5 2. Nf3 (2... Nf6) 1-0" in saved_score(page, "pgn")
    # A game that the record leaves open goes on; of several games the first is taken, and that is said.
    paste(page, "1. d4 d5 *\n\n[Event \"another\"]\n\n1. c4 *\n")
    expect(page.locator(".notice").last).to_contain_text("The text has 2 games; this is the first.")
    expect(moves(page)).to_have_text(["d4", "d5"])
    click(page, "c2", "c4")
    expect(moves(page)).to_have_text(["d4", "d5", "c4"])
    assert "1. d4 d5 2. c4 *" in saved_score(page, "pgn")
    # Moves without tags keep what is said between them, and moves in coordinates are moves.
    paste(page, "1. e4 {said} e5 (1... c5) 2. Nf3")
    expect(moves(page)).to_have_text(["e4", "e5", "c5", "Nf3"])
    expect(page.locator(".play .moves")).to_contain_text("said")
    paste(page, "e2e4, e7e5")
    expect(moves(page)).to_have_text(["e4", "e5"])


def test_kif_of_shogi_comes_back(page, lab):
    sit(page, lab, "shogi", moves="7g7f,3c3d,8h2b%2B", player="human")
    expect(moves(page)).to_have_count(3)
    page.get_by_role("button", name="Take back").click()
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Redo").click()
    expect(moves(page)).to_have_count(3)
    page.get_by_text("Save, load, print").click()
    for form in ["kif", "csa", "usi", "json"]:
        page.get_by_label("File format").select_option(form)
        with page.expect_download() as download:
            page.get_by_role("button", name="Save", exact=True).click()
        written = download.value.path().read_bytes()
        before = kept(page, "shogi")["moves"]
        page.get_by_label("Load a file").set_input_files({"name": f"game.{form}", "mimeType": "text/plain", "buffer": written})
        expect(page.locator(".notice").last).to_contain_text(f"Loaded: {len(before)} moves")
        assert kept(page, "shogi")["moves"] == before, form


KIF = """手合割：平手
先手：甲
後手：乙
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:05/00:00:05)
*良い手
   2 ３四歩(33)   ( 0:07/00:00:07)
   3 ２二角成(88) ( 0:02/00:00:07)
   4 投了         ( 0:00/00:00:07)

変化：2手
   2 ８四歩(83)   ( 0:00/00:00:07)
"""


def test_a_kif_keeps_names_times_comments_and_variations(page, lab):
    sit(page, lab, "shogi")
    paste(page, KIF)
    record = page.get_by_role("region", name="The recorded game")
    expect(record).to_contain_text("甲 – 乙")
    expect(record.locator(".result")).to_have_text("1–0")
    expect(page.locator(".play .moves")).to_contain_text("良い手")
    expect(moves(page)).to_have_count(4)
    expect(moves(page).first).to_contain_text("0:05")
    moves(page).nth(2).click()
    expect(cell(page, "8d")).to_have_attribute("aria-label", "8d, white pawn")
    for form, wanted in [("kif", ["先手：甲", "後手：乙", "*良い手", "変化：2手", "８四歩(83)", "投了"]), ("csa", ["N+甲", "N-乙", "'*良い手", "%TORYO"]), ("jkf", ["良い手", "forks"])]:
        written = saved_score(page, form)
        assert all(word in written for word in wanted), (form, written)
    picture(page, "play-record-shogi")


def test_a_file_is_dropped(page, lab):
    sit(page, lab)
    page.evaluate("""() => {
      const given = new DataTransfer();
      given.items.add(new File(["1. d4 d5 2. c4 e6 *"], "queens.pgn"));
      document.querySelector(".view.play").dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
    }""")
    expect(moves(page)).to_have_count(4)
    page.evaluate("""() => {
      const given = new DataTransfer();
      given.items.add(new File(["this is no game at all"], "x.txt"));
      document.querySelector(".view.play").dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
    }""")
    expect(page.locator(".notice.wrong")).to_be_visible()
    expect(moves(page)).to_have_count(4)


def test_clocks(page, lab):
    sit(page, lab)
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Minutes + seconds added each move").select_option("own")
    dialog.get_by_role("spinbutton", name="Minutes").fill("0.05")
    dialog.get_by_role("spinbutton", name="Seconds added").fill("0")
    picture(page, "play-new")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".seat .clock")).to_have_count(2)
    expect(page.locator('[data-side="0"] .clock')).to_have_text("0:03.0")
    page.get_by_label("Who plays Black").select_option("human")
    click(page, "e2", "e4")
    expect(status(page)).to_have_text("Black has lost on time.")
    page.get_by_role("button", name="New game").click()
    dialog.get_by_label("Minutes + seconds added each move").select_option("10+5")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator('[data-side="0"] .clock')).to_have_text("10:00")
    click(page, "e2", "e4")
    expect(page.locator('[data-side="0"] .clock')).to_have_text("10:05")


def test_resigning_and_draws(page, lab):
    sit(page, lab, "chess", moves="e2e4,e7e5")
    # One button, which asks again and forgets it after a while.
    page.locator(".actions button", has_text="Resign").dblclick()
    expect(status(page)).to_have_text("White resigned.")
    sit(page, lab, "chess", position="4k3/8/8/8/8/8/q7/4K3%20w%20-%20-%200%201", moves="e1d1,a2b2,d1e1,b2c2", player="level:1")
    expect(moves(page)).to_have_count(4)
    page.get_by_role("button", name="Offer a draw").click()
    expect(page.locator(".notice").last).to_contain_text("plays on")
    page.get_by_label("Who plays Black").select_option("human")
    page.get_by_role("button", name="Offer a draw").click()
    expect(status(page)).to_have_text("Draw by agreement.")


def test_new_game_with_changes_and_another_side(page, lab):
    sit(page, lab, "shatranj")
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_text(re.compile("Changes of the rules")).click()
    box = dialog.locator(".change input").first
    name = dialog.locator(".change strong").first.text_content()
    box.check()
    expect(dialog.locator(".change input").first).to_be_checked()
    dialog.get_by_role("button", name="I move second").click()
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile(re.escape(f"shatranj%2B{name}").replace("%2B", r"(\+|%2B)")))
    expect(moves(page)).to_have_count(1)
    expect(status(page)).to_have_text("Your move: Black.")
    assert middle(page, "a1")[1] < middle(page, "a8")[1]


def test_from_a_position_of_the_editor(page, lab):
    sit(page, lab)
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_text("Start from another position").click()
    dialog.get_by_role("button", name="Clear").click()
    dialog.get_by_role("textbox", name="FEN").fill("4k3/8/8/8/8/8/4P3/4K3 w")
    dialog.get_by_role("textbox", name="FEN").press("Tab")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".play .board [data-piece]")).to_have_count(3)
    click(page, "e2", "e4")
    expect(moves(page)).to_have_count(2)
    page.reload()
    expect(moves(page)).to_have_count(2)


def from_position(page, text):
    """A new game between people from a position that is pasted into the editor."""
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_role("button", name="People").click()
    dialog.get_by_text("Start from another position").click()
    dialog.get_by_role("textbox", name="FEN").fill(text)
    dialog.get_by_role("textbox", name="FEN").press("Tab")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(dialog).to_be_hidden()


def test_a_pasted_position_keeps_castling_rights_and_en_passant(page, lab):
    sit(page, lab)
    rooks = "r3k2r/8/8/8/8/8/8/R3K2R w"
    from_position(page, f"{rooks} - - 0 1")
    expect(page.locator(".play .board [data-piece]")).to_have_count(6)
    click(page, "e1")
    expect(page.locator(".board .dot")).to_have_count(5)
    assert kept(page, "chess")["position"] == f"{rooks} - - 0 1"
    from_position(page, f"{rooks} K - 0 1")
    expect(cell(page, "g1")).to_have_attribute("aria-label", "g1, empty")
    click(page, "e1")
    expect(page.locator(".board .dot")).to_have_count(6)
    click(page, "g1")
    expect(moves(page)).to_have_text(["O-O"])
    from_position(page, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2")
    expect(page.locator(".play .board [data-piece]")).to_have_count(4)
    click(page, "e5", "d6")
    expect(moves(page)).to_have_text(["exd6"])
    expect(page.locator(".play .board [data-piece]")).to_have_count(3)


def test_the_program_on_both_sides(page, lab):
    sit(page, lab, "chess")
    page.get_by_label("Who plays White").select_option("level:1")
    wait_until(page, "document.querySelectorAll('.play .moves button').length >= 4")
    page.get_by_role("button", name="Stop").click()
    expect(status(page)).to_have_text("Stopped.")
    n = moves(page).count()
    page.get_by_role("button", name="Go on").click()
    wait_until(page, f"document.querySelectorAll('.play .moves button').length > {n}")
    page.get_by_role("button", name="Stop").click()


LION = "5gk5/12/12/7p4/5pp5/5N6/12/12/12/12/12/4GK6%20b%20-%201"


def test_a_lion_moves_twice_and_passes(page, lab):
    moves = page.locator(".play .moves")
    sit(page, lab, "chu-shogi", position=LION, player="human")
    click(page, "7f", "6e", "5d")
    expect(moves).to_contain_text("Lnx6ex5d")
    expect(page.locator(".board .last")).to_have_count(3)
    for language, label, written in [("日本語", "パス", "じっと"), ("English", "Pass", "--")]:
        page.get_by_role("button", name=language).click()
        sit(page, lab, "chu-shogi", position=LION, player="human")
        page.get_by_role("button", name=label, exact=True).click()
        expect(moves).to_contain_text(written)
    click(page, "6a", "6b")
    click(page, "7f", "6e", "7f")
    expect(moves).to_contain_text("Lnx!6e")
    # White has no lion and cannot pass.
    expect(page.get_by_role("button", name="Pass", exact=True)).to_be_hidden()


def test_passing_and_placing(page, lab):
    sit(page, lab, "janggi")
    page.get_by_role("button", name="Pass").click()
    expect(moves(page)).to_have_count(2)
    sit(page, lab, "sittuyin")
    page.locator('[data-hand="0:king"]').click()
    click(page, "e1")
    expect(moves(page)).to_have_count(2)


def test_every_game_is_answered(page, lab):
    """A move on the board by click, an answer, and again: in every game without dice."""
    for game in lab.ask("games"):
        spec = game["id"]
        if lab.ask(f"games/{spec}")["contest"]:
            continue
        sit(page, lab, spec)
        for turn in range(2):
            expect(moves(page)).to_have_count(2 * turn)
            expect(status(page)).to_contain_text("Your move")
            legal = lab.ask("position", {"game": spec, "moves": kept(page, spec)["moves"]})["moves"]
            chosen = [move for move in legal if move["to"]][len(legal) // 3]
            if chosen["from"]:
                click(page, chosen["from"])
            else:
                kinds = lab.ask(f"games/{spec}")["kinds"]
                page.locator(f'[data-hand="0:{kinds[chosen["drop"]]["name"]}"]').click()
            click(page, chosen["to"])
            if page.locator(".chooser").count():
                page.locator(f'.chooser [data-move="{chosen["text"]}"]').click()
            expect(moves(page)).to_have_count(2 * turn + 2)
            assert kept(page, spec)["moves"][2 * turn] == chosen["text"], spec


def throw_by_seed(page, seed):
    """A new game with a seed, and the first throw of it: as the dice show it and as the score has it."""
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_text("Dice and chance").click()
    dialog.get_by_label("Seed").fill(seed)
    dialog.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Throw the dice").click()
    # Blank dice lie there before: those with numbers have names.
    dice = page.locator(".contest .die[aria-label]")
    expect(dice).to_have_count(2)
    expect(moves(page)).to_have_count(1)
    state = kept(page, "four-handed")
    assert state["seed"] == int(seed) and len(state["moves"]) == len(state["movers"]) == 1, state
    return [die.get_attribute("aria-label") for die in dice.all()], state["moves"]


def test_the_same_seed_throws_the_same_dice(page, lab):
    sit(page, lab, "four-handed")
    thrown = [throw_by_seed(page, seed) for seed in ("4711", "4711", "12", "4711")]
    assert thrown[0] == thrown[1] == thrown[3], thrown
    assert thrown[2] != thrown[0], thrown


def test_what_was_on_its_way_does_not_reach_the_next_game(page, lab):
    """A throw that is answered late belongs to the game that it was asked for; two clicks are one throw."""
    sit(page, lab, "four-handed")
    held = []
    page.route("**/api/contest", lambda route: held.append(route))

    def answer():
        """Lets what was asked for be answered, and the page make of it what it will."""
        wait_while(page, lambda: not held, "a throw is asked for")
        assert len(held) == 1, f"{len(held)} throws are asked for"
        with page.expect_response("**/api/contest"):
            held.pop().continue_()
        settle(page)

    page.get_by_role("button", name="Throw the dice").dblclick()
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_text("Dice and chance").click()
    dialog.get_by_label("Seed").fill("4711")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(dialog).to_be_hidden()
    answer()
    state = kept(page, "four-handed")
    assert state["seed"] == 4711 and state["moves"] == [], state
    page.get_by_role("button", name="Throw the dice").dblclick()
    answer()
    expect(page.locator(".contest .die[aria-label]")).to_have_count(2)
    state = kept(page, "four-handed")
    assert len(state["moves"]) == len(state["movers"]) == 1, state


def test_legal_moves_are_saved(page, lab):
    sit(page, lab, "shogi")
    page.get_by_text("Save, load, print").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the legal moves").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0] == "coordinates,san,local" and len(lines) == 31 and "7g7f,P-7f,７六歩" in lines, lines


# Nobody reaches Red within two turns, whatever is thrown and whatever the programs choose.
FAR_FROM_RED = "gKgP2yK1bPbK/7yP/8/8/8/8/rPrPrPrP4/rOrNrRrK4 r 0 - -"


def take_a_turn(page):
    """Moves the first piece that can move, or passes."""
    own = page.locator(".board .square.movable")
    if not own.count():
        page.get_by_role("button", name="Pass", exact=True).click()
        return
    click(page, own.first.get_attribute("data-square"))
    click(page, page.locator(".board .square.target").first.get_attribute("data-square"))
    if page.locator(".chooser button").count():
        page.locator(".chooser button").first.click()
    end = page.get_by_role("button", name="End the turn")
    if end.count():
        end.click()


def test_four_hands_and_dice(page, lab):
    sit(page, lab, "four-handed", position=FAR_FROM_RED, player="expect:1", seed=7)
    expect(page.locator(".seat")).to_have_count(4)
    throw = page.get_by_role("button", name="Throw the dice")
    for turn in range(2):
        expect(throw).to_be_visible()
        n_before = moves(page).count()
        throw.click()
        expect(page.locator(".contest .die[aria-label]")).to_have_count(2)
        expect(page.locator(".contest")).to_contain_text("moves")
        expect(moves(page)).to_have_count(n_before + 1)
        if turn == 0:
            picture(page, "play-four")
        take_a_turn(page)
        wait_until(page, f"document.querySelectorAll('.play .moves button').length > {n_before + 1}")
    # Red and three programs have thrown and moved twice.
    expect(throw).to_be_visible()
    n = moves(page).count()
    assert n >= 16, n
    page.reload()
    expect(page.locator(".seat")).to_have_count(4)
    expect(moves(page)).to_have_count(n)


def test_japanese(page, lab):
    sit(page, lab, "shogi")
    page.get_by_role("button", name="日本語").click()
    expect(status(page)).to_have_text("あなたの番です（先手）。")
    page.get_by_label("手を入力").fill("7g7f")
    page.get_by_label("手を入力").press("Enter")
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_contain_text("歩")
    picture(page, "play-japanese")
    page.get_by_role("button", name="新しい対局").click()
    expect(page.get_by_role("dialog")).to_contain_text("対局者")
    english = page.evaluate("""async () => { const { default: words } = await import('/words/play.js'); const { default: board } = await import('/words/board.js');
      const all = [...Object.keys(words.en).filter((key) => !(key in words.ja)), ...Object.keys(board.en).filter((key) => !(key in board.ja)), ...Object.keys(words.ja).filter((key) => !(key in words.en))]; return all; }""")
    assert english == [], english


def test_dark_and_wide(page, lab):
    page.emulate_media(color_scheme="dark")
    for spec in ["chess", "shogi"]:
        sit(page, lab, spec, moves="e2e4,e7e5" if spec == "chess" else "7g7f,3c3d")
        picture(page, f"play-dark-{spec}")
    page.set_viewport_size({"width": 2560, "height": 1400})
    page.screenshot(path=PICTURES / "play-wide.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= 2560


def test_printing_shows_score_and_diagram(page, lab):
    sit(page, lab, "chess", moves="e2e4,e7e5,g1f3")
    expect(moves(page)).to_have_count(4)
    page.emulate_media(media="print")
    expect(page.locator(".printed")).to_be_visible()
    expect(page.locator(".printed")).to_contain_text("1. e4 e5 2. Nf3")
    expect(page.locator(".play .panel")).to_be_hidden()
    expect(page.locator(".play .board")).to_be_visible()
    assert page.locator("button:visible, select:visible").count() == 0, "nothing that is pressed is printed"
    page.screenshot(path=PICTURES / "play-print.png")


def test_two_tabs_go_on_with_one_game(page, lab):
    sit(page, lab, player="human")
    click(page, "e2", "e4")
    expect(moves(page)).to_have_count(1)
    other = page.context.new_page()
    other.goto(f"{lab.url}/#/play/chess")
    expect(moves(other)).to_have_count(1)
    click(other, "e7", "e5")
    expect(moves(page)).to_have_text(["e4", "e5"])
    click(page, "g1", "f3")
    expect(moves(other)).to_have_text(["e4", "e5", "Nf3"])
    # The tab that is closed last has not seen the last move; it must not bring the old game back.
    click(page, "b8", "c6")
    expect(moves(page)).to_have_count(4)
    other.close()
    page.reload()
    expect(moves(page)).to_have_text(["e4", "e5", "Nf3", "Nc6"])


def test_the_game_before_is_taken_up_again(page, lab):
    sit(page, lab, player="human")
    click(page, "d2", "d4")
    expect(moves(page)).to_have_count(1)
    page.goto(f"{lab.url}/#/play/chess?position=8/2P4k/8/8/8/8/8/K7 w - - 0 1&player=human")
    expect(moves(page)).to_have_count(0)
    page.get_by_text("Save, load, print").click()
    page.get_by_role("button", name="Previous game").click()
    expect(moves(page)).to_have_text(["d4"])


def test_what_acts_on_the_board_is_beside_it_on_a_phone(page, lab):
    page.set_viewport_size({"width": 390, "height": 844})
    sit(page, lab)
    expect(page.get_by_role("button", name="New game")).to_be_in_viewport()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".advice")).to_contain_text("Try")
    expect(page.locator(".advice")).to_be_in_viewport()
    expect(page.locator(".drawn path, .drawn polygon, .drawn line").first).to_be_in_viewport()


def finger(page, start, end):
    """A finger carries something from one point to another."""
    session = page.context.new_cdp_session(page)
    touch = lambda kind, *points: session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    touch("touchStart", start)
    for step in range(1, 9):
        touch("touchMove", tuple(a + (b - a) * step / 8 for a, b in zip(start, end)))
    touch("touchEnd")


def test_a_finger_moves_drops_and_scrolls(page, lab):
    phone = lab.new_context(page.context.browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    sit(page, lab, "shogi", moves="7g7f,3c3d,8h2b%2B,3a2b", player="human")
    box = page.locator('[data-hand="0:bishop"]').bounding_box()
    finger(page, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), middle(page, "5e"))
    expect(moves(page)).to_have_count(5)
    finger(page, middle(page, "8c"), middle(page, "8d"))
    expect(moves(page)).to_have_count(6)
    page.touchscreen.tap(*middle(page, "2g"))
    page.touchscreen.tap(*middle(page, "2f"))
    expect(moves(page)).to_have_count(7)
    # Where nothing stands that can be moved, it is the page that moves.
    finger(page, middle(page, "9e"), middle(page, "9a"))
    wait_until(page, "scrollY > 0")
    expect(moves(page)).to_have_count(7)
    phone.close()


WATCH_DELAYS = """window.delays = {};
    let pressed = 0;
    for (const press of ["pointerdown", "pointerup"]) addEventListener(press, () => { pressed = performance.now(); }, true);
    const seen = (name, what) => new MutationObserver((_, self) => {
        if (!document.querySelector(what)) return;
        delays[name] = performance.now() - pressed;
        self.disconnect();
    }).observe(document.querySelector(".view"), { childList: true, subtree: true, attributes: true });
    seen("dots", ".over .dot");
    seen("move", '[data-piece="e4"]');
    seen("reply", ".moves .move[data-ply='2']");"""


def test_nothing_is_waited_for(page, lab):
    """From the finger to what it wanted: the times are told; what was picked up shows its dots, and a move lies, before any answer."""
    sit(page, lab)
    page.evaluate(WATCH_DELAYS)
    click(page, "e2", "e4")
    expect(moves(page)).to_have_count(2)
    wait_until(page, "delays.reply !== undefined")
    delays = page.evaluate("delays")
    page.evaluate("""void (window.hinted = new Promise((done) => new MutationObserver((_, self) => {
        if (document.querySelector(".drawn").childElementCount) { self.disconnect(); done(performance.now()); }
    }).observe(document.querySelector(".board"), { childList: true, subtree: true })))""")
    page.evaluate("addEventListener('pointerup', () => { window.pressedAt = performance.now(); }, { capture: true, once: true })")
    page.get_by_role("button", name="Hint").click()
    delays["hint"] = page.evaluate("hinted.then((at) => at - pressedAt)")
    print("delays: " + ", ".join(f"{name} {ms:.0f} ms" for name, ms in delays.items()))
    assert delays["move"] <= delays["reply"], delays


def test_a_board_is_one_stop_of_the_tab_key(page, lab):
    sit(page, lab, "shogi", moves="7g7f,3c3d,8h2b%2B,3a2b", player="human")
    page.get_by_label("Who plays White").focus()
    stops = []
    while not stops or stops[-1] != "Who plays Black":
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert stops == ["black bishop in hand, 1", "9i, black lance", "Who plays Black"], stops
    # A click on a hand puts no frame around the whole board.
    page.locator('[data-hand="0:bishop"]').click()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") in ("none",), page.evaluate("document.activeElement.outerHTML.slice(0, 90)")


def test_a_player_that_the_list_has_not(page, lab):
    sit(page, lab)
    page.once("dialog", lambda dialog: dialog.accept("nodes:200"))
    page.get_by_label("Who plays Black").select_option(label="Another …")
    expect(page.get_by_label("Who plays Black")).to_have_value("nodes:200")
    click(page, "e2", "e4")
    expect(moves(page)).to_have_count(2)
    page.reload()
    expect(page.get_by_label("Who plays Black")).to_have_value("nodes:200")
    # Whoever changes their mind has the player as before.
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_label("Who plays Black").select_option(label="Another …")
    expect(page.get_by_label("Who plays Black")).to_have_value("nodes:200")
    page.once("dialog", lambda dialog: dialog.accept("uci:/bin/sh"))
    page.get_by_label("Who plays Black").select_option(label="Another …")
    click(page, "d2", "d4")
    expect(page.locator(".notice.wrong")).to_contain_text("the server does not start external engines")


def test_what_is_chosen_beside_the_board_stays(page, lab):
    sit(page, lab)
    page.get_by_label("Show who is better").check()
    page.reload()
    expect(page.get_by_label("Show who is better")).to_be_checked()


def test_a_wrong_address_says_so(page, lab):
    page.goto(f"{lab.url}/#/play/ches")
    expect(page.locator("#main")).to_contain_text("there is no game named `ches`")
    expect(page.locator("#main")).to_contain_text("did you mean `chess`?")
    page.get_by_role("link", name="Play chess instead").click()
    expect(status(page)).to_have_text("Your move: White.")


def test_what_was_kept_and_cannot_be_read_does_no_harm(page, lab):
    page.goto(f"{lab.url}/#/games")
    page.evaluate("localStorage.setItem('play:chess', JSON.stringify({ moves: ['e2e5', '<b>'], seats: ['human', 'nobody'], view: 9, at: 77, record: { tree: { plies: 3, nodes: [{ parent: 7 }] } } })); localStorage.setItem('play.last', '\"no-such-game\"')")
    page.goto(f"{lab.url}/#/play")
    expect(status(page)).to_have_text("Your move: White.")
    expect(moves(page)).to_have_count(0)


if __name__ == "__main__":
    run(globals())
