"""The board alone: every game is drawn, pieces can be placed and marked, pictures can be saved."""

import random

from laboratory import expect, picture, run

STAND = """async ({ spec, kind, options }) => {
  const { Board, withStyle } = await import("/board/board.js");
  // Before the squares have their places, as views do: a mouse that moves by them would miss.
  await withStyle("/board/board.css");
  const { Editor } = await import("/board/editor.js");
  const { miniature } = await import("/board/miniature.js");
  const sheet = await (await fetch("/api/games/" + encodeURIComponent(spec))).json();
  const main = document.getElementById("main");
  main.replaceChildren();
  window.sheet = sheet; window.played = []; window.said = [];
  if (kind === "editor") {
    window.editor = new Editor(sheet, { ...options, onChange: (text) => window.said.push(text) });
    main.append(window.editor.element);
  } else if (kind === "miniature") {
    main.append(miniature(sheet, sheet.start, options));
  } else {
    window.board = new Board(sheet, { ...options, onMove: (text) => window.played.push(text) });
    window.board.set(sheet.start);
    main.append(window.board.element);
  }
}"""


def stand(page, lab, spec, kind="board", **options):
    """Puts a board on an empty page."""
    page.goto(f"{lab.url}/#/jobs")
    # The view that is shown there puts nothing in the board's place any more.
    expect(page).to_have_title("Jobs · Ashtapada")
    page.evaluate(STAND, {"spec": spec, "kind": kind, "options": options})


def cell(page, square):
    return page.locator(f'[data-square="{square}"]')


def middle(page, square):
    box = cell(page, square).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def played(page):
    return page.evaluate("window.played")


def test_every_game_is_drawn(page, lab):
    games = lab.ask("games")
    assert len(games) >= 19, len(games)
    pictured = {"shogi", "xiangqi", "janggi", "four-handed", "grant-acedrex", "courier", "capablanca", "tori-shogi", "wa-shogi", "minishogi", "sittuyin"}
    for game in games:
        stand(page, lab, game["id"])
        sheet = lab.ask(f"games/{game['id']}")
        expect(page.locator(".board [data-piece]")).to_have_count(len(sheet["start"]["board"]))
        expect(page.locator(".board [data-square]")).to_have_count(sum(name is not None for row in sheet["squares"] for name in row))
        bad = page.locator(".board svg").evaluate("svg => svg.outerHTML.match(/NaN|undefined|null/)?.[0] ?? ''")
        assert not bad, f"{game['id']} is drawn with {bad}"
        page.evaluate("board.flip()")
        expect(page.locator(".board [data-piece]")).to_have_count(len(sheet["start"]["board"]))
        page.evaluate("board.flip(); board.setPieces('western')")
        expect(page.locator(".board [data-piece]")).to_have_count(len(sheet["start"]["board"]))
        page.evaluate("board.setPieces('auto')")
        if game["id"] in pictured:
            picture(page, f"board-{game['id']}")


def test_first_square_is_dark_and_flip_turns(page, lab):
    stand(page, lab, "chess")
    a1 = middle(page, "a1")
    h8 = middle(page, "h8")
    assert a1[0] < h8[0] and a1[1] > h8[1]
    x, y = page.locator(".board .dark").evaluate_all("all => { const r = all.at(-1).getBoundingClientRect(); return [r.left, r.top]; }")
    shades = page.evaluate("[...document.querySelectorAll('.board .dark')].some(r => { const a = r.getBoundingClientRect(), b = document.querySelector('[data-square=a1]').getBoundingClientRect(); return Math.abs(a.left - b.left) < 8 && Math.abs(a.top - b.top) < 8; })")
    assert shades, (x, y)
    page.evaluate("board.flip()")
    a1 = middle(page, "a1")
    h8 = middle(page, "h8")
    assert a1[0] > h8[0] and a1[1] < h8[1]


