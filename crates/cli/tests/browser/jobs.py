"""Measuring, learning, matches: jobs that are begun, watched, stopped, killed, gone on with, compared and kept."""

import json
import re

from laboratory import expect, picture, run, wait_while

# Jobs of one server wait for each other, and are listed together.
OWN_SERVERS = True


def begin_measuring(page, lab, games="200", players=()):
    page.goto(f"{lab.url}/#/analyze")
    for player in players:
        page.get_by_role("button", name=player, exact=True).click()
    page.get_by_label("Games of each").fill(games)
    page.locator("#measure").get_by_role("button", name="Begin").click()
    page.wait_for_url("**/#/analyze/*")
    return int(page.url.rsplit("/", 1)[1])


def wait_for(page, state):
    expect(page.locator(".job-head .state")).to_have_text(state, timeout=60_000)


def test_measure_two_games_and_see_the_report(page, lab):
    begin_measuring(page, lab)
    wait_for(page, "done")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("±")
    page.get_by_role("combobox").first.select_option("D")
    expect(page.locator(".plot-svg").first).to_have_attribute("aria-label", re.compile("game length"))
    expect(page.frame_locator("iframe.report").get_by_role("heading", name="Analysis of 2 games")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="report.csv").click()
    assert "chess" in open(saved.value.path()).read()
    with page.expect_download() as saved:
        page.get_by_role("button", name="SVG").first.click()
    assert "<svg" in open(saved.value.path()).read()
    picture(page, "analyze-run")


def test_watch_a_game_of_a_run(page, lab):
    begin_measuring(page, lab)
    expect(page.locator(".watch-board svg")).to_be_visible()
    expect(page.get_by_text(re.compile(r"P0 – P0 · \d+/\d+"))).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save this game").click()
    assert '[White "P0"]' in open(saved.value.path()).read()


