"""The bar, languages, themes, keyboard, and how much is loaded."""

from laboratory import expect, picture, run

VIEWS = ["play", "games", "analyze", "learn", "records", "study", "jobs"]


def test_every_view_is_a_click_away(page, lab):
    page.goto(lab.url)
    for name in ["Games", "Analyze", "Learn", "Records", "Study", "Jobs", "Play"]:
        page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_title(f"{name} · Ashtapada")


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


def test_first_load_is_small_and_quick(page, lab):
    sizes = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.goto(lab.url, wait_until="networkidle")
    assert sum(sizes) < 300_000, f"{sum(sizes)} bytes"
    loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert loaded < 1000, f"{loaded} ms"
    print(f"first load: {sum(sizes)} bytes in {len(sizes)} answers, {loaded:.0f} ms")


def test_nothing_is_loaded_from_elsewhere(page, lab):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for view in VIEWS:
        page.goto(f"{lab.url}/#/{view}", wait_until="networkidle")
    elsewhere = [url for url in asked if not url.startswith((lab.url, "data:", "blob:"))]
    assert not elsewhere, elsewhere


def test_pictures_of_every_view(page, lab):
    for view in VIEWS:
        page.goto(f"{lab.url}/#/{view}", wait_until="networkidle")
        picture(page, f"view-{view}")


run(globals())
