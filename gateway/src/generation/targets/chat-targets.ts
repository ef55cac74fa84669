import type { ChatEvent, TextProvider } from "../../contract/index.ts";
import { type Clock, failpoint, present, type StopSignal } from "../../kit/index.ts";
import {
  attemptTarget,
  brokeOff,
  failpointAfterSend,
  type TargetAttempt,
  type TargetsInput,
} from "./target-attempt.ts";
import { mayAskNext, pauseBeforeNext, type Stoppable, turnsOf } from "./targets-in-turn.ts";

/** Events that arrived together, and the target they came from. */
export type TargetBatch = { readonly target: string; readonly events: readonly ChatEvent[] };

/** Batches of an answer, one at a time. */
export type TargetBatches = {
  /** Undefined after `finish`. */
  next(): Promise<TargetBatch | undefined>;
  /** The target that is being asked or answers; empty before the first. */
  readonly target: string;
  /** When its response headers arrived; null before that. */
  readonly answeredMs: number | null;
  /** What becomes of the call if its client disconnects now; decided by the target that is being asked or answers. */
  readonly onDisconnect: TextProvider["onDisconnect"];
  /** True if the answer is complete and only its usage is still to come. */
  readonly isEnding: boolean;
  /** The client disconnected: from now on another target is only tried if it would be read to its end anyway. */
  leave(): void;
  /** Aborts the current attempt. */
  abort(reason: unknown): void;
  /** Stops reading from the current target. */
  return(): Promise<void>;
};

type ChatTargetsInput = TargetsInput & { readonly clock: Pick<Clock, "elapsedMs"> };

/**
 * Tries the model's targets in order, within one hold, until one sends its first byte; from then on only that one is
 * read. Targets that are known to be down are skipped. An answer that ends without `finish` is an error. Not a
 * generator: each nested generator costs several microtasks per batch.
 */
export function chatFromTargets(input: ChatTargetsInput, call: Pick<Stoppable, "stopped">): TargetBatches {
  const turns = turnsOf(input.model.targets);
  let at = 0;
  let reading: TargetReading | null = null;
  let isOver = false;
  let hasLeft = false;

  function disconnectOf(index: number): TextProvider["onDisconnect"] {
    return input.registry.text(present(turns[index], "a target").provider).onDisconnect;
  }

  /** After the client disconnected, a target that would be stopped at once is not tried at all. */
  function mayGoOn(error: unknown): boolean {
    return mayAskNext(error, { turns, at, call }) && (!hasLeft || disconnectOf(at + 1) === "drain");
  }

  async function next(): Promise<TargetBatch | undefined> {
    while (!isOver) {
      try {
        if (reading === null) {
          const armed = failpoint("before_upstream_send");
          if (armed) await armed;
          reading = readTarget(attemptTarget(input, present(turns[at], "a target")), input);
        }
        const events = await reading.read();
        const isLast = events.at(-1)?.type === "finish";
        if (isLast) isOver = true;
        const armed = isLast ? failpoint("before_usage") : undefined;
        if (armed) await armed;
        return { target: reading.target, events };
      } catch (error) {
        const isSilent = reading?.isSilent ?? true;
        if (!isSilent || !mayGoOn(error)) {
          isOver = true;
          throw error;
        }
        await pauseBeforeNext(error, { turns, at }, reading?.signal ?? null);
        // It may have been left meanwhile.
        if (!mayGoOn(error)) throw error;
        at++;
        reading = null;
      }
    }
    await reading?.leave();
    await failpoint("after_upstream_end");
    return undefined;
  }

  return {
    next,
    get target() {
      return reading?.target ?? "";
    },
    get answeredMs() {
      return reading?.answeredMs ?? null;
    },
    get onDisconnect() {
      return disconnectOf(at);
    },
    get isEnding() {
      return reading?.isEnding === true;
    },
    leave() {
      hasLeft = true;
    },
    abort: (reason) => reading?.abort(reason),
    async return() {
      isOver = true;
      await reading?.leave();
    },
  };
}

type TargetReading = {
  readonly target: string;
  readonly signal: StopSignal;
  readonly answeredMs: number | null;
  /** True until its first batch. */
  readonly isSilent: boolean;
  readonly isEnding: boolean;
  read(): Promise<readonly ChatEvent[]>;
  abort(reason: unknown): void;
  leave(): Promise<void>;
};

function readTarget(
  { target, upstreamModel, text, permit, context }: TargetAttempt,
  { request, clock }: ChatTargetsInput,
): TargetReading {
  let answeredMs: number | null = null;
  const onAnswered = () => {
    answeredMs = clock.elapsedMs();
  };
  const batches = text.chat(upstreamModel, request, { ...context, onAnswered })[Symbol.asyncIterator]();
  let isSilent = true;
  let isReported = false;
  let isLeft = false;
  return {
    target,
    signal: context.signal,
    get answeredMs() {
      return answeredMs;
    },
    get isSilent() {
      return isSilent;
    },
    get isEnding() {
      return batches.isEnding === true;
    },
    async read() {
      try {
        const coming = batches.next();
        const armed = isSilent ? failpointAfterSend(coming) : undefined;
        if (armed) await armed;
        const { value: events, done } = await coming;
        if (done) throw brokeOff();
        if (isSilent) {
          isSilent = false;
          isReported = true;
          permit.succeeded();
          await failpoint("after_first_byte");
        } else {
          const midway = failpoint("mid_stream");
          if (midway) await midway;
        }
        return events;
      } catch (error) {
        if (!isReported) permit.failed(error);
        else if (!isLeft) permit.brokeOff(error);
        isReported = true;
        throw error;
      }
    },
    abort: (reason) => context.controller.abort(reason),
    async leave() {
      if (!isReported) permit.abandoned();
      isReported = true;
      isLeft = true;
      await batches.return?.();
    },
  };
}
