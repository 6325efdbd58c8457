"""Collections: samples at the first start, drawing a position and counting, hits, replay, explorer, filters, files, survey."""

import re

from laboratory import expect, first_start, own_server, picture, run, wait_until

WITH_SAMPLES = True

PGN = """[Event "Club"]
[Date "1999.03.04"]
[White "Ada"]
[Black "Grace"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "Broken"]

1. e4 e4 2. d4 1-0
"""


def counted(page):
    return int(page.locator(".counted strong").inner_text().split()[0].replace(",", ""))


def count_is(page, games):
    expect(page.locator(".counted strong")).to_have_text(re.compile(rf"^{games:,} games?$"))


def open_sample(page, lab, path="", name="sample-chess"):
    """A part of a sample, when its games are played."""
    lab.wait_for("collections", lambda all: {one["name"]: one["games"] for one in all}.get(name) == 200)
    page.goto(f"{lab.url}/#/records/{name}{path}")


def begin(lab, name, text=PGN):
    """A collection of the test's own."""
    lab.request(f"collections/{name}/import?game=chess&file=games.pgn", text.encode(), method="PUT")


@first_start
def test_samples_are_there_at_the_first_start(page, lab):
    page.goto(f"{lab.url}/#/records")
    expect(page.get_by_text("sample-chess")).to_be_visible()
    expect(page.get_by_text("sample-shogi")).to_be_visible()
    picture(page, "records-playing")


def test_collections_are_listed(page, lab):
    open_sample(page, lab, "", "sample-shogi")
    open_sample(page, lab)
    page.goto(f"{lab.url}/#/records")
    for name in ("sample-chess", "sample-shogi"):
        expect(page.locator("a.collection", has_text=name)).to_contain_text("200 games")
    picture(page, "records-list")


def test_counts_follow_the_pieces(page, lab):
    open_sample(page, lab)
    count_is(page, 200)
    # The first pawn by a click on its square, the second dragged from the palette.
    page.locator("[data-tool='0:pawn']").click()
    page.locator("[data-square=e4]").click()
    expect(page.locator("#query")).to_have_value("e4=P")
    expect(page.locator(".counted strong")).not_to_have_text("200 games")
    one = counted(page)
    assert 0 < one < 200
    page.locator("[data-tool='1:pawn']").drag_to(page.locator("[data-square=d5]"))
    expect(page.locator("#query")).to_have_value("d5=p e4=P")
    expect(page.locator(".counted strong")).not_to_have_text(f"{one} games")
    two = counted(page)
    assert 0 < two < one
    page.get_by_label("sides exchanged").check()
    expect(page.locator("#query")).to_have_value("swapped(d5=p e4=P)")
    page.get_by_label("mirrored").check()
    expect(page.locator("#query")).to_have_value("swapped(mirrored(d5=p e4=P))")
    expect(page.locator(".counted strong")).not_to_have_text(f"{two} games")
    assert counted(page) > two
    found = lab.ask("collections/sample-chess/find", {"query": "swapped(mirrored(d5=p e4=P))"})
    count_is(page, found["games"])
    # All of it is in the address.
    page.reload()
    count_is(page, found["games"])
    expect(page.get_by_label("mirrored")).to_be_checked()
    picture(page, "records-find")


def test_pieces_are_placed_by_keyboard(page, lab):
    open_sample(page, lab)
    page.locator("[data-square=a1]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#query")).to_have_value(re.compile(r"^b1="))


