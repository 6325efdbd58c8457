// Clocks of a game: a time for each side, an increment for each move.

/** Choices of clocks, as [key, minutes, seconds added]. */
export const CLOCKS = [
  ["none"],
  ["1+0", 1, 0],
  ["3+2", 3, 2],
  ["5+0", 5, 0],
  ["10+5", 10, 5],
  ["15+10", 15, 10],
  ["30+30", 30, 30],
  ["own"],
];

/** "5+0" as { minutes, seconds }; nothing for "none". */
export function readClock(text) {
  const found = /^(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)$/.exec(text ?? "");
  return found && Number(found[1]) > 0 ? { minutes: Number(found[1]), seconds: Number(found[2]) } : null;
}

/** 4:07, 0:09.3 under ten seconds. */
export function clockText(ms) {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), String(seconds % 60).padStart(2, "0")];
  return left < 10000 ? `${minutes}:${rest}.${Math.floor((left % 1000) / 100)}` : `${minutes}:${rest}`;
}

export class Clocks {
  /** `tick()` is called while a clock runs, `fallen(side)` when it has run out. */
  constructor(state, { tick, fallen }) {
    Object.assign(this, { state, tick, fallen, running: null });
  }

  /** Lets the clock of a side run, or none. */
  run(side) {
    this.settle();
    const { clock, times } = this.state;
    this.running = clock && times && side !== null ? { side, since: performance.now() } : null;
    clearInterval(this.timer);
    if (this.running) this.timer = setInterval(() => this.look(), 100);
  }

  look() {
    this.settle();
    this.tick();
    const side = this.running?.side;
    if (side === undefined || this.state.times[side] > 0) return;
    this.stop();
    this.fallen(side);
  }

  /** Takes what has passed off the clock that runs. */
  settle() {
    if (!this.running) return;
    const now = performance.now();
    this.state.times[this.running.side] = Math.max(
      0,
      this.state.times[this.running.side] - (now - this.running.since),
    );
    this.running.since = now;
  }

  /** A side has moved. */
  moved(side) {
    this.settle();
    if (this.state.clock && this.state.times) this.state.times[side] += this.state.clock.seconds * 1000;
  }

  stop() {
    this.settle();
    clearInterval(this.timer);
    this.running = null;
  }
}