def test_click_drag_touch_and_keys_move(page, lab):
    stand(page, lab, "chess")
    page.mouse.click(*middle(page, "e2"))
    expect(page.locator(".board .dot")).to_have_count(2)
    page.mouse.click(*middle(page, "e4"))
    assert played(page) == ["e2e4"]
    page.evaluate("board.set(sheet.start)")
    drag(page, middle(page, "g1"), middle(page, "f3"))
    assert played(page) == ["e2e4", "g1f3"]
    page.evaluate("board.set(sheet.start)")
    page.mouse.click(*middle(page, "b1"))
    page.mouse.click(*middle(page, "b5"))
    expect(page.locator(".board .dot")).to_have_count(0)
    cell(page, "d2").focus()
    page.keyboard.press("Enter")
    for key in ["ArrowUp", "ArrowUp", "Enter"]:
        page.keyboard.press(key)
    assert played(page)[-1] == "d2d4"
    page.evaluate("board.set(sheet.start)")
    cell(page, "d2").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".board .dot")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".board .dot")).to_have_count(0)


def test_squares_say_what_stands_there(page, lab):
    stand(page, lab, "chess")
    expect(cell(page, "e2")).to_have_attribute("aria-label", "e2, white pawn")
    expect(cell(page, "e4")).to_have_attribute("aria-label", "e4, empty")
    page.mouse.click(*middle(page, "e2"))
    expect(cell(page, "e4")).to_have_attribute("aria-label", "e4, empty, you can move here")
    expect(page.locator("#spoken")).to_have_text("white pawn on e2 selected, 2 moves")


def test_rings_around_what_can_be_captured(page, lab):
    stand(page, lab, "chess")
    view = lab.ask("position", {"game": "chess", "moves": ["e2e4", "d7d5"]})
    page.evaluate("view => board.set(view, { animate: true })", view)
    expect(page.locator("#spoken")).to_have_text("black pawn d7 to d5")
    page.mouse.click(*middle(page, "e4"))
    expect(page.locator(".board .ring")).to_have_count(1)
    expect(page.locator(".board .dot")).to_have_count(1)
    expect(cell(page, "d5")).to_have_attribute("aria-label", "d5, black pawn, you can capture here")
    expect(page.locator(".board .last")).to_have_count(2)


def test_check_is_shown(page, lab):
    stand(page, lab, "chess")
    view = lab.ask("position", {"game": "chess", "moves": ["e2e4", "f7f6", "d1h5"]})
    page.evaluate("view => board.set(view)", view)
    expect(page.locator(".board .check")).to_have_count(1)


def test_promotion_is_asked(page, lab):
    stand(page, lab, "chess")
    view = lab.ask("position", {"game": "chess", "position": "8/4P2k/8/8/8/8/8/4K3 w - - 0 1"})
    page.evaluate("view => board.set(view)", view)
    drag(page, middle(page, "e7"), middle(page, "e8"))
    dialog = page.get_by_role("dialog", name="Which one?")
    expect(dialog.get_by_role("button")).to_have_count(4)
    picture(page, "board-promotion")
    page.keyboard.press("Escape")
    assert played(page) == []
    cell(page, "e7").focus()
    for key in ["Enter", "ArrowUp", "Enter", "ArrowRight", "Enter"]:
        page.keyboard.press(key)
    assert len(played(page)) == 1 and played(page)[0].startswith("e7e8")


def test_shogi_drops_and_choice_of_promotion(page, lab):
    stand(page, lab, "shogi")
    view = lab.ask("position", {"game": "shogi", "moves": ["7g7f", "3c3d", "8h2b+", "3a2b"]})
    page.evaluate("view => board.set(view)", view)
    held = page.locator('[data-hand="0:bishop"]')
    expect(held).to_have_attribute("aria-label", "black bishop in hand, 1")
    held.click()
    assert page.locator(".board .dot").count() > 20
    page.mouse.click(*middle(page, "5e"))
    assert played(page) == ["B*5e"]
    page.evaluate("view => board.set(view)", view)
    box = held.bounding_box()
    drag(page, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), middle(page, "4e"))
    assert played(page)[-1] == "B*4e"
    page.evaluate("view => board.set(view)", view)
    held.focus()
    page.keyboard.press("Enter")
    cell(page, "6e").focus()
    page.keyboard.press("Enter")
    assert played(page)[-1] == "B*6e"
    choice = lab.ask("position", {"game": "shogi", "moves": ["7g7f", "3c3d"]})
    page.evaluate("view => board.set(view)", choice)
    page.mouse.click(*middle(page, "8h"))
    page.mouse.click(*middle(page, "2b"))
    expect(page.get_by_role("dialog").get_by_role("button")).to_have_count(2)
    page.get_by_role("button", name="horse").click()
    assert played(page)[-1] == "8h2b+"