def test_the_palette_is_one_stop_of_the_tab_key(page, lab):
    open_sample(page, lab)
    tools = page.locator(".palette .tool")
    expect(page.locator('.palette .tool[tabindex="0"]')).to_have_count(1)
    page.locator('.palette .tool[tabindex="0"]').focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="black bishop")).to_be_focused()
    expect(page.get_by_role("button", name="black bishop")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#query")).to_have_value("a1=b")
    page.locator('.palette .tool[tabindex="0"]').focus()
    page.keyboard.press("End")
    expect(tools.last).to_be_focused()


def test_the_text_can_be_edited(page, lab):
    open_sample(page, lab)
    text = page.get_by_label("Query", exact=True)
    text.fill("e4=P e5=p result=draw")
    games = lab.ask("collections/sample-chess/find", {"query": "e4=P e5=p result=draw"})["games"]
    count_is(page, games)
    expect(page.locator(".filters select")).to_have_value("draw")
    expect(page.locator("[data-square=e5]")).to_have_attribute("aria-label", re.compile("pawn"))
    text.fill("e4=P then d4=P")
    expect(page.get_by_text("The text says more than the board can show")).to_be_visible()
    count_is(page, lab.ask("collections/sample-chess/find", {"query": "e4=P then d4=P"})["games"])
    text.fill("e4=P e9=p")
    expect(page.get_by_role("alert")).to_contain_text("`e9` is neither a square nor a word of the query language")
    expect(page.get_by_role("alert").locator("mark")).to_have_text("e9=p")
    picture(page, "records-wrong")
    page.get_by_role("button", name="Clear all").click()
    count_is(page, 200)


def test_filters_become_text(page, lab):
    open_sample(page, lab)
    page.get_by_text("Conditions on games").click()
    page.locator(".filters select").select_option("draw")
    expect(page.locator("#query")).to_have_value("result=draw")
    draws = lab.ask("collections/sample-chess/find", {"query": "result=draw"})["games"]
    count_is(page, draws)
    expect(page.locator(".hit .result").first).to_have_text("½–½")
    page.get_by_label("Player", exact=True).fill("level 2")
    page.get_by_label("Fewest plies").fill("50")
    expect(page.locator("#query")).to_have_value('player="level 2" result=draw length>=50')
    count_is(page, lab.ask("collections/sample-chess/find", {"query": 'player="level 2" result=draw length>=50'})["games"])
    picture(page, "records-filters")


def test_a_hit_is_opened_and_stepped_through(page, lab):
    open_sample(page, lab, "?q=e4%3DP+d5%3Dp")
    page.get_by_role("button", name="Next page").first.click()
    expect(page.locator(".pager").first).to_contain_text("25–")
    page.get_by_role("button", name="Previous page").first.click()
    first = lab.ask("collections/sample-chess/find", {"query": "e4=P d5=p", "limit": 1})["hits"][0]
    page.locator(".hit").first.click()
    expect(page.locator(".replay-count")).to_have_text(f"{first['ply']} / {first['plies']}")
    expect(page.locator("[data-square=e4]")).to_have_attribute("aria-label", re.compile("white pawn"))
    page.get_by_role("button", name="Forward").click()
    expect(page.locator(".replay-moves [aria-current]")).to_have_text(first["next"]["san"])
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".replay-count")).to_have_text(f"{first['ply']} / {first['plies']}")
    page.keyboard.press("End")
    expect(page.locator(".replay-count")).to_have_text(f"{first['plies']} / {first['plies']}")
    page.keyboard.press("Home")
    expect(page.locator(".replay-count")).to_have_text(f"0 / {first['plies']}")
    page.locator(".replay-moves button").nth(9).click()
    expect(page).to_have_url(re.compile("ply=10"))
    page.reload()
    expect(page.locator(".replay-count")).to_have_text(f"10 / {first['plies']}")
    picture(page, "records-game")
    with page.expect_download() as saved:
        page.get_by_role("link", name="PGN").click()
    text = saved.value.path().read_text()
    assert '[White "Level' in text and "1. " in text


def test_results_have_the_colours_of_their_sides(page, lab):
    """Black moves first in shogi: its wins are dark, at the left; the same in either language, moves as they are written there."""
    open_sample(page, lab, "/explore", "sample-shogi")
    for language, move in (("日本語", r"^[PSGKRLNB]"), ("English", r"^[１-９]")):
        expect(page.locator(".explore-table .move").first).to_have_text(re.compile(move))
        look = page.locator(".result-bar .won").first.evaluate("element => getComputedStyle(element).backgroundColor")
        won = page.locator(".result-bar").first.get_attribute("aria-label")
        assert (look == "rgb(56, 48, 42)") == bool(re.match(r"(Black|先手) [1-9]", won)), (look, won)
        page.get_by_role("button", name=language).click()
    expect(page.get_by_role("link", name="Play from here")).to_be_visible()
    page.locator(".explore-table .move").first.click()
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator(".play .status")).to_contain_text("Your move: White")


