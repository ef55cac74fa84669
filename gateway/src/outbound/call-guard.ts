import type { ProviderFailure, ProviderFailureDetail } from "../contract/index.ts";
import {
  createDeadlineQueues,
  type Deadline,
  type DeadlineQueue,
  Stopper,
  type StopSignal,
} from "../kit/index.ts";
import { timeoutFailure } from "./failures/network-failure.ts";
import type { OutboundTimeouts } from "./outbound-call.ts";
import type { Reachability } from "./reachability.ts";

/**
 * Stops one call when its caller does, or when a wait takes too long. Usually needs no timer: deadlines share queues.
 */
export type CallGuard = {
  readonly host: string;
  /** Host, path and proxy, for the log; without the query, which may contain a key. */
  readonly where: string;
  /** Aborts with the reason that the call ends with. */
  readonly signal: StopSignal;
  readonly elapsedMs: number;
  /** The response headers have arrived: from now on every wait is for a piece of the body. */
  answered(): void;
  waitBegins(): void;
  waitEnds(): void;
  /**
   * The answer has announced its end: `end` is called a moment later, unless the call has ended by then or this is
   * called again. From now on silence is not a failure.
   */
  expectEnd(end: () => void): void;
  /** Null unless the caller or a timeout stopped the call; then its reason takes the place of any other error. */
  stoppedBy(): Stop | null;
  /** Removes all timers and listeners; may be called more than once. */
  end(): void;
};

/** The caller's reason is passed on unchanged. */
type Stop =
  | { readonly isTimeout: true; readonly reason: ProviderFailure }
  | { readonly isTimeout: false; readonly reason: unknown };

type GuardedCall = {
  readonly url: string;
  readonly signal: StopSignal;
  /** The controller of `signal`, if the caller lends it: a timeout aborts it directly, without a second signal. */
  readonly controller?: Stopper | undefined;
  readonly reachability: Reachability;
};

const NEVER = Number.POSITIVE_INFINITY;
const MAX_PATH_CHARACTERS = 200;
/**
 * Whatever a server sends after the end, such as usage, comes at once. This keeps servers that never close the
 * connection from holding the call.
 */
const MOST_AFTER_END_MS = 10_000;
/** Extra time to read: a process that was suspended past a deadline first takes in what arrived meanwhile. */
const READING_MS = 50;

type Waits = {
  readonly timeouts: OutboundTimeouts;
  readonly connect: DeadlineQueue;
  readonly firstByte: DeadlineQueue;
  readonly idle: DeadlineQueue;
  readonly afterEnd: DeadlineQueue;
};

export function createCallGuards(timeouts: OutboundTimeouts): (call: GuardedCall) => CallGuard {
  const queueOf = createDeadlineQueues();
  const waits: Waits = {
    timeouts,
    connect: queueOf(timeouts.connectMs / 2),
    firstByte: queueOf(timeouts.firstByteMs),
    idle: queueOf(timeouts.idleMs),
    afterEnd: queueOf(Math.min(timeouts.idleMs, MOST_AFTER_END_MS)),
  };
  return (call) => new Guard(waits, call);
}

class Guard implements CallGuard {
  readonly host: string;
  readonly #url: string;
  readonly signal: StopSignal;
  readonly #waits: Waits;
  readonly #reachability: Reachability;
  readonly #controller: Stopper;
  readonly #startedMs = performance.now();
  /** The caller's signal and our listener on it; null if the caller lent us its controller. */
  #ear: { readonly signal: StopSignal; readonly onAbort: () => void } | null = null;
  #phase: "headers" | "first_byte" | "body" = "headers";
  #failure: ProviderFailure | undefined;
  /** When the current wait times out. */
  #deadlineMs: number;
  /** When the deadline will next be checked; the deadline itself moves with every piece of the body. */
  #lookAtMs: number;
  #looking: Deadline | null;
  #connecting: Deadline | null;
  #ending: Deadline | null = null;

  constructor(waits: Waits, { url, signal, controller, reachability }: GuardedCall) {
    this.#url = url;
    this.#waits = waits;
    this.#reachability = reachability;
    this.host = reachability.host;
    this.#controller = controller ?? this.#ownController(signal);
    this.signal = this.#controller;
    this.#deadlineMs = this.#startedMs + waits.timeouts.firstByteMs;
    this.#lookAtMs = this.#deadlineMs;
    this.#looking = waits.firstByte.add(this, Guard.#checkDeadline);
    this.#connecting = waits.connect.add(this, Guard.#checkConnect);
  }

