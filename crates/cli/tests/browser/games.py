"""The library, a game's page, changes, diagrams, lineage, and a game of one's own."""

import re

from laboratory import expect, own_server, picture, run


def test_the_library_is_browsed_and_filtered(page, lab):
    page.goto(f"{lab.url}/#/games")
    cards = page.locator("a.card.game")
    expect(cards).to_have_count(len(lab.ask("games")))
    page.locator('[data-game="shogi"]').scroll_into_view_if_needed()
    expect(page.locator('[data-game="shogi"] svg.miniature')).to_be_attached()
    page.get_by_label("Find").fill("drops")
    expect(page.locator('[data-game="heian-drops"]')).to_be_visible()
    expect(page.locator('[data-game="chess"]')).to_have_count(0)
    page.get_by_label("Find").fill("")
    page.get_by_label("Board").select_option("9x10")
    expect(cards).to_have_count(3)
    page.reload()
    expect(page.get_by_label("Board")).to_have_value("9x10")
    expect(cards).to_have_count(3)
    page.get_by_label("Find").fill("nothing like this")
    expect(page.get_by_text("No game matches")).to_be_visible()


def test_pictures_of_the_library(page, lab):
    page.goto(f"{lab.url}/#/games", wait_until="networkidle")
    expect(page.locator("svg.miniature").first).to_be_visible()
    picture(page, "games-library")
    page.get_by_role("button", name="Light or dark").click()
    picture(page, "games-library-dark")


def test_a_game_is_opened_and_its_diagrams_read(page, lab):
    page.goto(f"{lab.url}/#/games")
    page.get_by_label("Find").fill("japanese chess")
    page.locator('[data-game="shogi"]').click()
    expect(page.get_by_role("heading", name="Shogi", exact=True)).to_be_visible()
    expect(page.locator("figure.piece")).to_have_count(14)
    knight = page.locator('figure.piece[data-kind="knight"]')
    expect(knight.get_by_role("img")).to_have_attribute("aria-label", "knight: leaps over others 2")
    expect(knight.locator(".mark-leap")).to_have_count(2)
    lance = page.locator('figure.piece[data-kind="lance"]')
    expect(lance.locator("line.slide")).to_have_count(1)
    rules = page.locator(".rules")
    expect(rules).to_contain_text("Captured pieces change sides")
    expect(page.get_by_role("link", name="Play it")).to_have_attribute("href", "#/play/shogi")
    expect(page.get_by_role("link", name="Measure it")).to_have_attribute("href", "#/analyze?game=shogi")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save board").click()
    assert saved.value.suggested_filename == "shogi.svg"
    page.get_by_text("The file shogi.toml").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download file").click()
    text = saved.value.path().read_text()
    assert 'name = "Shogi"' in text


def test_moves_and_captures_have_other_shapes(page, lab):
    page.goto(f"{lab.url}/#/games/chess")
    pawn = page.locator('figure.piece[data-kind="pawn"]')
    expect(pawn.locator(".mark-capture path")).to_have_count(2)
    expect(pawn.locator(".mark-move circle")).to_have_count(1)
    expect(pawn.locator(".mark-first text")).to_have_text("1")
    expect(page.locator(".legend li")).to_have_count(6)


def test_a_change_is_switched_on(page, lab):
    page.goto(f"{lab.url}/#/games/shatranj")
    firzan = page.locator('figure.piece[data-kind="firzan"]')
    expect(firzan.locator("line.slide")).to_have_count(0)
    rules = page.locator(".rules")
    expect(rules).to_contain_text("A side without a legal move, not in check, loses")
    page.get_by_role("switch", name=re.compile("queen-and-bishop")).check()
    expect(firzan.locator("line.slide")).to_have_count(8)
    expect(page).to_have_url(re.compile(r"#/games/shatranj\+queen-and-bishop$"))
    page.get_by_role("switch", name=re.compile("^stalemate-draws")).press("Space")
    expect(rules).to_contain_text("A side without a legal move, not in check, draws")
    expect(page.get_by_role("link", name="Play it")).to_have_attribute("href", "#/play/shatranj+queen-and-bishop+stalemate-draws")
    page.reload()
    expect(page.get_by_role("switch", name=re.compile("queen-and-bishop"))).to_be_checked()
    expect(firzan.locator("line.slide")).to_have_count(8)
    page.get_by_role("switch", name=re.compile("queen-and-bishop")).uncheck()
    expect(firzan.locator("line.slide")).to_have_count(0)


