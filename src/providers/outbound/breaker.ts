import type { Clock } from "../../kit/index.ts";
import { ProviderFailure } from "../contract.ts";
import { createFailureWindow, type FailureWindow } from "./failure-window.ts";

/** Open until a call succeeds again; half open while one call probes the target. */
type BreakerState = "closed" | "open" | "half_open";

/** Permission to make one call. Its start is reported once, by one of the first three methods. */
export type BreakerPermit = {
  succeeded(): void;
  /** Counts only errors that show the target to be down; any others say nothing about it. */
  failed(error: unknown): void;
  /** The call was cancelled before the target showed anything. */
  abandoned(): void;
  /** After `succeeded`: the answer had begun, then failed. It is reported, but says nothing about the target. */
  brokeOff(error: unknown): void;
};

export type BreakerOptions = {
  readonly clock: Clock;
  /** Called for every failure of a target, of any kind: if another target answers, nobody would notice otherwise. */
  readonly onFailed?: (target: string, failure: ProviderFailure) => void;
};

/** Keeps calls away from targets that are down, and callers from waiting for them. */
export type Breaker = {
  /** Null while the target is considered down. */
  pass(target: string): BreakerPermit | null;
  state(target: string): BreakerState;
};

const MAX_FAILURES_IN_ROW = 5;
const OPEN_MS = 10_000;
/** A probe without a reported outcome blocks the next one this long: more than the default first-byte timeout. */
const MAX_PROBE_MS = 150_000;
/** Targets come from the catalog, so this bound matters only if that ever changes. */
const MAX_TARGETS = 4_096;

type Target = {
  readonly name: string;
  failuresInRow: number;
  readonly window: FailureWindow;
  /** Null while closed. */
  openedAtMs: number | null;
  probe: { readonly startedAtMs: number } | null;
};

export function createBreaker(options: BreakerOptions): Breaker {
  const { clock } = options;
  const targets = new Map<string, Target>();

  function stateOf(target: Target | undefined): BreakerState {
    if (target === undefined || target.openedAtMs === null) return "closed";
    return isProbed(target) ? "half_open" : "open";
  }

  function isProbed({ probe }: Target): boolean {
    return probe !== null && clock.elapsedMs() - probe.startedAtMs < MAX_PROBE_MS;
  }

  return {
    pass(name) {
      const target = targets.get(name) ?? addTarget(targets, name);
      if (target.openedAtMs === null) return new ClosedPermit(target, options);
      const isSpared = clock.elapsedMs() - target.openedAtMs < OPEN_MS;
      return isSpared || isProbed(target) ? null : probePermit(target, options);
    },
    state: (name) => stateOf(targets.get(name)),
  };
}

function addTarget(targets: Map<string, Target>, name: string): Target {
  if (targets.size >= MAX_TARGETS) targets.delete(targets.keys().next().value ?? "");
  const target: Target = {
    name,
    failuresInRow: 0,
    window: createFailureWindow(),
    openedAtMs: null,
    probe: null,
  };
  targets.set(name, target);
  return target;
}

class ClosedPermit implements BreakerPermit {
  readonly #target: Target;
  readonly #options: BreakerOptions;

  constructor(target: Target, options: BreakerOptions) {
    this.#target = target;
    this.#options = options;
  }

  succeeded(): void {
    this.#target.failuresInRow = 0;
    this.#target.window.add(this.#options.clock.elapsedMs(), false);
  }

  failed(error: unknown): void {
    const target = this.#target;
    report(this.#options, target, error);
    if (healthShownBy(error) !== "down") return;
    const nowMs = this.#options.clock.elapsedMs();
    target.failuresInRow += 1;
    target.window.add(nowMs, true);
    // Calls that were already running when the breaker opened tell us nothing new.
    if (target.openedAtMs !== null) return;
    if (target.failuresInRow >= MAX_FAILURES_IN_ROW || target.window.isFailing(nowMs)) {
      target.openedAtMs = nowMs;
    }
  }

  abandoned(): void {}

  brokeOff(error: unknown): void {
    report(this.#options, this.#target, error);
  }
}

function report({ onFailed }: BreakerOptions, { name }: Target, error: unknown): void {
  if (!(error instanceof ProviderFailure)) return;
  error.target = name;
  onFailed?.(name, error);
}

function probePermit(target: Target, options: BreakerOptions): BreakerPermit {
  const { clock } = options;
  const probe = { startedAtMs: clock.elapsedMs() };
  target.probe = probe;
  const isCurrent = () => target.probe === probe;
  function close(): void {
    if (!isCurrent()) return;
    target.probe = null;
    target.openedAtMs = null;
    target.failuresInRow = 0;
    target.window.clear();
  }
  function abandon(): void {
    if (isCurrent()) target.probe = null;
  }
  return {
    succeeded: close,
    failed(error) {
      report(options, target, error);
      const health = healthShownBy(error);
      if (health === "up") close();
      else if (health === "unknown") abandon();
      else if (isCurrent()) {
        target.probe = null;
        target.openedAtMs = clock.elapsedMs();
      }
    },
    abandoned: abandon,
    brokeOff: (error) => report(options, target, error),
  };
}

/**
 * An open breaker closes the target to every organization, so a failure that one caller's request can provoke must not
 * count: anyone who found such a request could shut a model down for all. What counts is how a target behaves
 * regardless of the request, as far as we can tell:
 * - down: no connection, a broken connection, no first byte in time, a 408, a 5xx, an error inside a 200 that is about
 *   the server itself (overloaded, internal), a body that does not follow the protocol. A request may cause these as
 *   well, but we cannot tell that from a target that fails for everybody, and such a target must be spared.
 * - up: any other refusal (every 4xx but 408, a full context, a rate limit; a 401 may be about one endpoint or the cost
 *   of one long text, a 403 about the content, a 404 about a file), and every well-formed answer that is useless: a
 *   finish reason that means failure, a blocked prompt, a reply without an answer, any other error inside a 200, an
 *   answer larger or deeper than our limits, abandoned work, no image, a file of the wrong type. If such a target is
 *   down after all, it says so immediately, which costs the next caller less than a closed model.
 * - unknown: a failure that was requested (sandbox), a caller that disconnected, a request that we could not send.
 */
function healthShownBy(error: unknown): "down" | "up" | "unknown" {
  if (!(error instanceof ProviderFailure) || error.detail.scripted) return "unknown";
  // We refused the request ourselves, before any target was asked.
  if (error.detail.field !== undefined) return "unknown";
  if (error.detail.targetHealth !== undefined) return error.detail.targetHealth;
  return error.kind === "unavailable" || error.kind === "timeout" ? "down" : "up";
}