def test_explore_deeper_and_back(page, lab):
    open_sample(page, lab, "/explore")
    expect(page.locator(".counted strong")).to_have_text("200 games")
    first = page.locator(".explore-table .move").first
    text = first.inner_text()
    n = int(page.locator(".explore-table tbody tr").first.locator("td.number").first.inner_text())
    first.click()
    expect(page.locator(".counted strong")).to_have_text(re.compile(rf"^{n} games?$"))
    expect(page.locator(".explore-line [aria-current]")).to_have_text(text)
    picture(page, "records-explore")
    page.locator(".explore-table .move").first.click()
    expect(page.locator(".explore-line button")).to_have_count(4)
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".explore-line [aria-current]")).to_have_text(text)
    page.go_back()
    expect(page.locator(".explore-line button")).to_have_count(4)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".counted strong")).to_have_text("200 games")
    # A move on the board leads deeper too.
    page.locator("[data-square=e2]").click()
    page.locator("[data-square=e4]").click()
    expect(page.locator(".explore-line [aria-current]")).to_have_text("e4")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV").click()
    assert saved.value.path().read_text().startswith("move,count,share,White wins,Black wins,draws,unknown")


def test_a_file_is_dropped_and_found_in(page, lab):
    page.goto(f"{lab.url}/#/records")
    expect(page.get_by_text("Drop game records here").first).to_be_visible()
    # As a browser does it when a file is let go over the page.
    page.evaluate("""(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], 'dropped games.pgn'));
        window.dispatchEvent(new DragEvent('dragover', { dataTransfer: data, cancelable: true }));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    }""", PGN)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name")).to_have_value("dropped-games")
    picture(page, "records-import-dialog")
    dialog.get_by_role("button", name="Import").click()
    expect(page.locator(".imported", has_text="added: 1 · there already: 0 · refused: 1")).to_be_visible()
    page.get_by_text("Refused records (1)").click()
    expect(page.get_by_text("move 2: `e4` is not legal here")).to_be_visible()
    picture(page, "records-imported")
    page.get_by_role("link", name="Search dropped-games").click()
    page.get_by_label("Query", exact=True).fill("f7=Q")
    count_is(page, 1)
    expect(page.locator(".hit-players")).to_have_text("Ada – Grace")


def test_more_files_are_added_by_the_button(page, lab):
    begin(lab, "added-games")
    page.goto(f"{lab.url}/#/records/added-games/add")
    page.get_by_label("Choose files").set_input_files([{"name": "a.pgn", "mimeType": "text/plain", "buffer": PGN.encode()},
                                                       {"name": "b.pgn", "mimeType": "text/plain", "buffer": b"[White \"Eve\"]\n\n1. d4 d5 1/2-1/2\n"}])
    expect(page.locator(".imported", has_text="added: 0 · there already: 1 · refused: 1")).to_be_visible()
    expect(page.locator(".imported", has_text="added: 1 · there already: 0 · refused: 0")).to_be_visible()
    # A name that tells nothing: then the form is said.
    page.get_by_label("File format").select_option("pgn")
    page.get_by_label("Choose files").set_input_files({"name": "games.old", "mimeType": "text/plain", "buffer": b"[White \"Noor\"]\n\n1. c4 c5 1-0\n"})
    expect(page.locator(".report", has_text="games.old").locator(".imported")).to_contain_text("added: 1 ")
    page.get_by_role("link", name="Find").click()
    count_is(page, 3)


SAID = '[White "Ida"]\n\n1. e4 {the first comment} e5 (1... c5! {sharp} 2. Nf3) 2. Nf3 *\n'


def test_comments_and_variations_are_shown(page, lab):
    begin(lab, "said-games", SAID)
    page.goto(f"{lab.url}/#/records/said-games/games/1?ply=1")
    expect(page.get_by_text("the first comment")).to_be_visible()
    page.get_by_role("button", name="c5!").click()
    expect(page.locator("[data-square=c5]")).to_have_attribute("aria-label", re.compile("black pawn"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".replay-count")).to_have_text("3 / 3")
    picture(page, "records-variation")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".replay-count")).to_have_text("1 / 3")


