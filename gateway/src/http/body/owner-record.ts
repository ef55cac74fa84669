const EXPENSIVE_MS = 4;
const EXPENSIVE_FOR_MS = 10_000;
/** Recorded work and refusals count half after this time. */
const HALF_LIFE_MS = 4_000;
/** Up to this share of an owner's work may be wasted: callers make mistakes, and many may share one organization. */
const SHARE_UNHEEDED = 0.1;
/** From this share on, and after `SOME_REFUSALS`, only few of the owner's calls may wait. */
const SHARE_OF_MOST = 0.5;
const SOME_REFUSALS = 3;
const REFUSED_FOR_MS = 10_000;
/** An owner's pause as a multiple of what its work took. Short for expensive work: just enough for small calls. */
const PAUSES_EXPENSIVE = 0.25;
const PAUSES_REFUSED = 9;
const LONGEST_PAUSE_MS = 1_000;
/** Waiting calls per owner; beyond this a new one is refused and should retry. */
const MAX_WAITING = 1_024;
const MAX_WAITING_REFUSED = 32;

/** Wasted work and how many calls it was, as of `#talliedMs`; forgotten after `untilMs`. */
type WastedWork = { ms: number; calls: number; untilMs: number };

/** What is remembered of the work on one owner's calls, and what follows from it for its next calls. */
export class OwnerRecord {
  /** None of its calls gets a turn before this time. */
  readyMs = 0;
  /** Until this time, calls that are not large wait for their turn, too. */
  expensiveUntilMs = 0;
  /** All work while there are recent refusals, as of `#talliedMs`. */
  #workMs = 0;
  #talliedMs = 0;
  readonly #wrong: WastedWork = { ms: 0, calls: 0, untilMs: 0 };
  /** Calls that were refused with a time to retry after. */
  readonly #early: WastedWork = { ms: 0, calls: 0, untilMs: 0 };

  static isExpensive(ms: number): boolean {
    return ms > EXPENSIVE_MS;
  }

  isOver(nowMs: number): boolean {
    return Math.max(this.readyMs, this.expensiveUntilMs, this.#wrong.untilMs, this.#early.untilMs) <= nowMs;
  }

  mostWaiting(nowMs: number): number {
    if (this.#refusals() === 0) return MAX_WAITING;
    this.#fade(nowMs);
    const isMost = this.#refusals() >= SOME_REFUSALS && this.#refusedShare() >= SHARE_OF_MOST;
    return isMost ? MAX_WAITING_REFUSED : MAX_WAITING;
  }

  spent(ms: number, nowMs: number): void {
    const isExpensive = OwnerRecord.isExpensive(ms);
    const isRefused = this.#refusals() > 0;
    if (isExpensive) this.expensiveUntilMs = nowMs + EXPENSIVE_FOR_MS;
    if (isRefused) {
      this.#fade(nowMs);
      this.#workMs += ms;
    }
    const times = Math.max(isExpensive ? PAUSES_EXPENSIVE : 0, PAUSES_REFUSED * this.#refusedShare());
    this.readyMs = Math.max(this.readyMs, nowMs + Math.min(ms * times, LONGEST_PAUSE_MS));
  }

  refused(ms: number, nowMs: number, forMs: number | undefined): void {
    this.#fade(nowMs);
    const part = forMs === undefined ? this.#wrong : this.#early;
    part.ms += ms;
    part.calls += 1;
    part.untilMs = nowMs + Math.min(forMs ?? REFUSED_FOR_MS, REFUSED_FOR_MS);
  }

  #refusals(): number {
    return this.#wrong.calls + this.#early.calls;
  }

  /** The share of the work that was wasted; 0 if that is little. */
  #refusedShare(): number {
    const refusedMs = this.#wrong.ms + this.#early.ms;
    if (refusedMs === 0) return 0;
    const share = refusedMs / Math.max(this.#workMs, refusedMs);
    return share < SHARE_UNHEEDED ? 0 : share;
  }

  /** Decays what is recorded to this moment. */
  #fade(nowMs: number): void {
    const left = 0.5 ** ((nowMs - this.#talliedMs) / HALF_LIFE_MS);
    this.#workMs *= left;
    for (const part of [this.#wrong, this.#early]) {
      const leftOfPart = nowMs < part.untilMs ? left : 0;
      part.ms *= leftOfPart;
      part.calls *= leftOfPart;
    }
    this.#talliedMs = nowMs;
  }
}