def test_stop_and_go_on(page, lab):
    begin_measuring(page, lab, games="200000")
    # The keyboard stands on the button while the numbers change.
    page.get_by_role("button", name="Stop").focus()
    expect(page.locator(".job-told")).to_contain_text("a second", timeout=60_000)
    expect(page.get_by_role("button", name="Stop")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for(page, "stopped")
    page.get_by_role("button", name="Resume").click()
    wait_for(page, "running")
    page.get_by_role("button", name="Stop").click()
    wait_for(page, "stopped")


def test_a_killed_server_goes_on_with_its_job(page, lab):
    number = begin_measuring(page, lab, games="1500", players=["P1"])
    expect(page.locator("tbody tr")).to_have_count(4)
    before = lab.ask(f"jobs/{number}")["progress"]["done"]
    lab.kill()
    lab.restart()
    assert lab.ask(f"jobs/{number}")["state"] in ("waiting", "running", "done")
    page.goto(f"{lab.url}/#/jobs")
    expect(page.locator(f'[data-job="{number}"] .state')).to_have_text("done", timeout=120_000)
    job = lab.ask(f"jobs/{number}")
    assert job["progress"]["done"] == 6000 > before
    assert all(cell["n_games"] == 1500 for cell in job["progress"]["cells"])


def test_a_page_without_its_server_says_so_and_goes_on(page, lab):
    page.goto(f"{lab.url}/#/play/chess?player=human")
    expect(page.locator(".board")).to_be_visible()
    lab.kill()
    for _ in range(2):
        page.locator('[data-square="e2"]').click()
        page.locator('[data-square="e4"]').click()
        expect(page.get_by_text("The laboratory does not answer.").first).to_be_visible()
        expect(page.locator('[data-piece="e2"]')).to_be_attached()
    lab.restart()
    page.locator('[data-square="e2"]').click()
    page.locator('[data-square="e4"]').click()
    expect(page.locator(".moves .move")).to_have_text("e4")


def test_a_contest_is_watched_on_the_board(page, lab):
    job = lab.ask("jobs", {"kind": "analyze", "games": ["four-handed"], "players": ["P0"], "n_games": 3})
    page.goto(f"{lab.url}/#/analyze/{job['id']}")
    expect(page.locator(".watch-board [data-piece]").first).to_be_attached()
    expect(page.get_by_text(re.compile(r"P0 – P0 – P0 – P0 · [1-9]\d*/\d+"))).to_be_visible()


def test_long_names_stay_within_the_screen(page, lab):
    games = ["shatranj+double-step+queen-and-bishop+castling+promotes-to-any", "minishogi"]
    job = lab.ask("jobs", {"kind": "analyze", "games": games, "players": ["P0", "P1"], "n_games": 2})
    page.goto(f"{lab.url}/#/analyze/{job['id']}")
    wait_for(page, "done")
    expect(page.locator("#main").get_by_role("combobox", name="Which")).to_be_visible()
    picture(page, "analyze-long-names")


def test_compare_runs(page, lab):
    for games in ("100", "150"):
        begin_measuring(page, lab, games=games)
        wait_for(page, "done")
    page.goto(f"{lab.url}/#/analyze")
    boxes = page.get_by_role("checkbox", name="Compare chess, shatranj")
    for at in range(2):
        boxes.nth(at).check()
    page.get_by_role("button", name="Compare selected runs").click()
    expect(page.get_by_role("heading", name="Runs compared")).to_be_visible()
    # What was measured twice comes first; what was measured with one game each is there to be opened.
    expect(page.get_by_role("heading", name="The same game and players")).to_be_visible()
    expect(page.locator("tbody tr:visible")).to_have_count(2)
    expect(page.locator("tbody tr").first).to_contain_text("±")
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV").last.click()
    assert len(open(saved.value.path()).read().splitlines()) == 7
    picture(page, "analyze-compare")


def test_a_papers_experiment_in_one_click(page, lab):
    page.goto(f"{lab.url}/#/analyze")
    page.locator('[data-experiment="000-table7"]').click()
    page.wait_for_url("**/#/analyze/*")
    wait_for(page, "done")
    expect(page.frame_locator("iframe.report").get_by_text("Takeshita et al. (about 2000), table 7").first).to_be_visible()


def test_an_evolution_as_a_lattice(page, lab):
    page.goto(f"{lab.url}/#/analyze")
    page.get_by_text("From Heian shogi to shogi").locator("..").get_by_role("button", name="A quick look").click()
    page.wait_for_url("**/#/analyze/*")
    wait_for(page, "done")
    expect(page.frame_locator("iframe.report").locator("svg").first).to_be_visible()
    nodes = page.locator(".lattice-node")
    expect(nodes).to_have_count(8)
    expect(page.locator(".lattice .step")).to_have_count(12)
    nodes.nth(1).hover()
    expect(page.locator(".lattice-told")).to_contain_text("rook and bishop")
    with page.expect_download() as saved:
        page.get_by_role("button", name="SVG").first.click()
    assert "<svg" in open(saved.value.path()).read()
    picture(page, "analyze-evolution")


def test_a_match_with_its_elo(page, lab):
    page.goto(f"{lab.url}/#/analyze")
    form = page.locator("form", has=page.get_by_role("heading", name="A match"))
    form.get_by_label("Pairs of games").fill("10")
    form.get_by_label("First", exact=True).fill("P0")
    form.get_by_label("Second", exact=True).fill("P0")
    form.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/#/analyze/*")
    wait_for(page, "done")
    expect(page.locator(".plot-svg circle")).to_have_count(1)
    expect(page.locator(".plot-svg").first).to_have_attribute("aria-label", re.compile(r"Elo: P0 – P0: Chess -?\d"))
    # Whoever wins every game has no Elo that six games could tell: that is said, and no empty picture shown.
    job = lab.ask("jobs", {"kind": "match", "games": ["chess"], "players": ["level:2", "P0"], "n_pairs": 3, "opening": 4})
    page.goto(f"{lab.url}/#/analyze/{job['id']}")
    wait_for(page, "done")
    expect(page.get_by_text("Chess: 6 games, no Elo: one player won every game")).to_be_visible()
    expect(page.locator(".plot-svg")).to_have_count(0)


def test_other_programs_are_not_started(page, lab):
    page.goto(f"{lab.url}/#/analyze")
    form = page.locator("form", has=page.get_by_role("heading", name="A match"))
    form.get_by_label("First", exact=True).fill("uci:/bin/sh")
    form.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("the server does not start external engines")).to_be_visible()