@own_server
def test_a_game_is_stepped_through_again_when_the_server_is_back(page, lab):
    begin(lab, "said-games", SAID)
    page.goto(f"{lab.url}/#/records/said-games/games/1?ply=0")
    expect(page.locator(".replay-count")).to_have_text("0 / 3")
    lab.kill()
    for _ in range(2):
        page.get_by_role("button", name="To the end").click()
        expect(page.get_by_text("The laboratory does not answer.").first).to_be_visible()
        expect(page.locator(".replay-count")).to_have_text("0 / 3")
    lab.restart()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".replay-count")).to_have_text("3 / 3")
    expect(page.locator("[data-square=f3]")).to_have_attribute("aria-label", re.compile("white knight"))


def test_what_was_found_is_saved(page, lab):
    open_sample(page, lab, "?q=result%3Ddraw")
    draws = lab.ask("collections/sample-chess/find", {"query": "result=draw"})["games"]
    for words, count in [("These games as PGN", lambda text: text.count("[Event ")), ("The list as CSV", lambda text: len(text.splitlines()) - 1)]:
        page.locator(".menu > summary").click()
        with page.expect_download() as saved:
            page.get_by_role("link", name=words).click()
        assert count(saved.value.path().read_text()) == draws
        page.locator(".menu > summary").click()


def test_the_menu_of_files_is_seen_on_a_phone_and_closes(page, lab):
    page.set_viewport_size({"width": 390, "height": 844})
    open_sample(page, lab, "", "sample-shogi")
    menu = page.locator(".menu")
    menu.locator("summary").click()
    links = menu.get_by_role("link")
    expect(links).to_have_text(["These games as PGN", "These games as KIF", "These games as KI2", "These games as CSA", "These games as JKF", "These games as USI", "The list as CSV"])
    for link in links.all():
        box = link.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, box
    page.keyboard.press("Escape")
    expect(links.first).to_be_hidden()
    menu.locator("summary").click()
    page.locator(".counted").click()
    expect(links.first).to_be_hidden()


def test_queries_are_kept(page, lab):
    open_sample(page, lab, "?q=e4%3DP+d5%3Dp")
    page.get_by_text("Saved queries").click()
    page.get_by_label("Name of this query").fill("centre pawns")
    page.get_by_role("button", name="Save query", exact=True).click()
    expect(page.locator(".kept-line")).to_have_count(1)
    page.get_by_role("button", name="Clear all").click()
    count_is(page, 200)
    page.reload()
    page.get_by_text("Saved queries").click()
    page.get_by_role("button", name="centre pawns", exact=True).click()
    expect(page.locator("#query")).to_have_value("e4=P d5=p")
    page.get_by_role("button", name="Delete centre pawns").click()
    expect(page.locator(".kept-line")).to_have_count(0)


def test_survey_is_drawn_and_saved(page, lab):
    open_sample(page, lab, "/survey")
    expect(page.locator("svg.plot")).to_have_count(4)
    expect(page.locator("svg.plot").first.locator("circle").first).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as SVG: sample-chess-lengths").click()
    assert saved.value.path().read_text().count("<rect") > 5
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV: sample-chess-growth").click()
    assert saved.value.path().read_text().startswith("games,positions,distinct,repeated_share")
    picture(page, "records-survey")
    expect(page.locator(".frequent .hit")).to_have_count(12)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV: sample-chess-frequent").click()
    assert saved.value.path().read_text().startswith("times,moves\n200,\n")
    page.get_by_role("button", name="The 100 most frequent").click()
    expect(page.locator(".frequent .hit")).to_have_count(100)
    page.locator(".frequent .hit").nth(1).click()
    expect(page.locator(".explore-line button")).to_have_count(3)


def test_players_are_listed_by_side_and_saved(page, lab):
    open_sample(page, lab, "/players")
    lines = page.locator("table.players tbody tr")
    expect(lines.first).to_be_visible()
    n_games = lambda: sum(int(cell.replace(",", "")) for cell in page.locator("table.players tbody tr td:nth-child(2)").all_inner_texts())
    all_games = n_games()
    cells = lines.first.locator("td").all_inner_texts()
    assert int(cells[1]) == int(cells[6]) + int(cells[8]), cells
    expect(page.get_by_role("button", name="More players")).to_have_count(0)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV: sample-chess-players").click()
    text = saved.value.path().read_text()
    assert text.startswith("player,games,won,draws,lost,white_games,") and len(text.splitlines()) == 1 + lines.count()
    only = page.get_by_label("Only in games with")
    only.fill("length<60")
    only.press("Enter")
    wait_until(page, f"[...document.querySelectorAll('table.players tbody tr td:nth-child(2)')].reduce((sum, cell) => sum + Number(cell.textContent.replace(',', '')), 0) < {all_games}")
    picture(page, "records-players")
    only.fill("length<<60")
    only.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="value")).to_be_visible()
    only.fill("")
    only.press("Enter")
    name = lines.first.locator("a").inner_text()
    lines.first.locator("a").click()
    expect(page.get_by_label("Query", exact=True)).to_have_value(f'player="{name}"')


