import type { Clock } from "../../kit/index.ts";
import { ProviderFailure } from "../contract.ts";
import { createFailureWindow, type FailureWindow } from "./failure-window.ts";

export type BreakerState = "closed" | "open" | "half_open";

/** The right to make one call; its end is told once, by one of the three. */
export type BreakerPass = {
  succeeded(): void;
  /** Counts only what shows the target to be down; anything else thrown is no news of it. */
  failed(error: unknown): void;
  /** The call was given up before its target showed anything. */
  left(): void;
};

/** Spares targets that are down, and those who would wait for them. */
export type Breaker = {
  /** Null while the target is believed to be down. */
  pass(target: string): BreakerPass | null;
  state(target: string): BreakerState;
  /** Every target that was called, for metrics. */
  states(): ReadonlyMap<string, BreakerState>;
};

const MAX_FAILURES_IN_ROW = 5;
const OPEN_MS = 10_000;
/** A probe that nobody reported on blocks the next one no longer than a call can be without a first byte. */
const MAX_PROBE_MS = 150_000;
/** Targets come from the catalog; the bound only holds if that ever changes. */
const MAX_TARGETS = 4_096;

type Target = {
  failuresInRow: number;
  readonly window: FailureWindow;
  /** Null while closed. */
  openedAtMs: number | null;
  probe: { readonly startedAtMs: number } | null;
};

export function createBreaker(options: { readonly clock: Clock }): Breaker {
  const { clock } = options;
  const targets = new Map<string, Target>();

  function stateOf(target: Target | undefined): BreakerState {
    if (target === undefined || target.openedAtMs === null) return "closed";
    return clock.elapsedMs() - target.openedAtMs < OPEN_MS ? "open" : "half_open";
  }

  return {
    pass(name) {
      const target = targets.get(name) ?? addTarget(targets, name);
      const state = stateOf(target);
      if (state === "closed") return new ClosedPass(target, clock);
      const nowMs = clock.elapsedMs();
      const isProbed = target.probe !== null && nowMs - target.probe.startedAtMs < MAX_PROBE_MS;
      return state === "open" || isProbed ? null : probePass(target, clock);
    },
    state: (name) => stateOf(targets.get(name)),
    states: () => new Map([...targets].map(([name, target]) => [name, stateOf(target)])),
  };
}

function addTarget(targets: Map<string, Target>, name: string): Target {
  if (targets.size >= MAX_TARGETS) targets.delete(targets.keys().next().value ?? "");
  const target: Target = { failuresInRow: 0, window: createFailureWindow(), openedAtMs: null, probe: null };
  targets.set(name, target);
  return target;
}

class ClosedPass implements BreakerPass {
  readonly #target: Target;
  readonly #clock: Clock;

  constructor(target: Target, clock: Clock) {
    this.#target = target;
    this.#clock = clock;
  }

  succeeded(): void {
    this.#target.failuresInRow = 0;
    this.#target.window.add(this.#clock.elapsedMs(), false);
  }

  failed(error: unknown): void {
    if (newsOf(error) !== "down") return;
    const target = this.#target;
    const nowMs = this.#clock.elapsedMs();
    target.failuresInRow += 1;
    target.window.add(nowMs, true);
    // Calls that were under way when the target was given up say nothing new.
    if (target.openedAtMs !== null) return;
    if (target.failuresInRow >= MAX_FAILURES_IN_ROW || target.window.isFailing(nowMs)) {
      target.openedAtMs = nowMs;
    }
  }

  left(): void {}
}

function probePass(target: Target, clock: Clock): BreakerPass {
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
  function leave(): void {
    if (isCurrent()) target.probe = null;
  }
  return {
    succeeded: close,
    failed(error) {
      const news = newsOf(error);
      if (news === "up") close();
      else if (news === "none") leave();
      else if (isCurrent()) {
        target.probe = null;
        target.openedAtMs = clock.elapsedMs();
      }
    },
    left: leave,
  };
}

/** A target that refuses a request is up; a failure that was asked for, or a caller that left, says nothing. */
function newsOf(error: unknown): "down" | "up" | "none" {
  if (!(error instanceof ProviderFailure) || error.detail.scripted) return "none";
  return error.kind === "unavailable" || error.kind === "timeout" ? "down" : "up";
}
