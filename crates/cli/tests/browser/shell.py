"""The bar, languages, themes, keyboard, and how much is loaded."""

from laboratory import ROOT, expect, own_server, picture, run, settle, wait_until

VIEWS = ["play", "games", "analyze", "learn", "records", "study", "jobs"]


def test_every_view_is_a_click_away(page, lab):
    page.goto(lab.url)
    for name in ["Games", "Analyze", "Learn", "Records", "Study", "Jobs", "Play"]:
        page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_title(f"{name} · Ashtapada")


def test_every_view_is_seen_on_a_phone(page, lab):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(lab.url)
    for language in ("日本語", "English"):
        for link in page.get_by_role("navigation").first.get_by_role("link").all():
            box = link.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390, (link.inner_text(), box)
        page.get_by_role("button", name=language).click()


def test_the_keyboard_skips_to_the_content_and_stays_in_the_view(page, lab):
    page.goto(f"{lab.url}/#/records")
    expect(page.get_by_role("heading", name="Records")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    expect(page.get_by_role("heading", name="Records")).to_be_visible()


def test_an_address_with_nothing_at_it_says_so(page, lab):
    for wrong in ("nonsense", "%E0%A4%A", "records%2Ffind"):
        page.goto(f"{lab.url}/#/{wrong}")
        expect(page.get_by_role("heading", name="There is nothing at this address.")).to_be_visible()
    page.get_by_role("link", name="To the board").click()
    expect(page.locator(".board")).to_be_visible()


@own_server
def test_a_part_that_does_not_load_says_why_and_is_tried_again(page, lab):
    page.add_init_script("localStorage.setItem('language', 'ja')")
    page.goto(f"{lab.url}/#/play/chess")
    expect(page.locator(".play .status")).to_contain_text("あなたの番")
    lab.kill()
    # What a button loads, and what a link leads to: nobody is there, and no word of the browser is shown.
    page.get_by_role("button", name="新しい対局").click()
    expect(page.locator(".notice.wrong")).to_contain_text("研究室が応答しません。")
    page.get_by_role("navigation").get_by_role("link", name="作業").click()
    expect(page.locator("#main")).to_contain_text("研究室が応答しません。")
    assert "fetch" not in page.locator("body").inner_text()
    lab.restart()
    page.get_by_role("button", name="もう一度").click()
    expect(page.get_by_role("heading", name="作業")).to_be_visible()
    expect(page.get_by_role("button", name="ベンチマークを数える")).to_be_visible()


def test_the_keyboard_stays_in_the_bar(page, lab):
    page.goto(lab.url)
    link = page.get_by_role("navigation").get_by_role("link", name="Games", exact=True)
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()
    expect(link).to_be_focused()
    expect(link).to_have_attribute("aria-current", "page")
    expect(page.locator("#spoken")).to_have_text("Games · Ashtapada")


def test_the_way_back_leads_to_where_somebody_was(page, lab):
    page.goto(f"{lab.url}/#/games")
    page.locator('[data-game="xiangqi"]').scroll_into_view_if_needed()
    depth = page.evaluate("scrollY")
    assert depth > 300, depth
    page.locator('[data-game="xiangqi"]').click()
    expect(page.get_by_role("heading", name="Xiangqi", exact=True)).to_be_in_viewport()
    wait_until(page, "scrollY === 0")
    page.go_back()
    expect(page.locator('[data-game="xiangqi"]')).to_be_in_viewport()
    wait_until(page, f"Math.abs(scrollY - {depth}) < 2")
    page.reload()
    expect(page.locator('[data-game="xiangqi"]')).to_be_in_viewport()
    page.get_by_role("navigation").get_by_role("link", name="Games", exact=True).click()
    page.get_by_role("navigation").get_by_role("link", name="Study", exact=True).click()
    expect(page).to_have_title("Study · Ashtapada")
    wait_until(page, "scrollY === 0")


@own_server
def test_words_without_end_stay_within_the_screen(page, lab):
    lab.ask("games/own/long", {"text": f'name = "{"Endless " * 20}{"n" * 200}"\nabout = "{"x" * 300}"\nextends = "chess"\n'}, method="PUT")
    book = "b" * 64
    lab.ask("books", {"name": book, "game": "chess"})
    for address in ("study/openings", f"study/openings/{book}", f"study/openings/{book}/practice", "play/chess", "games", "games/long", "play/long", "games?show=tree", "study/problems?game=long", "analyze"):
        page.goto("about:blank")
        page.goto(f"{lab.url}/#/{address}", wait_until="networkidle")
        picture(page, f"long-{address.split('?')[0].replace('/', '-')}")
    lab.ask("games/own/long", method="DELETE")
    lab.ask("collections", {"name": "c" * 64, "game": "chess"})
    page.goto(f"{lab.url}/#/records/{'c' * 64}/add")
    page.get_by_label("Choose files").set_input_files({"name": f"{'f' * 120}.pgn", "mimeType": "text/plain", "buffer": b"1. e4 *"})
    expect(page.locator(".imported")).to_contain_text("added: 1 ")
    picture(page, "long-records-add")


def test_titles_tell_tabs_apart(page, lab):
    for address, title in [("games/shogi", "Shogi · Games"), ("records/nothing", "there is no collection named `nothing` · Records"), ("study/endings", "Study"), ("games", "Games")]:
        page.goto(f"{lab.url}/#/{address}")
        expect(page).to_have_title(f"{title} · Ashtapada")


def test_japanese_stays(page, lab):
    page.goto(lab.url)
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("link", name="棋譜")).to_be_visible()
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("link", name="Records")).to_be_visible()