def test_learn_compare_lambdas_and_use_the_weights(page, lab):
    page.goto(f"{lab.url}/#/learn")
    page.get_by_label("Other λ").fill("0.95")
    page.get_by_label("Games", exact=True).fill("60")
    page.get_by_label("Search depth, plies").fill("1")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/#/learn/*")
    wait_for(page, "done")
    expect(page.locator(".learn-pictures .plot-svg")).to_have_count(2)
    compared = page.locator("section", has=page.get_by_role("heading", name="Minishogi: lambdas compared"))
    expect(compared.locator(".plot-svg")).to_have_attribute("aria-label", re.compile(r"pawn λ 0.8 1; pawn λ 0.95 1; silver λ 0.8 [\d.]+; silver λ 0.95 "))
    with page.expect_download() as saved:
        compared.get_by_role("button", name="CSV").click()
    assert open(saved.value.path()).read().startswith("piece,lambda,value,lowest run,highest run\npawn,0.8,1,")
    expect(page.get_by_role("row", name="pawn")).to_contain_text("1")
    page.get_by_role("button", name="Keep").first.click()
    expect(page.get_by_role("link", name="Play with it")).to_be_visible()
    assert lab.ask("values") == ["minishogi-lambda0-8-run1"]
    picture(page, "learn-run")
    page.get_by_role("link", name="Play with it").click()
    expect(page.get_by_label("Piece values of the program")).to_have_value("minishogi-lambda0-8-run1")
    page.go_back()
    page.get_by_role("button", name="Keep").first.click()
    page.get_by_role("link", name="Put to the test").click()
    form = page.locator("form", has=page.get_by_role("heading", name="A match"))
    expect(form.get_by_label("First", exact=True)).to_have_value("minishogi-lambda0-8-run1")
    form.get_by_label("Pairs of games").fill("2")
    form.get_by_role("button", name="Begin").click()
    wait_for(page, "done")


def file_of(lab, job, name):
    return lab.request(f"jobs/{job}/files/{name}")


def measured(lab, **request):
    """A job that is done, as a notebook would have it."""
    job = lab.ask("jobs", {"kind": "analyze", "games": ["chess", "shatranj"], "players": ["P0"], "preset": "plain", "n_games": 40, **request})["id"]
    lab.wait_for(f"jobs/{job}", lambda job: job["state"] == "done")
    return job


def test_parts_are_played_brought_in_and_joined(page, lab):
    whole = measured(lab)
    elsewhere = measured(lab, shard="2/2")
    page.goto(f"{lab.url}/#/analyze")
    form = page.locator("#measure")
    form.get_by_text("More choices").click()
    form.get_by_label("Only one shard").fill("1/2")
    form.get_by_label("Games of each").fill("40")
    form.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/#/analyze/*")
    wait_for(page, "done")
    here = int(page.url.rsplit("/", 1)[1])
    expect(page.get_by_role("heading", name="A shard of an experiment")).to_be_visible()
    expect(page.locator("iframe.report")).to_have_count(0)
    # The other part comes from another machine as a file.
    page.goto(f"{lab.url}/#/jobs")
    page.goto(f"{lab.url}/#/analyze/{elsewhere}")
    with page.expect_download() as saved:
        page.get_by_role("link", name="journal").click()
    lab.ask(f"jobs/{elsewhere}", method="DELETE")
    page.goto(f"{lab.url}/#/analyze")
    page.locator("#bring input[type=file]").set_input_files(saved.value.path())
    expect(page.get_by_text("The shard is among the runs.")).to_be_visible()
    brought = max(job["id"] for job in lab.ask("jobs"))
    assert lab.ask(f"jobs/{brought}")["request"] == {"kind": "part"}
    for number in (here, brought):
        page.locator(f'#main input[type=checkbox][value="{number}"]').check()
    page.get_by_role("button", name="Merge selected shards").click()
    page.wait_for_url("**/#/analyze/*")
    wait_for(page, "done")
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".watch-board svg")).to_be_visible()
    joined = int(page.url.rsplit("/", 1)[1])
    assert file_of(lab, joined, "report.json") == file_of(lab, whole, "report.json")
    picture(page, "analyze-joined")


