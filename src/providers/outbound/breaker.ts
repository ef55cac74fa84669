import type { Clock } from "../../kit/index.ts";
import { ProviderFailure } from "../contract.ts";
import { createFailureWindow, type FailureWindow } from "./failure-window.ts";

/** Open until a call got through again; half open while one tries. */
type BreakerState = "closed" | "open" | "half_open";

/** The right to make one call; how it began is told once, by one of the first three. */
export type BreakerPermit = {
  succeeded(): void;
  /** Counts only what shows the target to be down; anything else thrown says nothing of it. */
  failed(error: unknown): void;
  /** The call was given up before its target showed anything. */
  abandoned(): void;
  /** After `succeeded`: the answer had begun and went wrong. It is told, and shows nothing of the target. */
  brokeOff(error: unknown): void;
};

export type BreakerOptions = {
  readonly clock: Clock;
  /** Told of every failure of a target, of whatever kind: another target may answer, and nobody would know. */
  readonly onFailed?: (target: string, failure: ProviderFailure) => void;
};

/** Spares targets that are down, and those who would wait for them. */
export type Breaker = {
  /** Null while the target is believed to be down. */
  pass(target: string): BreakerPermit | null;
  state(target: string): BreakerState;
};

const MAX_FAILURES_IN_ROW = 5;
const OPEN_MS = 10_000;
/** A probe that nobody reported on blocks the next one no longer than a call can be without a first byte. */
const MAX_PROBE_MS = 150_000;
/** Targets come from the catalog; the bound only holds if that ever changes. */
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
    tell(this.#options, target, error);
    if (healthShownBy(error) !== "down") return;
    const nowMs = this.#options.clock.elapsedMs();
    target.failuresInRow += 1;
    target.window.add(nowMs, true);
    // Calls that were under way when the target was given up say nothing new.
    if (target.openedAtMs !== null) return;
    if (target.failuresInRow >= MAX_FAILURES_IN_ROW || target.window.isFailing(nowMs)) {
      target.openedAtMs = nowMs;
    }
  }

  abandoned(): void {}

  brokeOff(error: unknown): void {
    tell(this.#options, this.#target, error);
  }
}

function tell({ onFailed }: BreakerOptions, { name }: Target, error: unknown): void {
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
      tell(options, target, error);
      const health = healthShownBy(error);
      if (health === "up") close();
      else if (health === "unknown") abandon();
      else if (isCurrent()) {
        target.probe = null;
        target.openedAtMs = clock.elapsedMs();
      }
    },
    abandoned: abandon,
    brokeOff: (error) => tell(options, target, error),
  };
}

/**
 * A target that is given up is closed to every organization, so nothing may count that one caller's request decides:
 * whoever found such a request could close a model for all. What counts is what a target does whatever it is asked,
 * as far as that can be told:
 * - down: no connection, one that broke off, silence for as long as a first byte may take, a 5xx, an error inside a 200
 *   that speaks of the server itself (overloaded, internal), a body that is not the wire's. A request may cause
 *   these too, but nothing tells such a one from a target that fails everybody, and those must be spared.
 * - up: whatever was refused (4xx of any kind, a context that is full, a limit; a 401 may be about one endpoint or what
 *   one long text would cost, a 403 about the words, a 404 about a file), and every answer in good form that is of no use: an end by a word of failure, a blocked prompt, a
 *   whole reply without an answer in it, any other error inside a 200, more or deeper than our bounds allow, work that
 *   was given up, no picture, a file of the wrong kind. If such a target is down all the same it says so at once, which
 *   costs the next caller less than a model that is closed.
 * - unknown: a failure that was asked for, a caller that left, what we could not send.
 */
function healthShownBy(error: unknown): "down" | "up" | "unknown" {
  if (!(error instanceof ProviderFailure) || error.detail.scripted) return "unknown";
  // Refused by us, before anybody was asked.
  if (error.detail.field !== undefined) return "unknown";
  if (error.detail.targetHealth !== undefined) return error.detail.targetHealth;
  return error.kind === "unavailable" || error.kind === "timeout" ? "down" : "up";
}