def test_a_change_of_the_board_is_seen(page, lab):
    page.goto(f"{lab.url}/#/games/shogi")
    expect(page.locator('.board-place [data-piece="2h"]')).to_be_attached()
    page.get_by_role("switch", name=re.compile("without-large-pieces")).check()
    expect(page.locator('figure.piece[data-kind="rook"]')).to_have_count(0)
    expect(page.locator('.board-place [data-piece="2h"]')).to_have_count(0)


def test_japanese(page, lab):
    page.goto(f"{lab.url}/#/games/shogi")
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("heading", name="将棋", exact=True)).to_be_visible()
    expect(page.locator(".rules")).to_contain_text("取った駒は持ち駒になり")
    expect(page.get_by_role("link", name="対局する")).to_be_visible()
    expect(page.locator(".changes")).to_contain_text("27点法の宣言勝ち")
    picture(page, "games-shogi-ja")
    page.goto(f"{lab.url}/#/games")
    page.get_by_label("検索").fill("将棋")
    expect(page.locator('[data-game="minishogi"]')).to_contain_text("5五将棋")


def test_lineage_is_clicked(page, lab):
    page.goto(f"{lab.url}/#/games?show=tree")
    page.locator('[data-edge="shatranj-chess"] circle').click()
    told = page.locator(".told")
    expect(told).to_contain_text("Shatranj → Chess")
    expect(told).to_contain_text("fil → bishop")
    page.locator('[data-edge="shogi-minishogi"]').focus()
    page.keyboard.press("Enter")
    expect(told).to_contain_text("9 × 9 → 5 × 5")
    picture(page, "games-tree")
    page.locator('a.node[data-game="xiangqi"]').click()
    expect(page.get_by_role("heading", name="Xiangqi", exact=True)).to_be_visible()
    page.locator('a.node[data-game="janggi"]').click()
    expect(page.get_by_role("heading", name="Janggi", exact=True)).to_be_visible()
    expect(page.locator(".told")).to_contain_text("Xiangqi → Janggi")


@own_server
def test_a_circle_of_descent_does_no_harm(page, lab):
    text = 'name = "Loop <b>bold</b>"\nabout = "It came from itself."\nextends = "chess"\ndescends = "loop"\n'
    lab.ask("games/own/loop", {"text": text}, method="PUT")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto("about:blank")
        page.goto(f"{lab.url}/#/games?show=tree")
        expect(page.locator("a.node")).to_have_count(len(lab.ask("games")))
        tree = page.locator("svg.tree").bounding_box()
        assert width == 1280 or tree["x"] + tree["width"] <= 390, tree


def test_pictures_of_pages(page, lab):
    for game in ["chess", "xiangqi", "four-handed", "grant-acedrex", "wa-shogi"]:
        page.goto(f"{lab.url}/#/games/{game}", wait_until="networkidle")
        expect(page.locator("svg.tree")).to_be_visible()
        picture(page, f"games-{game}")
    page.get_by_role("button", name="Light or dark").click()
    picture(page, "games-wa-shogi-dark")


def test_an_unknown_game_says_so(page, lab):
    page.goto(f"{lab.url}/#/games/shogy")
    expect(page.get_by_text("there is no game named `shogy`")).to_be_visible()
    expect(page.get_by_text("did you mean `shogi`?")).to_be_visible()
    page.goto(f"{lab.url}/#/games/shogi+nothing")
    expect(page.get_by_text("this game has no change named `nothing`")).to_be_visible()
    assert "undefined" not in page.locator("#main").inner_text()


