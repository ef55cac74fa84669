import type { Log } from "../../telemetry/index.ts";
import { createLoadLimit, type LoadLimit } from "./load-limit.ts";

/** Refuses new calls at once when this process has more than it can do: waiting would only make all calls late. */
export type LoadGuard = {
  /** Counts a call that asks to start; false: it must not. */
  admits(): boolean;
  /** The next one would not be admitted. */
  readonly isFull: boolean;
  /** Calls that may wait for their answer at once, as it stands. */
  readonly limit: number;
};

const LOOK_EVERY_MS = 20;
/** After this many checks without a call, checking stops. */
const IDLE_LOOKS = 250;
const TELL_EVERY_MS = 1_000;
/** Calls without the head of their answer: where a crowd shows first, and where most of the work is done. */
const UNANSWERED = { troubleMs: 250, worthMs: 500 };
/** And streams that are open. Those may last for minutes, so they count only when nothing else has helped. */
const RUNNING = { troubleMs: 3_000, worthMs: 1_000 };

export function createLoadGuard(input: {
  readonly maxRunningCalls: number;
  /** Calls that wait for the head of their answer. */
  unanswered(): number;
  /** Answers that are being streamed. */
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
  let lookedMs = 0;
  let idleLooks = 0;
  let admitted = 0;
  let refused = 0;
  let toldMs = 0;

  function begin(): void {
    lookedMs = performance.now();
    timer = setInterval(look, LOOK_EVERY_MS);
    timer.unref();
  }

  function look(): void {
    const nowMs = performance.now();
    const elapsedMs = nowMs - lookedMs;
    lookedMs = nowMs;
    first.look(elapsedMs, admitted);
    all.look(elapsedMs, admitted);
    if (refused > 0 && nowMs - toldMs >= TELL_EVERY_MS) tell(nowMs);
    if (++idleLooks < IDLE_LOOKS || refused > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** A line for each would be one more thing that an overloaded process has no time for. */
  function tell(nowMs: number): void {
    log.warn("overloaded", { refused, unanswered: unanswered(), streaming: streaming(), limit: first.calls });
    refused = 0;
    toldMs = nowMs;
  }

  return {
    admits() {
      idleLooks = 0;
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

/** A limit and what it limits: whatever was admitted and does not run any more has ended. */
function createWatched(limit: LoadLimit, running: () => number) {
  let endedBefore = 0;
  return {
    get calls() {
      return limit.calls;
    },
    get isFull() {
      return running() >= limit.calls;
    },
    look(elapsedMs: number, admitted: number): void {
      const now = running();
      const ended = admitted - now;
      limit.observe({
        lateMs: elapsedMs - LOOK_EVERY_MS,
        elapsedMs,
        ended: ended - endedBefore,
        running: now,
      });
      endedBefore = ended;
    },
  };
}