LION = "5gk5/12/12/7p4/5pp5/5N6/12/12/12/12/12/4GK6 b - 1"


def lion(page, lab):
    """A board with a lion on 7f beside two pawns, and another pawn behind them."""
    stand(page, lab, "chu-shogi")
    page.evaluate("standing => board.set(standing)", lab.ask("position", {"game": "chu-shogi", "position": LION}))


def steps(page, *squares):
    """Clicks on squares; gives the last move that was played."""
    for square in squares:
        page.mouse.click(*middle(page, square))
    return (played(page) or [None])[-1]


def test_a_lion_captures_on_the_way(page, lab):
    for squares, move in [
        (["7f", "6e", "5d"], "7f6e5d"),
        (["7f", "6e", "7e"], "7f6e7e"),
        (["7f", "6e", "7f"], "7f6e7f"),
        (["7f", "6e", "6e"], "7f6e"),
        (["7f", "5d"], "7f5d"),
        (["7f", "7g"], "7f7g"),
    ]:
        lion(page, lab)
        assert steps(page, *squares) == move, (squares, played(page))
    lion(page, lab)
    drag(page, middle(page, "7f"), middle(page, "6e"))
    assert played(page) == ["7f6e"]


def test_the_second_step_of_a_lion_is_shown(page, lab):
    lion(page, lab)
    steps(page, "7f")
    expect(page.locator(".board .ring.inner")).to_have_count(2)
    expect(cell(page, "6e")).to_have_attribute("aria-label", "6e, white pawn, you can capture here, and go on")
    picture(page, "board-lion-first-step")
    steps(page, "6e")
    expect(page.locator(".board .target-sign")).to_have_count(2)
    expect(page.locator("#spoken")).to_have_text("first step to 6e, now the second: 9 ways")
    expect(cell(page, "7f")).to_have_attribute("aria-label", "7f, black lion, go back, selected")
    expect(cell(page, "6e")).to_have_attribute("aria-label", "6e, white pawn, stop here")
    picture(page, "board-lion-second-step")
    page.keyboard.press("Escape")
    expect(page.locator(".board .target-sign")).to_have_count(0)
    for key in ["Enter", "Escape"]:
        cell(page, "7f").focus()
        page.keyboard.press(key)
    cell(page, "7f").focus()
    for key in ["Enter", "ArrowUp", "Enter", "ArrowRight", "Enter"]:
        page.keyboard.press(key)
    assert played(page) == ["7f7e6e"], played(page)
    standing = lab.ask("position", {"game": "chu-shogi", "position": LION, "moves": ["7f6e5d"]})
    lion(page, lab)
    page.evaluate("standing => board.set(standing, { animate: true })", standing)
    expect(page.locator(".board .last")).to_have_count(3)
    expect(page.locator("#spoken")).to_have_text("black lion 7f takes white pawn on 5d, capturing white pawn on 6e on the way")
    standing = lab.ask("position", {"game": "chu-shogi", "position": LION, "moves": ["7f6e7f"]})
    lion(page, lab)
    page.evaluate("standing => board.set(standing, { animate: true })", standing)
    expect(page.locator(".board .last")).to_have_count(2)
    expect(page.locator("#spoken")).to_have_text("black lion on 7f captures white pawn on 6e and goes back")


def test_arrows_by_the_right_button(page, lab):
    stand(page, lab, "chess")
    page.mouse.move(*middle(page, "e2"))
    page.mouse.down(button="right")
    page.mouse.move(*middle(page, "e4"), steps=4)
    page.mouse.up(button="right")
    expect(page.locator(".board .arrow")).to_have_count(1)
    page.evaluate("board.arrows([{ from: 'a1', to: 'c3', colour: 'red' }, { from: 'h1' }])")
    expect(page.locator(".board .arrow")).to_have_count(3)
    page.mouse.click(*middle(page, "a5"))
    expect(page.locator(".board .arrow")).to_have_count(2)


def test_the_board_has_its_size_at_once_and_fits(page, lab):
    for width, height in [(390, 844), (1280, 800), (2560, 1400)]:
        page.set_viewport_size({"width": width, "height": height})
        for spec in ["chess", "shogi", "xiangqi", "courier"]:
            stand(page, lab, spec)
            box = page.locator(".board").bounding_box()
            assert box["width"] <= width and box["height"] <= height, (spec, width, box)
            assert box["height"] > 0.4 * min(width, height), (spec, width, box)


