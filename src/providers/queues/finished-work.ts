import { unreadableAnswer } from "../answer-failures.ts";
import { type CallContext, ProviderFailure } from "../contract.ts";
import { pause, sanitise } from "../outbound/index.ts";
import { isContentRefusal } from "../refusal-words.ts";
import { outputAddress } from "./output-address.ts";
import type { FailedWork, RemoteWork, WorkRequest } from "./remote-work.ts";

type FinishedWorkOptions = {
  readonly work: RemoteWork;
  /** What is made, for whoever is told that it was not. */
  readonly what: "music" | "picture";
  /** Where models put it. */
  readonly fields: readonly string[];
  /** What must not stand in any message. */
  readonly secrets: readonly string[];
  /** Until the first look; each wait is half as long again as the one before. */
  readonly firstWaitMs?: number;
  readonly longestWaitMs: number;
};

const FIRST_WAIT_MS = 500;
/** Of nothing but looks that fail, before the work is given up: what is ordered will be paid for. */
const MOST_FAILING_MS = 60_000;

/** Orders work that the caller waits for, and asks until it is there: the address of what was made. */
type FinishedWork = (upstreamModel: string, input: WorkRequest, context: CallContext) => Promise<string>;

export function createFinishedWork(options: FinishedWorkOptions): FinishedWork {
  const { work, what, fields, secrets, firstWaitMs = FIRST_WAIT_MS, longestWaitMs } = options;

  async function finish(upstreamModel: string, id: string, context: CallContext): Promise<unknown> {
    let waitMs = firstWaitMs;
    let askedToWaitMs = 0;
    let failingSinceMs: number | null = null;
    // However long it takes: the call that waits has a limit of its own, by its signal.
    for (;;) {
      await pause(Math.max(waitMs, askedToWaitMs), context.signal);
      waitMs = Math.min(waitMs * 1.5, longestWaitMs);
      const seen = await work.look(upstreamModel, id, context).catch(passingFailure);
      if (seen instanceof ProviderFailure) {
        failingSinceMs ??= performance.now();
        if (performance.now() - failingSinceMs >= MOST_FAILING_MS) throw seen;
        askedToWaitMs = (seen.detail.retryAfterSeconds ?? 0) * 1_000;
        continue;
      }
      failingSinceMs = null;
      askedToWaitMs = 0;
      if (seen.state === "done") return seen.output;
      if (seen.state === "failed") throw failureOfWork(seen, what, secrets);
    }
  }

  return async (upstreamModel, input, context) => {
    const id = await work.start(upstreamModel, input, context);
    const address = outputAddress(await finish(upstreamModel, id, context), fields);
    if (address === null) throw unreadableAnswer("work done without an address");
    return address;
  };
}

const PASSING: ReadonlySet<string> = new Set(["unavailable", "rate_limited", "timeout"]);

/** Of a look that may end otherwise next time; an answer beyond our bounds would be as large again. */
function passingFailure(error: unknown): ProviderFailure {
  const mayPass = error instanceof ProviderFailure && PASSING.has(error.kind) && !error.detail.isExcess;
  if (!mayPass) throw error;
  return error;
}

function failureOfWork(
  { text, isRejected }: FailedWork,
  what: FinishedWorkOptions["what"],
  secrets: readonly string[],
): ProviderFailure {
  const kind = isRejected || isContentRefusal(text) ? "rejected" : "unavailable";
  const message = sanitise(text, secrets) || `The model's provider could not make this ${what}.`;
  return new ProviderFailure(kind, message, { internal: "it gave the work up", targetHealth: "up" });
}