  get where(): string {
    const { host, proxy } = this.#reachability;
    const way = proxy === null ? "" : ` through the proxy ${proxy}`;
    return `${host}${new URL(this.#url).pathname.slice(0, MAX_PATH_CHARACTERS)}${way}`;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  answered(): void {
    this.#reachability.answered();
    this.#connecting?.clear();
    this.#connecting = null;
    this.#phase = "first_byte";
    this.#deadlineMs = NEVER;
  }

  waitBegins(): void {
    if (this.#ending !== null) return;
    const { firstByteMs, idleMs } = this.#waits.timeouts;
    const isFirst = this.#phase === "first_byte";
    this.#deadlineMs = isFirst ? this.#startedMs + firstByteMs : performance.now() + idleMs;
    if (this.#deadlineMs >= this.#lookAtMs) return;
    this.#looking?.clear();
    this.#lookAtMs = this.#deadlineMs;
    this.#looking = isFirst ? this.#lookLater() : this.#waits.idle.add(this, Guard.#checkDeadline);
  }

  waitEnds(): void {
    this.#phase = "body";
    this.#deadlineMs = NEVER;
  }

  expectEnd(end: () => void): void {
    this.#ending?.clear();
    this.#ending = this.#waits.afterEnd.add(end, endLater);
  }

  stoppedBy(): Stop | null {
    if (this.#failure !== undefined) return { isTimeout: true, reason: this.#failure };
    const signal = this.#ear?.signal ?? this.signal;
    return signal.aborted ? { isTimeout: false, reason: signal.reason } : null;
  }

  end(): void {
    this.#looking?.clear();
    this.#connecting?.clear();
    this.#ending?.clear();
    this.#looking = null;
    this.#connecting = null;
    this.#lookAtMs = NEVER;
    this.#deadlineMs = NEVER;
    this.#ear?.signal.removeEventListener("abort", this.#ear.onAbort);
  }

  #ownController(signal: StopSignal): Stopper {
    const controller = new Stopper();
    const onAbort = () => {
      this.end();
      controller.abort(signal.reason);
    };
    this.#ear = { signal, onAbort };
    signal.addEventListener("abort", onAbort, { once: true });
    return controller;
  }

  #expire(what: string, more: ProviderFailureDetail): void {
    if (this.stoppedBy() !== null) return;
    this.#failure = timeoutFailure(what, this.where, more);
    this.end();
    this.#controller.abort(this.#failure);
  }

  static #checkDeadline(guard: Guard): void {
    guard.#looking = null;
    guard.#lookAtMs = NEVER;
    if (guard.#deadlineMs === NEVER) return;
    if (performance.now() < guard.#deadlineMs) {
      guard.#lookAtMs = guard.#deadlineMs;
      guard.#looking = guard.#lookLater();
      return;
    }
    const { idleMs, firstByteMs } = guard.#waits.timeouts;
    // It answered, then fell silent.
    if (guard.#phase === "body") guard.#expire(`silent for ${idleMs} ms`, { reason: "provider_error" });
    else guard.#expire(`no byte for ${firstByteMs} ms`, { reason: "timeout_first_byte" });
  }

  static #checkConnect(guard: Guard): void {
    guard.#connecting = null;
    const { connectMs } = guard.#waits.timeouts;
    void guard.#reachability.isSilent(connectMs / 2).then((isSilent) => {
      if (!isSilent || guard.#phase !== "headers") return;
      guard.#expire(`no connection for ${connectMs} ms`, { reason: "timeout_connect", isUnconnected: true });
    });
  }

  /** For a deadline that moved. Happens at most once per timeout period, so a separate timer is cheap enough. */
  #lookLater(): Deadline {
    const timer = setTimeout(
      Guard.#checkDeadline,
      Math.max(0, this.#deadlineMs - performance.now()),
      this as Guard,
    );
    return { clear: () => clearTimeout(timer) };
  }
}

function endLater(end: () => void): void {
  setTimeout(end, READING_MS);
}
