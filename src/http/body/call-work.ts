import { AppError } from "../../kit/index.ts";
import type { KeptBody } from "./kept-bodies.ts";
import type { Turns } from "./turns.ts";

/**
 * Only admission answers with this status, for a repeat. It carries the rate state although it does not count in it.
 */
const CONFLICT = 409;
/** Refusals by admission that count in the rate window. */
const REFUSED_BY_ADMISSION: ReadonlySet<AppError["code"]> = new Set([
  "rate_limit_exceeded",
  "insufficient_credits",
]);

/**
 * What the body of one call costs us before the call begins to wait: time, which counts in its organization's turns,
 * and memory, for as long as the call runs.
 */
export class CallWork {
  kept: KeptBody | null = null;
  /** Null until then, and for little ones, which nobody can make dear. */
  #begunMs: number | null = null;
  #tookMs = 0;

  readonly #turns: Turns;

  constructor(
    turns: Turns,
    readonly owner: string,
  ) {
    this.#turns = turns;
  }

  begin(): void {
    this.#begunMs = performance.now();
  }

  /** Meanwhile others are served: that is no work, whatever the answer. */
  async pauseDuring<Value>(waiting: Promise<Value>): Promise<Value> {
    const pausedMs = performance.now();
    try {
      return await waiting;
    } finally {
      if (this.#begunMs !== null) this.#begunMs += performance.now() - pausedMs;
    }
  }

  /** The call waits from now on, or has failed. */
  end(): void {
    if (this.#begunMs === null) return;
    this.#tookMs = performance.now() - this.#begunMs;
    this.#turns.spent(this.owner, this.#tookMs);
  }

  /** It failed before anybody handled it. */
  fail(error: unknown): void {
    this.kept?.letGo();
    if (this.#begunMs !== null) this.#tellRefusal(error, performance.now() - this.#begunMs);
  }

  /** The answer as it is. Where it is a refusal, the work was for nothing; and with it the body is kept no longer. */
  watched(answering: Response | Promise<Response>): Response | Promise<Response> {
    if (this.#begunMs === null && this.kept === null) return answering;
    return Promise.resolve(answering)
      .catch((error) => {
        this.#tellRefusal(error, this.#tookMs);
        throw error;
      })
      .finally(() => this.kept?.handled());
  }

  #tellRefusal(error: unknown, tookMs: number): void {
    if (!wasForNothing(error)) return;
    const { retryAfterSeconds } = error.options;
    const forMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000;
    this.#turns.refused(this.owner, tookMs, forMs);
  }
}

/**
 * Whatever the sender did wrong cost it nothing, and us all the work that comes before; but what failed later than its
 * admission, which tells where its caller stands in the rate window, was a call like others.
 */
function wasForNothing(error: unknown): error is AppError {
  if (!(error instanceof AppError) || error.status < 400 || error.status >= 500) return false;
  const isRefused = error.status === CONFLICT || REFUSED_BY_ADMISSION.has(error.code);
  return isRefused || error.options.rate === undefined;
}