def test_dark_stays(page, lab):
    page.goto(lab.url)
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Light or dark").click()
    page.reload()
    assert page.evaluate(paper) != light


def test_first_load_is_small(page, lab):
    sizes = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.goto(lab.url, wait_until="networkidle")
    assert sum(sizes) < 300_000, f"{sum(sizes)} bytes"
    loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    print(f"first load: {sum(sizes)} bytes in {len(sizes)} answers, {loaded:.0f} ms")


def test_nothing_is_loaded_from_elsewhere(page, lab):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for view in VIEWS:
        page.goto(f"{lab.url}/#/{view}", wait_until="networkidle")
    elsewhere = [url for url in asked if not url.startswith((lab.url, "data:", "blob:"))]
    assert not elsewhere, elsewhere


def test_every_word_is_there_in_both_languages(page, lab):
    page.goto(lab.url)
    for path in sorted((ROOT / "crates/web/page/words").glob("*.js")):
        if path.name in ("library.js", "told.js"):
            continue  # in English the game files and the server speak for themselves
        words = page.evaluate("name => import(`/words/${name}`).then((module) => module.default)", path.name)
        assert set(words["en"]) == set(words["ja"]), (path.name, set(words["en"]) ^ set(words["ja"]))
        text = path.read_text()
        twice = [key for key in words["en"] if text.count(f'"{key}":') != 2]
        assert not twice, f"{path.name} has these twice: {twice}"
        empty = [key for code in words for key, text in words[code].items() if not text]
        assert not empty, empty


def done_jobs(lab):
    """Some work of the past, so that lists are not empty."""
    games = {"kind": "analyze", "games": ["chess", "shatranj+double-step+castling", "shogi", "xiangqi"], "players": ["P0", "P1"], "n_games": 2}
    for request in (games, {"kind": "reproduce", "name": "000-table7", "n_games": 2}, {"kind": "analyze", "games": ["four-handed"], "players": ["P0"], "n_games": 2}):
        lab.ask("jobs", request)
    jobs = lab.wait_for("jobs", lambda jobs: all(job["state"] == "done" for job in jobs))
    return [job["id"] for job in jobs]


@own_server
def test_jobs_are_called_by_their_names_and_fit(page, lab):
    done_jobs(lab)
    page.goto(f"{lab.url}/#/jobs")
    expect(page.get_by_role("link", name="Takeshita et al. (about 2000), table 7: four shogi games at random")).to_be_visible()
    page.get_by_role("link", name="Chess, Shatranj+double-step+castling, Shogi, Xiangqi: P0, P1").click()
    table = page.locator(".estimates")
    expect(table.get_by_role("columnheader", name="First side")).to_be_visible()
    hidden = table.evaluate("(box) => box.scrollWidth - box.clientWidth")
    assert hidden <= 0, f"{hidden} pixels of the table are out of sight"
    page.get_by_role("button", name="日本語").click()
    expect(table.get_by_role("columnheader", name="引分")).to_be_visible()


@own_server
def test_nothing_jumps(page, lab):
    """Layout shift as browsers measure it: under 0.1 is good, and we want none that is seen."""
    watch = """window.shifted = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
            if (!entry.hadRecentInput) window.shifted += entry.value;
        })).observe({ type: "layout-shift", buffered: true });"""
    page.add_init_script(watch)
    for view in VIEWS + [f"analyze/{job}" for job in done_jobs(lab)]:
        page.goto("about:blank")
        # A game of a run is asked for move by move.
        is_run = "/" in view
        page.goto(f"{lab.url}/#/{view}", wait_until="load" if is_run else "networkidle")
        if is_run:
            expect(page.locator(".watch-board svg")).to_be_visible()
            expect(page.frame_locator("iframe.report").locator("h1").first).to_be_attached()
        settle(page)
        shifted = page.evaluate("window.shifted")
        print(f"layout shift of {view}: {shifted:.3f}")
        assert shifted < 0.05, f"{view} moves by {shifted}"


def test_text_can_be_read_in_both_themes(page, lab):
    """WCAG AA: 4.5 to 1 between text and what it stands on."""
    page.goto(lab.url)
    ratio = """([text, paper]) => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const light = (name) => {
            canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name);
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        const [a, b] = [light(text), light(paper)];
        return Math.max(a, b) / Math.min(a, b);
    }"""
    pairs = [("--ink", "--paper"), ("--ink", "--card"), ("--ink", "--soft"), ("--faint", "--paper"), ("--faint", "--card"), ("--faint", "--soft"),
             ("--accent", "--card"), ("--accent", "--paper"), ("--on-accent", "--accent"), ("--wrong", "--card"), ("--good", "--card"), ("--good", "--soft")]
    for _ in range(2):
        for pair in pairs:
            found = page.evaluate(ratio, list(pair))
            assert found >= 4.5, f"{pair} have {found:.1f} to 1"
        page.get_by_role("button", name="Light or dark").click()


def test_pictures_of_every_view(page, lab):
    for view in VIEWS:
        page.goto(f"{lab.url}/#/{view}", wait_until="networkidle")
        picture(page, f"view-{view}")


if __name__ == "__main__":
    run(globals())