def test_a_board_is_saved_as_a_picture(page, lab):
    stand(page, lab, "shogi")
    text = page.evaluate("board.svg()")
    assert text.startswith("<svg") and "xmlns=" in text and "var(--" not in text.split("style=")[0]
    drawn = page.evaluate("text => new Promise((done) => { const image = new Image(); image.onload = () => done(image.naturalWidth); image.onerror = () => done(0); image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' })); })", text)
    assert drawn > 200, drawn


def test_miniatures_are_small_and_still(page, lab):
    stand(page, lab, "xiangqi", "miniature", size=120)
    svg = page.get_by_role("img", name="Xiangqi")
    expect(svg).to_have_attribute("width", "120")
    expect(page.locator("[tabindex]").locator("visible=true").and_(page.locator(".miniature *"))).to_have_count(0)


def tool(page, name):
    return page.locator(f'[data-tool="{name}"]')


def test_the_editor_writes_queries(page, lab):
    stand(page, lab, "shogi", "editor", marks=True)
    tool(page, "0:pawn").click()
    page.mouse.click(*middle(page, "7f"))
    tool(page, "1:pawn").click()
    page.mouse.click(*middle(page, "3d"))
    tool(page, "empty").click()
    page.mouse.click(*middle(page, "5e"))
    tool(page, "any").click()
    page.mouse.click(*middle(page, "1a"))
    tool(page, "not").click()
    page.mouse.click(*middle(page, "1a"))
    page.get_by_label("One of: allow several pieces on a square").check()
    tool(page, "0:rook").click()
    page.mouse.click(*middle(page, "2h"))
    tool(page, "0:dragon").click()
    page.mouse.click(*middle(page, "2h"))
    page.get_by_label("One of: allow several pieces on a square").uncheck()
    page.locator('[data-hand="0:bishop"]').click()
    page.get_by_label("To move").select_option("1")
    wanted = "1a!=any 3d=p 5e=empty 7f=P 2h=R|+R hand(B)>=1 turn=second"
    assert page.evaluate("editor.query()") == wanted, page.evaluate("editor.query()")
    assert page.evaluate("said.at(-1)") == wanted
    picture(page, "editor-query")
    assert page.evaluate("editor.clear(), editor.query()") == ""
    assert page.evaluate("text => [editor.setQuery(text), editor.query()]", wanted) == [True, wanted]
    assert page.evaluate("text => [editor.setQuery(text), editor.query()]", "7f=P or ply<=3 8h=first") == [False, "7f=P 8h=first"]
    page.evaluate("text => editor.setQuery(text)", wanted)
    tool(page, "erase").click()
    page.mouse.click(*middle(page, "5e"))
    assert "5e" not in page.evaluate("editor.query()")


def test_the_editor_writes_positions(page, lab):
    stand(page, lab, "chess", "editor", marks=False)
    tool(page, "0:king").click()
    page.mouse.click(*middle(page, "e1"))
    start = tool(page, "1:king").bounding_box()
    drag(page, (start["x"] + 20, start["y"] + 20), middle(page, "e8"))
    drag(page, middle(page, "e1"), middle(page, "d1"))
    cell(page, "a7").focus()
    page.keyboard.press("R")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("q")
    assert page.evaluate("editor.text()") == "4k3/Rq6/8/8/8/8/8/3K4 w - - 0 1", page.evaluate("editor.text()")
    page.keyboard.press("Delete")
    page.get_by_label("To move").select_option("Black")
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".notice")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "4k3/R7/8/8/8/8/8/3K4 b - - 0 1"
    page.get_by_role("button", name="Start position").click()
    assert page.evaluate("editor.text()") == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    page.get_by_role("button", name="Paste").click()
    expect(cell(page, "a7")).to_have_attribute("aria-label", "a7, white rook")
    page.get_by_role("button", name="Clear").click()
    assert page.evaluate("editor.text()") == "8/8/8/8/8/8/8/8 w - - 0 1"
    page.get_by_label("FEN").fill("nonsense")
    page.get_by_label("FEN").press("Enter")
    expect(page.locator(".notice.wrong")).to_contain_text("This is not a position of the game")


