import { AppError, finishSteps, type Steps } from "../../kit/index.ts";
import type { FairQueue } from "./fair-queue.ts";
import type { KeptBody } from "./kept-bodies.ts";

/**
 * Only admission answers with this status, for a repeat. It carries the rate state although it does not count in it.
 */
const CONFLICT = 409;
/** Refusals by admission that count in the rate window. */
const REFUSED_BY_ADMISSION: ReadonlySet<AppError["code"]> = new Set([
  "rate_limit_exceeded",
  "insufficient_credits",
]);

const UNFINISHED: unique symbol = Symbol("unfinished");
/** A call that has worked for so long lets others be served before it goes on. */
const SLICE_MS = 20;

/**
 * What the body of one call costs us before the call begins to wait: time, which counts in its organization's turns,
 * and memory, for as long as the call runs.
 */
export class CallWork {
  kept: KeptBody | null = null;
  /** False until `begin`, and for small bodies, which cannot be made expensive. */
  #isMeasured = false;
  /** Null while nothing is measured. */
  #begunMs: number | null = null;
  #tookMs = 0;

  readonly #queue: FairQueue;

  constructor(
    queue: FairQueue,
    readonly owner: string,
  ) {
    this.#queue = queue;
  }

  begin(): void {
    this.#isMeasured = true;
    this.#begunMs = performance.now();
  }

  /** Works step by step. If that takes long, the call waits for further turns; its work goes on until `end`. */
  inTurns<Value>(steps: Steps<Value>): Value | Promise<Value> {
    if (this.#begunMs === null) return finishSteps(steps);
    const value = this.#slice(steps, this.#begunMs);
    return value === UNFINISHED ? this.#goOn(steps) : value;
  }

  #slice<Value>(steps: Steps<Value>, begunMs: number): Value | typeof UNFINISHED {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (performance.now() - begunMs >= SLICE_MS) return UNFINISHED;
    }
  }

  async #goOn<Value>(steps: Steps<Value>): Promise<Value> {
    for (;;) {
      await this.#queue.again(this.owner, this.#stop());
      this.#begunMs = performance.now();
      const value = this.#slice(steps, this.#begunMs);
      if (value !== UNFINISHED) return value;
    }
  }

  /** Waiting does not count as work, whatever the outcome: others are served meanwhile. */
  async pauseDuring<Value>(waiting: Promise<Value>): Promise<Value> {
    const pausedMs = performance.now();
    try {
      return await waiting;
    } finally {
      if (this.#begunMs !== null) this.#begunMs += performance.now() - pausedMs;
    }
  }

  /** The call starts to wait now, or has failed. */
  end(): void {
    if (this.#begunMs !== null) this.#queue.spent(this.owner, this.#stop());
  }

  /** Returns how long the work took since it began or went on. */
  #stop(): number {
    const ms = performance.now() - (this.#begunMs ?? performance.now());
    this.#begunMs = null;
    this.#tookMs += ms;
    return ms;
  }

  /** The call failed before it was handled. */
  fail(error: unknown): void {
    this.kept?.letGo();
    if (this.#begunMs !== null) this.#reportRefusal(error, this.#tookMs + performance.now() - this.#begunMs);
  }

  /**
   * Passes the reply through. If it is a refusal, the work counts as wasted. In any case the body is released, unless a
   * stream keeps it.
   */
  watched(answering: Response | Promise<Response>): Response | Promise<Response> {
    if (!this.#isMeasured && this.kept === null) return answering;
    return Promise.resolve(answering)
      .catch((error) => {
        this.#reportRefusal(error, this.#tookMs);
        throw error;
      })
      .finally(() => this.kept?.handled());
  }

  #reportRefusal(error: unknown, tookMs: number): void {
    if (!this.#isMeasured || !isWasted(error)) return;
    const { retryAfterSeconds } = error.options;
    const forMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000;
    this.#queue.refused(this.owner, tookMs, forMs);
  }
}

/**
 * True for client errors up to admission: they cost the sender nothing, and us all the work before them. Errors after
 * admission, which carry the rate state, are calls like any other.
 */
function isWasted(error: unknown): error is AppError {
  if (!(error instanceof AppError) || error.status < 400 || error.status >= 500) return false;
  const isRefused = error.status === CONFLICT || REFUSED_BY_ADMISSION.has(error.code);
  return isRefused || error.options.rate === undefined;
}
