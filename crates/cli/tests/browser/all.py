"""Every file of browser tests, on several processes: `python all.py target/debug/ashta [file ...]`.

Two servers are shared, one of them with the sample games; whatever fails, everything is run, and all failures are told at the
end.
"""

import importlib
import multiprocessing
import os
import pathlib
import queue as queue_module
import sys
import time

from playwright.sync_api import sync_playwright

from laboratory import Browser, Laboratory, tests_of

HERE = pathlib.Path(__file__).parent
# Those that take longest begin; the sample games are played meanwhile.
LAST = ["records"]


def files(only):
    """The files that have tests."""
    names = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in ("all", "laboratory"))
    wanted = [name for name in names if not only or name in only]
    return [name for name in wanted if name not in LAST] + [name for name in wanted if name in LAST]


def work(program, servers, queue, told):
    """Does tests from the queue until there are none."""
    shared = {with_samples: Laboratory.at(said) for with_samples, said in servers.items()}
    with sync_playwright() as playwright:
        browser = Browser(program, playwright)
        while (job := queue.get()) is not None:
            file, name = job
            module = importlib.import_module(file)
            lab = shared[getattr(module, "WITH_SAMPLES", False)]
            went_well, text = browser.do(name, tests_of(vars(module))[name], lab)
            told.put((went_well, f"{file}.py {text}"))
        browser.close()


def results(told, workers, n_jobs):
    """What was told of the tests, as it comes; tests of a process that died are failures."""
    for n in range(n_jobs):
        while True:
            try:
                went_well, text = told.get(timeout=5)
                break
            except queue_module.Empty:
                if not any(worker.is_alive() for worker in workers):
                    yield (False, f"{n_jobs - n} tests were not run: the processes ended")
                    return
        print(text, flush=True)
        yield (went_well, text)


def main():
    program, *only = sys.argv[1:]
    begun = time.monotonic()
    jobs = [(file, name) for file in files(only) for name in tests_of(vars(importlib.import_module(file)))]
    labs = {with_samples: Laboratory(program, with_samples) for with_samples in (False, True)}
    # Fresh processes: nothing of this one, neither its servers nor their folders, is theirs to end.
    context = multiprocessing.get_context("spawn")
    queue, told = context.Queue(), context.Queue()
    # More than there are processors: tests wait for clocks, animations and jobs.
    n_workers = min(8, 2 * (os.cpu_count() or 1))
    for job in jobs + [None] * n_workers:
        queue.put(job)
    servers = {with_samples: lab.said for with_samples, lab in labs.items()}
    workers = [context.Process(target=work, args=(program, servers, queue, told)) for _ in range(n_workers)]
    for worker in workers:
        worker.start()
    failed = [text for went_well, text in results(told, workers, len(jobs)) if not went_well]
    for worker in workers:
        worker.join()
    for lab in labs.values():
        lab.close()
    print(f"{len(jobs)} tests on {n_workers} processes in {time.monotonic() - begun:.0f} s, {len(failed)} failed")
    print("\n".join(failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