def test_shogi_with_hands_in_japanese(page, lab):
    open_sample(page, lab, "", "sample-shogi")
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("link", name="検索")).to_be_visible()
    page.locator("#query").fill("7f=P hand(B)>=1")
    games = lab.ask("collections/sample-shogi/find", {"query": "7f=P hand(B)>=1"})["games"]
    assert games > 0
    expect(page.locator(".counted strong")).to_have_text(f"{games} 局")
    expect(page.locator(".hit .next").first).to_have_text(re.compile("[一二三四五六七八九同]"))
    picture(page, "records-japanese")
    page.locator(".hit").first.click()
    expect(page.get_by_role("link", name="KIF")).to_be_visible()
    picture(page, "records-game-japanese")
    missing = page.evaluate("""async () => {
        const { default: words } = await import('/words/records.js');
        return [...Object.keys(words.en).filter((key) => !(key in words.ja)), ...Object.keys(words.ja).filter((key) => !(key in words.en))];
    }""")
    assert not missing, missing


def test_refusals_are_told_in_japanese(page, lab):
    page.add_init_script("localStorage.setItem('language', 'ja')")
    open_sample(page, lab)
    page.locator("#query").fill("e4=P e9=p")
    expect(page.get_by_role("alert")).to_contain_text("`e9` はマスでも検索の言葉でもありません")
    page.goto(f"{lab.url}/#/records")
    page.get_by_role("button", name="新しい棋譜集").click()
    page.get_by_label("名前").fill("sample-chess")
    page.get_by_role("button", name="作る").click()
    expect(page.get_by_text("`sample-chess` という棋譜集は既にあります")).to_be_visible()
    page.goto(f"{lab.url}/#/records/nothing")
    expect(page.get_by_role("heading", name="`nothing` という棋譜集はありません")).to_be_visible()
    wrong = {"name": "wrong.pgn", "mimeType": "text/plain", "buffer": b'[Event "x"]\n\n1. e4 Ke4 *\n'}
    page.goto(f"{lab.url}/#/records/sample-chess/add")
    page.locator("input[type=file]").set_input_files(wrong)
    expect(page.locator(".refused td").last).to_contain_text("2 手目：`Ke4` はここでは指せません")
    expect(page.locator(".imported .good")).to_have_count(0)
    picture(page, "records-refused-japanese")


def test_dark(page, lab):
    page.emulate_media(color_scheme="dark")
    open_sample(page, lab, "?q=e4%3DP")
    expect(page.locator(".hit").first).to_be_visible()
    picture(page, "records-dark")
    open_sample(page, lab, "/explore")
    expect(page.locator(".explore-table .move").first).to_be_visible()
    picture(page, "records-explore-dark")
    open_sample(page, lab, "/survey")
    expect(page.locator("svg.plot")).to_have_count(4)
    picture(page, "records-survey-dark")


def test_files_are_checked_and_merged(page, lab):
    begin(lab, "tended-games")
    page.goto(f"{lab.url}/#/records/tended-games/add")
    page.get_by_role("button", name="Check files").click()
    expect(page.get_by_text("No damage")).to_be_visible()
    page.get_by_role("button", name="Merge files").click()
    expect(page.get_by_text("Merged:")).to_be_visible()
    picture(page, "records-files")


def test_a_collection_is_deleted(page, lab):
    begin(lab, "gone-games")
    page.goto(f"{lab.url}/#/records/gone-games/add")
    page.get_by_role("button", name="Delete this collection").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete this collection").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("sample-chess")).to_be_visible()
    expect(page.get_by_text("gone-games")).to_have_count(0)
    page.goto(f"{lab.url}/#/records/gone-games")
    expect(page.get_by_role("heading", name="there is no collection named `gone-games`")).to_be_visible()


if __name__ == "__main__":
    run(globals())
