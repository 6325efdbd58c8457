"""Who is let in: the address that was printed, the token typed, links from elsewhere."""

import http.server
import pathlib
import tempfile
import threading

from laboratory import expect, run


def is_in(page):
    expect(page.get_by_role("navigation").first).to_be_visible()


def is_asked(page):
    expect(page.get_by_label("Token")).to_be_visible()


def test_the_token_is_typed_once(page, lab):
    page.context.clear_cookies()
    page.goto(lab.url)
    is_asked(page)
    page.get_by_label("Token").fill("0123456789abcdef")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_contain_text("not the token")
    page.get_by_label("Token").fill(lab.token)
    page.get_by_role("button", name="Open").click()
    is_in(page)
    assert lab.token not in page.url, page.url
    page.goto(f"{lab.url}/#/games")
    page.reload()
    is_in(page)
    [cookie] = page.context.cookies()
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and lab.token not in cookie["value"], cookie


def test_a_page_of_the_folder_leads_in(page, lab):
    """As `ashta` opens the browser: the address does not stand in the list of processes."""
    page.context.clear_cookies()
    with tempfile.TemporaryDirectory() as folder:
        leads = pathlib.Path(folder) / "open.html"
        leads.write_text(f'<!doctype html><meta http-equiv=refresh content="0;url={lab.url}/?token={lab.token}">')
        page.goto(leads.as_uri())
        is_in(page)


def test_a_link_of_another_site_leads_in_who_is_known(page, lab):
    """Browsers keep a strict cookie back there; the place that the link names is reached all the same."""
    link = f'<a href="{lab.url}/#/games/shogi">there</a>'.encode()

    class Elsewhere(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(link)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page.goto(f"http://localhost:{server.server_port}/")
    page.get_by_role("link", name="there").click()
    is_in(page)
    assert page.url.endswith("#/games/shogi"), page.url
    page.context.clear_cookies()
    page.goto(f"http://localhost:{server.server_port}/")
    page.get_by_role("link", name="there").click()
    is_asked(page)
    server.shutdown()


def test_a_page_whose_session_is_gone_says_what_to_do(page, lab):
    page.goto(f"{lab.url}/#/games")
    is_in(page)
    page.context.clear_cookies()
    page.goto(f"{lab.url}/#/games/shogi")
    expect(page.get_by_text("open the address that `ashta` printed").first).to_be_visible()


if __name__ == "__main__":
    run(globals())