def test_an_evolution_in_parts_has_a_lattice_when_they_are_joined(page, lab):
    parts = [measured(lab, kind="evolve", name="heian-to-shogi", n_games=10, shard=f"{n}/2") for n in (1, 2)]
    page.goto(f"{lab.url}/#/analyze")
    for number in parts:
        page.locator(f'#main input[type=checkbox][value="{number}"]').check()
    page.get_by_label("Keep the games as").nth(0).scroll_into_view_if_needed()
    page.get_by_role("button", name="Merge selected shards").click()
    page.wait_for_url("**/#/analyze/*")
    wait_for(page, "done")
    nodes = page.locator(".lattice-node")
    expect(nodes).to_have_count(8)
    nodes.nth(1).hover()
    expect(page.locator(".lattice-told")).to_contain_text("rook and bishop")
    # It is there for whoever comes later, too.
    page.reload()
    expect(nodes).to_have_count(8)
    picture(page, "analyze-joined-evolution")


PAPER = "() => { const [fill, paper] = [document.querySelector('figure text'), document.body].map((one) => getComputedStyle(one)); return [fill.fill, paper.backgroundColor]; }"
def test_a_report_is_in_the_language_of_the_page(page, lab):
    whole = measured(lab, n_games=30)
    page.goto(f"{lab.url}/#/analyze/{whole}")
    heading = page.frame_locator("iframe.report").locator("h2").first
    expect(heading).to_contain_text("Strategic complexity E")
    page.get_by_role("button", name="日本語").click()
    expect(heading).to_have_text("ゲームとプレイヤーごとの戦略的複雑さ E")
    expect(page.locator("section:has(iframe.report) a")).to_have_attribute("href", re.compile(r"/report\.ja\.html#"))
    expect(page.get_by_role("link", name="report.ja.html")).to_be_visible()
    page.locator("iframe.report").scroll_into_view_if_needed()
    picture(page, "analyze-report-japanese")
    # What an older version of the program left has no other language.
    page.route("**/api/jobs/*/files", lambda route: route.fulfill(json=[{"name": "report.html", "n_bytes": 1}]))
    page.reload()
    expect(heading).to_contain_text("Strategic complexity E")


DARK, LIGHT = ["rgb(163, 172, 184)", "rgb(20, 23, 27)"], ["rgb(84, 92, 102)", "rgb(255, 255, 255)"]


def test_a_report_is_as_dark_as_the_page_around_it(page, lab):
    whole = measured(lab, n_games=30)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{lab.url}/#/analyze/{whole}")
    page.locator("iframe.report").scroll_into_view_if_needed()
    expect(page.frame_locator("iframe.report").locator("svg").first).to_be_visible()
    frame = page.frames[1]
    assert frame.evaluate(PAPER) == DARK
    picture(page, "analyze-report-dark")
    # The page's own choice counts, and is followed at once.
    for look in (LIGHT, DARK):
        page.locator("#theme").click()
        wait_while(page, lambda: page.frames[1].evaluate(PAPER) != look, f"the report is {look}")
    # A file that was saved is as the machine is; paper is always white.
    page.goto(f"{lab.url}/api/jobs/{whole}/files/report.html")
    assert page.evaluate(PAPER) == DARK
    page.emulate_media(color_scheme="dark", media="print")
    assert page.evaluate(PAPER)[1] == LIGHT[1]
    page.emulate_media(color_scheme="light", media="screen")
    assert page.evaluate(PAPER) == LIGHT


def test_a_papers_experiment_with_learned_values(page, lab):
    page.goto(f"{lab.url}/#/analyze")
    papers = page.locator("#papers")
    papers.get_by_text("More choices").click()
    papers.get_by_role("button", name="looks one ply further").click()
    papers.get_by_role("button", name="values promoted pieces").click()
    papers.locator('[data-experiment="004-table1"]').click()
    expect(page.get_by_text("004-table1 has no players to measure, so `reading` does not apply")).to_be_visible()
    papers.get_by_label("Games in a quick look").fill("1")
    papers.locator('[data-experiment="001-table3"]').click()
    page.wait_for_url("**/#/analyze/*")
    number = int(page.url.rsplit("/", 1)[1])
    assert lab.ask(f"jobs/{number}")["request"]["reading"] == "next,promoted"
    page.get_by_role("button", name="Stop").or_(page.get_by_role("button", name="Delete")).first.click()