@own_server
def test_a_game_is_written(page, lab):
    page.goto(f"{lab.url}/#/games/shatranj")
    page.get_by_role("link", name="Write your own from it").click()
    text = page.get_by_label("Text of the game file")
    expect(text).to_have_value(re.compile('extends = "shatranj"'))
    expect(page.get_by_text("No mistakes: this can be played.")).to_be_visible()
    expect(page.locator(".made figure.piece")).to_have_count(6)
    written = text.input_value()
    text.fill(written.replace('moves = "K"', 'moves = "KX"'))
    problem = page.locator(".problem")
    expect(problem).to_have_count(1)
    line = written[: written.index('moves = "K"')].count("\n") + 1
    expect(problem.locator(".place")).to_have_text(re.compile(rf"^{line}:\d+$"))
    expect(page.locator(".gutter .with-problem")).to_have_text(str(line))
    expect(page.locator(".made")).to_have_class(re.compile("stale"))
    picture(page, "games-mistake")
    page.reload()
    expect(text).to_have_value(re.compile("KX"))
    expect(problem).to_have_count(1)
    problem.click()
    expect(text).to_be_focused()
    chosen = page.evaluate("(() => { const t = document.querySelector('textarea'); return t.value.slice(t.selectionStart, t.selectionEnd); })()")
    assert chosen == "X", chosen
    page.keyboard.type("N")
    expect(page.get_by_text("No mistakes: this can be played.")).to_be_visible()
    king = page.locator('.made figure.piece[data-kind="king"]')
    expect(king.locator(".mark-leap")).to_have_count(8)
    page.get_by_label("Name of the file").fill("leaping-kings")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("leaping-kings is saved.")).to_be_visible()
    picture(page, "games-written")
    page.get_by_role("link", name="Play it").click()
    expect(page).to_have_url(re.compile("#/play/leaping-kings$"))
    page.goto(f"{lab.url}/#/games")
    own = page.locator('[data-game="leaping-kings"]')
    expect(own).to_contain_text("yours")
    own.click()
    page.get_by_role("link", name="Edit it").click()
    expect(page.get_by_label("Text of the game file")).to_have_value(re.compile("KN"))
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    expect(page.locator('[data-game="leaping-kings"]')).to_have_count(0)
    assert not [game for game in lab.ask("games") if game["own"]]


def test_a_name_of_the_library_is_refused(page, lab):
    page.goto(f"{lab.url}/#/games/new")
    page.get_by_label("Name of the file").fill("chess")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("`chess` is a game of the library")).to_be_visible()


def test_mistakes_are_told_in_japanese(page, lab):
    page.goto(f"{lab.url}/#/games/new")
    page.get_by_role("button", name="日本語").click()
    text = page.locator("textarea.code")
    expect(page.get_by_text("間違いはありません").or_(page.locator(".verdict.good"))).to_be_visible()
    sound = text.input_value()
    text.fill(sound.replace("files = 6", "files = true").replace('moves = "N"', 'moves = "fX"').replace('to = "queen"', 'to = "quen"'))
    told = page.locator(".problems")
    for said in ("`files` は数でなければなりませんが、true か falseです", "`X` は基本の動きではありません", "`quen` という駒はありません", "`queen` のことですか"):
        expect(told).to_contain_text(said)
    picture(page, "games-editor-ja")


def test_templates_are_sound_and_moves_are_explained(page, lab):
    page.goto(f"{lab.url}/#/games/new")
    page.get_by_label("Begin from").select_option("drops")
    expect(page.get_by_label("Text of the game file")).to_have_value(re.compile("My game with drops"))
    expect(page.get_by_text("No mistakes: this can be played.")).to_be_visible()
    page.get_by_text("How moves are written").click()
    expect(page.get_by_role("cell", name="mRcpR")).to_be_visible()
    picture(page, "games-editor")
    for game in lab.ask("games"):
        page.goto(f"{lab.url}/#/games/new?from={game['id']}")
        expect(page.get_by_label("Text of the game file")).to_have_value(re.compile(f'extends = "{game["id"]}"'))
        expect(page.get_by_text("No mistakes: this can be played.")).to_be_visible()


def test_moves_are_counted(page, lab):
    page.goto(f"{lab.url}/#/games/chess")
    page.get_by_text("Count its moves (perft)").click()
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.locator(".counted")).to_have_text("8,902")
    expect(page.get_by_role("row", name="e2e4")).to_contain_text("600")
    page.get_by_label("From the position").fill("8/8/8/8/8/2k5/8/K6Q w - - 0 1")
    page.get_by_label("Plies", exact=True).fill("1")
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.locator(".counted")).to_have_text("22")
    page.get_by_label("From the position").fill("")
    page.get_by_label("After these moves").fill("e2e4 e7e5")
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.locator(".counted")).to_have_text("29")


if __name__ == "__main__":
    run(globals())
