"""Every operation of the API, asked by Schemathesis with requests that its description allows and with some that it does not.

`api_client.py URL TOKEN`: nothing may be answered with a status of 500 or more, every answer is as the description says, and no
operation is left out. The requests are the same each time.
"""

import sys
import time

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode
from schemathesis.checks import CHECKS as ALL_CHECKS
from schemathesis.checks import load_all_checks
from schemathesis.core.transport import Response

URL, TOKEN = sys.argv[1:3]
# Of each sort one thing is there. Every other request names them, as texts by chance name nothing.
KNOWN = {
    "name": "known", "collection": "known", "book": "known", "game": "chess", "spec": "chess", "id": 1, "cell": 0,
    "number": 1, "ply": 1, "player": "level:1", "query": "e4=P", "material": "KRK", "format": "pgn", "depth": 2,
    "position": None, "moves": [], "move": "e2e4", "file": "a.pgn", "mate": 1, "text": "1. e4 e5 *", "nodes": 1000,
}  # fmt: skip
# What some operations want to know of in particular, so that each is granted at least once.
MATE, ENDING = "8/8/8/8/k2K2p1/8/3Q4/3N4 w - - 0 1", "8/8/8/4k3/8/8/4K3/R7 w - - 0 1"
WANTED = {
    "POST /api/books": {"name": "new", "game": "chess"},
    "POST /api/collections": {"name": "new", "game": "chess"},
    "POST /api/contest": {"game": "four-handed", "player": "P0"},
    "POST /api/endings/probe": {"game": "chess", "position": ENDING},
    "POST /api/jobs": {"kind": "analyze", "games": ["minishogi"], "players": ["P0"], "n_games": 2},
    "POST /api/problems/solve": {"game": "chess", "position": MATE, "mate": 2},
    "POST /api/problems/solve/events": {"game": "chess", "position": MATE, "mate": 2},
    "POST /api/why": {"game": "chess", "from": "e2", "to": "e5"},
    "PUT /api/queries/{name}": {"game": "chess", "text": "e4=P"},
}
FILES = {"POST /api/books/{name}/import": b"1. e4 e5 *\n", "PUT /api/collections/{name}/import": b"1. d4 d5 *\n"}
GAME = 'extends = "chess"\nname = "Known"\n'
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
N_REQUESTS = {GenerationMode.POSITIVE: 20, GenerationMode.NEGATIVE: 10}
N_JOBS = 4
# Whoever waits longer leaves: the server gives such work up.
PATIENCE = 5

headers = {"authorization": f"Bearer {TOKEN}"}
schema = schemathesis.openapi.from_url(f"{URL}/api/openapi.json", headers=headers)
session = requests.Session()
counts = {"asked": 0, "answered": 0, "left": 0}
granted = set()
problems = []


def send(method, path, body=None):
    sent = {"data": body} if isinstance(body, str) else {"json": body}
    return session.request(method, f"{URL}/api/{path}", headers=headers, timeout=20, **sent)


def begin_jobs():
    """Some jobs that are done before others are asked for; one is left when some were deleted."""
    for _ in range(N_JOBS):
        send("POST", "jobs", WANTED["POST /api/jobs"]).raise_for_status()
    end = time.monotonic() + 60
    while any(job["state"] != "done" for job in send("GET", "jobs").json()):
        assert time.monotonic() < end, "the jobs are not done"
        time.sleep(0.02)


def prepare():
    """What is known is there, even after it was deleted."""
    for method, path, body in (
        ("PUT", "collections/known/import?file=a.pgn", "1. e4 e5 *\n"),
        ("POST", "books", {"name": "known", "game": "chess"}),
        ("PUT", "games/own/known", {"text": GAME}),
        ("PUT", "queries/known", {"game": "chess", "text": "e4=P"}),
        ("PUT", "values/known", {"text": "pawn = 1\n"}),
    ):
        send(method, path, body)
    KNOWN["id"] = min(job["id"] for job in send("GET", "jobs").json())


WANTED["PUT /api/games/own/{name}"] = {"text": GAME}


def name_known(case):
    """The same request of things that are there."""
    label = case.operation.label
    case.body = WANTED.get(label, FILES.get(label, case.body))
    parts = (case.path_parameters, case.query) if label in WANTED else (case.path_parameters, case.query, case.body)
    for part in parts:
        if isinstance(part, dict):
            part.update((key, KNOWN[key]) for key in part if key in KNOWN)
    if label == "GET /api/jobs/{id}/files/{name}":
        case.path_parameters["name"] = "report.json"
    if label in FILES:
        case.query = {"file": "a.pgn"}
    return case


def ask(case):
    """The answer, and of an endless one its head; nothing if it takes too long."""
    wanted = case.as_transport_kwargs(base_url=URL, headers=headers)
    try:
        answer = session.request(**wanted, stream=True, timeout=PATIENCE)
        if "text/event-stream" in answer.headers.get("content-type", ""):
            answer._content, answer._content_consumed = b"", True
            answer.raw.close()
        return Response.from_requests(answer, verify=True)
    except (requests.exceptions.Timeout, requests.exceptions.ConnectionError):
        return None


def check_operation(operation, mode):
    @seed(1)
    @settings(
        max_examples=N_REQUESTS[mode],
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case):
        counts["asked"] += 1
        answer = ask(name_known(case) if counts["asked"] % 2 else case)
        counts["left" if answer is None else "answered"] += 1
        if answer is not None:
            if answer.status_code == 200:
                granted.add(operation.label)
            case.validate_response(answer, checks=CHECKS)

    check()


begin_jobs()
load_all_checks()
CHECKS = ALL_CHECKS.get_by_names(CHECKS)
asked = []
for found in schema.get_all_operations():
    operation = found.ok()
    begin = time.monotonic()
    if not asked or asked[-1].startswith("DELETE"):
        prepare()
    for mode in N_REQUESTS:
        try:
            check_operation(operation, mode)
        except Unsatisfiable:
            pass  # every request that can be made of it is allowed
        except BaseException as error:  # every operation is asked, then all problems are told
            if isinstance(error, KeyboardInterrupt):
                raise
            problems.append(f"{operation.label}: {error}")
    asked.append(operation.label)
    if time.monotonic() - begin > 3:
        print(f"slow: {operation.label}, {time.monotonic() - begin:.1f} s")

alive = session.get(f"{URL}/api/games", headers=headers, timeout=20)
described = sum(len(methods) for methods in schema.raw_schema["paths"].values())
print(f"{len(asked)} of {described} operations, {counts['answered']} answers, {counts['left']} waits were given up")
# A journal is not made up; `crates/cli/tests/browser/jobs.py` sends one.
refused = [label for label in asked if label not in granted and label != "POST /api/jobs/parts"]
if refused:
    problems.append("never granted: " + ", ".join(refused))
print("\n\n".join(problems))
sys.exit(1 if problems or len(asked) != described or alive.status_code != 200 else 0)