def edited(page, text):
    """What the editor makes of a text, or what it says is wrong with it."""
    return page.evaluate("text => { try { editor.setText(text); return editor.text(); } catch (error) { return error.message; } }", text)


def test_the_editor_has_controls_for_rights_en_passant_and_counters(page, lab):
    stand(page, lab, "chess", "editor", marks=False)
    text = lambda: page.evaluate("editor.text()")
    assert edited(page, "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1") == "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"
    page.get_by_label("White K: e1–g1").check()
    page.get_by_label("Black q: e8–c8").check()
    assert text() == "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", text()
    # A right without its rook is none; it is there again with the rook.
    tool(page, "erase").click()
    page.mouse.click(*middle(page, "h1"))
    assert text() == "r3k2r/8/8/8/8/8/8/R3K3 w q - 0 1", text()
    expect(page.get_by_label("White K: e1–g1")).to_be_disabled()
    # Where a text states no rights, pieces on their first squares have not moved.
    assert edited(page, "r3k2r/8/8/8/8/8/8/4K2R b") == "r3k2r/8/8/8/8/8/8/4K2R b Kkq - 0 1"
    assert edited(page, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2") == "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
    edited(page, "4k3/8/8/3pP3/8/8/8/4K3 w - - 7 20")
    passed = page.get_by_label("En passant on")
    expect(passed.locator("option")).to_have_text(["none", "d6"])
    passed.select_option("d6")
    page.get_by_label("Plies without progress").fill("0")
    page.get_by_label("Move number").fill("31")
    page.get_by_label("Move number").press("Enter")
    assert text() == "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 31", text()
    page.get_by_label("To move").select_option("Black")
    assert text() == "4k3/8/8/3pP3/8/8/8/4K3 b - - 0 31", text()
    expect(passed).to_have_value("-")
    page.evaluate("scrollTo(0, 0)")
    picture(page, "editor-fields")
    for wrong, said in [("w X - 0 1", "“X” is not a castling right"), ("x - - 0 1", "“x” is not a side"), ("w - e9 0 1", "“e9” is not a possible square"), ("w - - x 1", "“x” is not a number"), ("w - - 0 1 2", "unexpected “2”")]:
        assert said in edited(page, f"4k3/8/8/8/8/8/8/4K3 {wrong}"), (wrong, edited(page, wrong))


def test_the_editor_has_controls_for_first_moves_and_contests(page, lab):
    stand(page, lab, "grant-acedrex", "editor", marks=False)
    page.evaluate("editor.setStart()")
    page.get_by_label("g1 white king").uncheck()
    assert " w @g12 - 0 1" in page.evaluate("editor.text()")
    stand(page, lab, "shogi", "editor", marks=False)
    page.get_by_label("Number of the next move").fill("77")
    page.get_by_label("Number of the next move").press("Enter")
    assert page.evaluate("editor.text()") == "9/9/9/9/9/9/9/9/9 b - 77"
    stand(page, lab, "four-handed+lasting-command+points", "editor", marks=False)
    page.evaluate("editor.setStart()")
    tool(page, "erase").click()
    cell(page, "a5").click()
    page.get_by_text("More about this position").click()
    green = page.get_by_role("group", name="Green")
    green.get_by_label("Royal piece").select_option("held by Red")
    page.get_by_role("group", name="Yellow").get_by_label("Times captured").fill("1")
    red = page.get_by_role("group", name="Red")
    red.get_by_label("Points").fill("7")
    red.get_by_label("commands its partner's pieces").check()
    page.get_by_label("Thrown").select_option("2-5")
    page.get_by_label("Turns taken").fill("9")
    page.get_by_label("Turns taken").press("Enter")
    text = page.evaluate("editor.text()")
    assert text.endswith(" r 9 2-5 r^,r+7,g<r1,y1"), text
    assert lab.ask("position", {"game": "four-handed+lasting-command+points", "position": text})["text"] == text
    picture(page, "editor-contest")
    for wrong, said in [("r 0 6-6 -", "“6-6” is not a throw"), ("r 0 - z1", "“z1” is not the state"), ("r 0 - g<1", "“g<1” is not the state"), ("r 0 - g99x", "“g99x” is not the state")]:
        assert said in edited(page, f"gK7/8/8/8/8/8/8/rK7 {wrong}"), (wrong, edited(page, wrong))


def positions_of(lab, spec, chance, n_plies=48):
    """Texts of positions on a random way through a game."""
    view = lab.ask("position", {"game": spec})
    texts = [view["text"]]
    for _ in range(n_plies):
        if view["outcome"]:
            break
        here = {"game": spec, "position": view["text"]}
        if view.get("contest"):
            view = lab.ask("contest", {**here, "player": "P0", "seed": chance.randrange(1 << 30)})["position_view"]
        else:
            view = lab.ask("position", {**here, "moves": [chance.choice(view["moves"])["text"]]})
        texts.append(view["text"])
    return texts


# Rights of a first move, castling with other pieces, captured royal pieces, points.
CHANGED = ["chaturanga+king-leap", "shatranj+double-step+castling", "four-handed+points+lasting-command", "four-handed+exchange-any-turn"]
MARKED = ["gKgP6/8/8/8/8/8/8/rKrP5bK r 12 - y<b1", "gKgP6/8/8/8/8/8/8/rKrP5bK r 12 2-5 r1,y*2", "7yK/8/8/8/8/8/8/rK7 r 99 - g<r1,y^,b<y2"]


def test_the_editor_keeps_every_position_of_every_game(page, lab):
    chance = random.Random(18)
    for spec in [game["id"] for game in lab.ask("games")] + CHANGED:
        stand(page, lab, spec, "editor", marks=False)
        for text in positions_of(lab, spec, chance) + (MARKED if spec == "four-handed" else []):
            assert edited(page, text) == text, (spec, edited(page, text), text)


def test_western_signs_of_shogi(page, lab):
    stand(page, lab, "shogi", pieces="western")
    expect(page.locator('.board [data-piece="5i"]')).to_contain_text("K")
    picture(page, "board-shogi-western")


def test_boards_without_some_squares(page, lab):
    stand(page, lab, "chess")
    page.evaluate("""async () => {
      const { Board, withStyle } = await import("/board/board.js");
  // Before the squares have their places, as views do: a mouse that moves by them would miss.
  await withStyle("/board/board.css");
      const cut = structuredClone(sheet);
      for (const [y, x] of [[0, 0], [0, 7], [3, 3], [7, 0]]) cut.squares[y][x] = null;
      const left = new Set(cut.squares.flat());
      window.board = new Board(cut, {});
      window.board.set({ ...sheet.start, board: sheet.start.board.filter((piece) => left.has(piece.square)) });
      document.getElementById("main").replaceChildren(window.board.element);
    }""")
    expect(page.locator(".board [data-square]")).to_have_count(60)
    cell(page, "d6").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.square") == "d4"
    picture(page, "board-cut")


def test_no_motion_where_none_is_wanted(page, lab):
    page.emulate_media(reduced_motion="reduce")
    stand(page, lab, "chess")
    view = lab.ask("position", {"game": "chess", "moves": ["e2e4"]})
    assert page.evaluate("view => { board.set(view, { animate: true }); return document.getAnimations().length; }", view) == 0
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("board.set(sheet.start)")
    assert page.evaluate("view => { board.set(view, { animate: true }); return document.getAnimations().length; }", view) == 1


def test_dark(page, lab):
    page.emulate_media(color_scheme="dark")
    for spec in ["chess", "shogi", "xiangqi"]:
        stand(page, lab, spec)
        picture(page, f"board-dark-{spec}")


def test_touch(page, lab):
    context = lab.new_context(page.context.browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    stand(phone, lab, "chess")
    phone.touchscreen.tap(*middle(phone, "e2"))
    phone.touchscreen.tap(*middle(phone, "e4"))
    assert played(phone) == ["e2e4"]
    phone.evaluate("board.set(sheet.start)")
    finger = context.new_cdp_session(phone)
    (x, y), (to_x, to_y) = middle(phone, "g1"), middle(phone, "f3")
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + (to_x - x) * step / 8, "y": y + (to_y - y) * step / 8}]})
    expect(phone.locator(".board .ghost")).to_have_count(1)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.locator(".board .ghost")).to_have_count(0)
    assert played(phone) == ["e2e4", "g1f3"]
    context.close()


if __name__ == "__main__":
    run(globals())
