import { ProviderFailure } from "../contract/index.ts";
import type { Clock } from "../kit/index.ts";
import { Circuit, type Probe } from "./circuit.ts";
import { createFailureWindow, type FailureWindow } from "./failure-window.ts";

/** Open until a call succeeds again; half open while calls probe the target. */
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
  /** Whether a target is made for tests: its failures are asked for, so they say nothing and are nobody's news. */
  readonly isTest?: (target: string) => boolean;
};

/**
 * Keeps calls away from targets that are down, and callers from waiting for them. A request may cause failures that
 * look like those of a target that is down, so each organization has a circuit of its own, which its failures open and
 * nobody else feels. The one for all opens only on what no single organization can cause.
 */
export type Breaker = {
  /** Null while the target is considered down, for all or for this organization. */
  pass(target: string, orgId: string): BreakerPermit | null;
  /** How long a call that may not pass should wait. */
  waitMs(target: string, orgId: string): number;
  /** The state for all. */
  state(target: string): BreakerState;
};

const MAX_FAILURES_IN_ROW = 5;
/** Targets come from the catalog, so this bound matters only if that ever changes. */
const MAX_TARGETS = 4_096;
/** Organizations with a failure, per target. Beyond that, the oldest are forgotten: they lose only their protection. */
const MAX_OWN = 16_384;
/**
 * An organization that failed this recently does not probe for all: it may be what fails, and others go first. Twice
 * as long as a circuit stays open, so that they have as long as that; not longer, since in an outage all have failed.
 */
const RECENT_MS = 20_000;

type Target = {
  readonly name: string;
  readonly circuit: Circuit;
  row: Row;
};

/** Failures without a success between them, of the first organization alone or of several. */
type Row = {
  readonly failures: number;
  readonly unconnected: number;
  readonly orgId: string | null;
  readonly isShared: boolean;
};

const NO_ROW: Row = { failures: 0, unconnected: 0, orgId: null, isShared: false };

type Own = {
  readonly circuit: Circuit;
  readonly window: FailureWindow;
  failuresInRow: number;
  /** A failure to connect does not count: no request causes it. */
  failedAtMs: number;
};

export function createBreaker(options: BreakerOptions): Breaker {
  const { clock } = options;
  const targets = new Map<string, Target>();
  const owns = new Map<string, Own>();

  function waitMs(target: string, orgId: string): number {
    const nowMs = clock.elapsedMs();
    const all = targets.get(target)?.circuit;
    const own = owns.get(ownKey(target, orgId));
    const spared = all?.isOpen && own ? own.failedAtMs + RECENT_MS - nowMs : 0;
    return Math.max(0, spared, all?.waitMs(nowMs) ?? 0, own?.circuit.waitMs(nowMs) ?? 0);
  }

  return {
    waitMs,
    pass(name, orgId) {
      if (waitMs(name, orgId) > 0) return null;
      const target = targets.get(name) ?? addTarget(targets, name);
      return new Permit({ target, orgId, owns, options });
    },
    state(name) {
      const circuit = targets.get(name)?.circuit;
      if (!circuit?.isOpen) return "closed";
      return circuit.isProbed(clock.elapsedMs()) ? "half_open" : "open";
    },
  };
}

function addBounded<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  if (map.size >= most) map.delete(map.keys().next().value ?? "");
  map.set(key, value);
}

function ownKey(target: string, orgId: string): string {
  return `${target} ${orgId}`;
}

function addOwn(owns: Map<string, Own>, key: string): Own {
  const own: Own = {
    circuit: new Circuit(),
    window: createFailureWindow(),
    failuresInRow: 0,
    failedAtMs: Number.NEGATIVE_INFINITY,
  };
  addBounded(owns, key, own, MAX_OWN);
  return own;
}

function addTarget(targets: Map<string, Target>, name: string): Target {
  const target: Target = { name, circuit: new Circuit(), row: NO_ROW };
  addBounded(targets, name, target, MAX_TARGETS);
  return target;
}

type PermitOf = {
  readonly target: Target;
  readonly orgId: string;
  readonly owns: Map<string, Own>;
  readonly options: BreakerOptions;
};

class Permit implements BreakerPermit {
  readonly #of: PermitOf;
  readonly #probe: Probe | null;
  readonly #ownProbe: Probe | null;

  constructor(of: PermitOf) {
    this.#of = of;
    const nowMs = of.options.clock.elapsedMs();
    this.#probe = of.target.circuit.enter(nowMs);
    this.#ownProbe = this.#own?.circuit.enter(nowMs) ?? null;
  }

