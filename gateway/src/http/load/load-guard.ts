import type { Log } from "../../telemetry/index.ts";
import { createLoadLimit, type LoadLimit } from "./load-limit.ts";

/** Refuses new calls at once when this process has more than it can do: waiting would only make all calls late. */
export type LoadGuard = {
  /** Counts a call that wants to start; false if it must not. */
  admits(): boolean;
  /** True if the next call would not be admitted. */
  readonly isFull: boolean;
  /** How many calls may currently wait for the head of their reply at once. */
  readonly limit: number;
};

const SAMPLE_EVERY_MS = 20;
/** After this many checks without a call, checking stops. */
const IDLE_SAMPLES = 250;
const REPORT_EVERY_MS = 1_000;
/** Calls without a response head yet: overload shows here first, and most of the work is done here. */
const UNANSWERED = { troubleMs: 250, worthMs: 500 };
/** The same with open streams. These may last for minutes, so this limit acts only if the first did not help. */
const RUNNING = { troubleMs: 3_000, worthMs: 1_000 };

export function createLoadGuard(input: {
  readonly maxRunningCalls: number;
  /** Calls that wait for the head of their reply. */
  unanswered(): number;
  /** Replies that are being streamed. */
  streaming(): number;
  readonly log: Log;
}): LoadGuard {
  const { maxRunningCalls, unanswered, streaming, log } = input;
  const first = createWatched(createLoadLimit({ maxRunningCalls, ...UNANSWERED }), unanswered);
  const all = createWatched(
    createLoadLimit({ maxRunningCalls, ...RUNNING }),
    () => unanswered() + streaming(),
  );
  let timer: ReturnType<typeof setInterval> | undefined;
  let sampledMs = 0;
  let idleSamples = 0;
  let admitted = 0;
  let refused = 0;
  let reportedMs = 0;

  function begin(): void {
    sampledMs = performance.now();
    timer = setInterval(sample, SAMPLE_EVERY_MS);
    timer.unref();
  }

  function sample(): void {
    const nowMs = performance.now();
    const elapsedMs = nowMs - sampledMs;
    sampledMs = nowMs;
    first.sample(elapsedMs, admitted);
    all.sample(elapsedMs, admitted);
    if (refused > 0 && nowMs - reportedMs >= REPORT_EVERY_MS) report(nowMs);
    if (++idleSamples < IDLE_SAMPLES || refused > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** At most one line a second: an overloaded process has no time to log every refusal. */
  function report(nowMs: number): void {
    log.warn("overloaded", { refused, unanswered: unanswered(), streaming: streaming(), limit: first.calls });
    refused = 0;
    reportedMs = nowMs;
  }

  return {
    admits() {
      idleSamples = 0;
      if (timer === undefined) begin();
      const admits = !first.isFull && !all.isFull;
      if (admits) admitted++;
      else refused++;
      return admits;
    },
    get isFull() {
      return first.isFull || all.isFull;
    },
    get limit() {
      return first.calls;
    },
  };
}

/** A limit and the calls that it limits: calls that were admitted and no longer run have ended. */
function createWatched(limit: LoadLimit, running: () => number) {
  let endedBefore = 0;
  return {
    get calls() {
      return limit.calls;
    },
    get isFull() {
      return running() >= limit.calls;
    },
    sample(elapsedMs: number, admitted: number): void {
      const now = running();
      const ended = admitted - now;
      limit.observe({
        lateMs: elapsedMs - SAMPLE_EVERY_MS,
        elapsedMs,
        ended: ended - endedBefore,
        running: now,
      });
      endedBefore = ended;
    },
  };
}
