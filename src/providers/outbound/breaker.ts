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

/**
 * A target that is given up is closed to every organization, so nothing may count that one caller's request decides:
 * whoever found such a request could close a model for all. What counts is what a target does whatever it is asked,
 * as far as that can be told:
 * - down: no connection, one that broke off, silence for as long as a first byte may take, a 5xx, an error inside a 200
 *   that speaks of the server itself (overloaded, internal), a body that is not the wire's. A request may cause
 *   these too, but nothing tells such a one from a target that fails everybody, and those must be spared.
 * - up: whatever was refused (4xx of any kind, a context that is full, a limit), and every answer in good form that is of
 *   no use: an end by a word of failure, a blocked prompt, a whole reply without an answer in it, any other error inside
 *   a 200, more or deeper than our bounds allow, work that was given up, no picture, a file of the wrong kind. If such
 *   a target is down all the same it says so at once, which costs the next caller less than a model that is closed.
 * - none: a failure that was asked for, a caller that left, what we could not send.
 */
function newsOf(error: unknown): "down" | "up" | "none" {
  if (!(error instanceof ProviderFailure) || error.detail.scripted) return "none";
  if (error.detail.news !== undefined) return error.detail.news;
  return error.kind === "unavailable" || error.kind === "timeout" ? "down" : "up";
}