  /** Undefined until it fails once. */
  get #own(): Own | undefined {
    const { owns, target, orgId } = this.#of;
    return owns.get(ownKey(target.name, orgId));
  }

  succeeded(): void {
    this.#showUp();
    this.#of.target.row = NO_ROW;
    const own = this.#own;
    if (own === undefined) return;
    own.failuresInRow = 0;
    own.window.add(this.#of.options.clock.elapsedMs(), false);
  }

  failed(error: unknown): void {
    report(this.#of.options, this.#of.target, error);
    const health = healthShownBy(error);
    if (health === "up") this.#showUp();
    else if (health === "unknown") this.abandoned();
    else this.#showDown(error instanceof ProviderFailure && error.detail.isUnconnected === true);
  }

  abandoned(): void {
    this.#of.target.circuit.leave(this.#probe);
    this.#own?.circuit.leave(this.#ownProbe);
  }

  brokeOff(error: unknown): void {
    report(this.#of.options, this.#of.target, error);
  }

  /** For all, any call shows that the target is up, even one that was running when the circuit opened. */
  #showUp(): void {
    const { target } = this.#of;
    if (target.circuit.isOpen) {
      target.circuit.close();
      target.row = NO_ROW;
    }
    const own = this.#own;
    if (!own?.circuit.isDecidedBy(this.#ownProbe)) return;
    own.circuit.close();
    own.failuresInRow = 0;
    own.window.clear();
  }

  #showDown(isUnconnected: boolean): void {
    const nowMs = this.#of.options.clock.elapsedMs();
    const own = this.#own ?? addOwn(this.#of.owns, ownKey(this.#of.target.name, this.#of.orgId));
    own.failuresInRow += 1;
    own.window.add(nowMs, true);
    if (!isUnconnected) own.failedAtMs = nowMs;
    const isOwnDown = own.failuresInRow >= MAX_FAILURES_IN_ROW || own.window.isFailing(nowMs);
    own.circuit.failed(nowMs, this.#ownProbe, isOwnDown);
    this.#of.target.circuit.failed(nowMs, this.#probe, this.#isDownForAll(isUnconnected));
  }

  #isDownForAll(isUnconnected: boolean): boolean {
    const { target, orgId: failedId } = this.#of;
    const { failures, unconnected, orgId, isShared } = target.row;
    target.row = {
      failures: failures + 1,
      unconnected: isUnconnected ? unconnected + 1 : 0,
      orgId: orgId ?? failedId,
      isShared: isShared || (orgId !== null && orgId !== failedId),
    };
    const { row } = target;
    return Math.max(row.unconnected, row.isShared ? row.failures : 0) >= MAX_FAILURES_IN_ROW;
  }
}

function report({ onFailed, isTest }: BreakerOptions, { name }: Target, error: unknown): void {
  if (!(error instanceof ProviderFailure)) return;
  error.target = name;
  if (isTest?.(name)) error.isOfTest = true;
  else onFailed?.(name, error);
}

/**
 * A failure that one caller's request can provoke must not count, as far as we can tell: a key of an organization, or
 * one of its requests, could shut a model down for the rest of it. What counts is how a target behaves regardless of
 * the request:
 * - down: no connection, a broken connection, no first byte in time, a 408, a 5xx, an error inside a 200 that is about
 *   the server itself (overloaded, internal), a body that does not follow the protocol. A request may cause these as
 *   well, but we cannot tell that from a target that fails for everybody, and such a target must be spared.
 * - up: any other refusal (every 4xx but 408, a full context, a rate limit; a 401 may be about one endpoint or the cost
 *   of one long text, a 403 about the content, a 404 about a file), and every well-formed answer that is useless: a
 *   finish reason that means failure, a blocked prompt, a reply without an answer, any other error inside a 200, an
 *   answer larger or deeper than our limits, abandoned work, no image, a file of the wrong type. If such a target is
 *   down after all, it says so immediately, which costs the next caller less than a closed model.
 * - unknown: a failure of a target made for tests, a caller that disconnected, a request that we could not send.
 */
function healthShownBy(error: unknown): "down" | "up" | "unknown" {
  if (!(error instanceof ProviderFailure) || error.isOfTest) return "unknown";
  // We refused the request ourselves, before any target was asked.
  if (error.detail.field !== undefined) return "unknown";
  if (error.detail.targetHealth !== undefined) return error.detail.targetHealth;
  return error.kind === "unavailable" || error.kind === "timeout" ? "down" : "up";
}