def test_a_report_is_carried_out_again(page, lab):
    whole = measured(lab, n_games=30)
    for name in ("report.html", "report.json"):
        page.goto(f"{lab.url}/#/jobs")
        page.goto(f"{lab.url}/#/analyze")
        page.locator("#bring input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": file_of(lab, whole, name)})
        page.wait_for_url("**/#/analyze/*")
        wait_for(page, "done")
        again = int(page.url.rsplit("/", 1)[1])
        assert file_of(lab, again, "report.json") == file_of(lab, whole, "report.json")


def test_a_report_that_names_a_program_a_path_or_nothing_is_refused(page, lab):
    plan = json.loads(file_of(lab, measured(lab, n_games=30), "report.json"))["plan"]
    before = len(lab.ask("jobs"))

    def paste(text, said):
        page.goto(f"{lab.url}/#/jobs")
        page.goto(f"{lab.url}/#/analyze")
        card = page.locator("#bring")
        card.get_by_text("Paste a report").click()
        card.get_by_label("The text of a report.json").fill(text)
        card.get_by_role("button", name="Run again").click()
        expect(page.locator(".notice.wrong").get_by_text(said).first).to_be_visible()

    def changed(**cell):
        return json.dumps({"plan": {**plan, "cells": [{**plan["cells"][0], **cell}]}})

    paste(changed(players=["uci:/bin/sh", "P0"]), "the server does not start external engines")
    paste(changed(game="../../secret.toml"), "is not a valid name")
    paste(changed(digest="0" * 16), "differ from those of the report")
    paste(changed(players=["P0"]), "has 2 sides, not 1")
    paste(json.dumps({"plan": {"kind": "analysis"}}), "not a plan that can be run again")
    paste("nothing", "This file contains no plan.")
    assert len(lab.ask("jobs")) == before


def test_an_evolution_of_ones_own(page, lab):
    page.goto(f"{lab.url}/#/analyze")
    card = page.locator("#evolutions")
    card.get_by_text("An evolution of your own").click()
    text = card.get_by_label("Evolution file")
    example = text.input_value()
    text.fill(example.replace('base = "shatranj"', 'base = "../shatranj.toml"'))
    card.get_by_role("button", name="Begin").click()
    expect(page.locator(".notice.wrong").first).to_be_visible()
    text.fill(example.replace("games = 100", "games = 10"))
    card.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/#/analyze/*")
    wait_for(page, "done")
    expect(page.locator("tbody tr")).to_have_count(4)
    expect(page.locator(".lattice-node")).to_have_count(4)
    expect(page.frame_locator("iframe.report").get_by_text("From shatranj towards chess").first).to_be_visible()


def test_the_benchmark(page, lab):
    page.goto(f"{lab.url}/#/jobs")
    page.get_by_role("button", name="Run the benchmark").click()
    page.wait_for_url("**/#/analyze/*")
    wait_for(page, "done")
    expect(page.get_by_text("Signature 17,384,015")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="bench.csv").click()
    assert open(saved.value.path()).read().startswith("game,depth,nodes,milliseconds,position\nchess,5,4865609,")
    picture(page, "bench")


def test_jobs_have_a_history(page, lab):
    measured(lab, n_games=4)
    measured(lab, n_games=6)
    page.goto(f"{lab.url}/#/jobs")
    rows = page.locator("tbody tr")
    expect(rows.first).to_be_visible()
    before = rows.count()
    picture(page, "jobs")
    # Everything of a job is within a phone's width.
    page.set_viewport_size({"width": 390, "height": 844})
    box = rows.first.get_by_role("button", name="Delete").bounding_box()
    assert box["x"] + box["width"] <= 390, box
    page.set_viewport_size({"width": 1280, "height": 900})
    page.on("dialog", lambda dialog: dialog.accept())
    rows.first.get_by_role("button", name="Delete").click()
    expect(rows).to_have_count(before - 1)


def test_in_japanese(page, lab):
    measured(lab, n_games=4)
    page.goto(f"{lab.url}/#/analyze")
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("heading", name="ゲームを測る")).to_be_visible()
    picture(page, "analyze-ja")
    page.goto(f"{lab.url}/#/jobs")
    expect(page.get_by_role("link", name="チェス, シャトランジ: P0").first).to_be_visible()


if __name__ == "__main__":
    run(globals())
