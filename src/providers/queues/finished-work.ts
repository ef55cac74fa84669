import { lateAnswer, unreadableAnswer } from "../answer-failures.ts";
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
/** More than fit into the longest call, whose own limit comes first. */
const MAX_LOOKS = 400;
/** Looks that fail in a row before the work is given up: what is ordered will be paid for. */
const MAX_FAILED_LOOKS = 3;

/** Orders work that the caller waits for, and asks until it is there: the address of what was made. */
type FinishedWork = (upstreamModel: string, input: WorkRequest, context: CallContext) => Promise<string>;

export function createFinishedWork(options: FinishedWorkOptions): FinishedWork {
  const { work, what, fields, secrets, firstWaitMs = FIRST_WAIT_MS, longestWaitMs } = options;

  async function finish(upstreamModel: string, id: string, context: CallContext): Promise<unknown> {
    let waitMs = firstWaitMs;
    let failedLooks = 0;
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      await pause(waitMs, context.signal);
      waitMs = Math.min(waitMs * 1.5, longestWaitMs);
      const now = await work.look(upstreamModel, id, context).catch((error) => {
        failedLooks += 1;
        if (!isPassing(error) || failedLooks >= MAX_FAILED_LOOKS) throw error;
        return null;
      });
      if (now === null) continue;
      failedLooks = 0;
      if (now.state === "done") return now.output;
      if (now.state === "failed") throw failureOfWork(now, what, secrets);
    }
    throw lateAnswer(`not done after ${MAX_LOOKS} looks`);
  }

  return async (upstreamModel, input, context) => {
    const id = await work.start(upstreamModel, input, context);
    const address = outputAddress(await finish(upstreamModel, id, context), fields);
    if (address === null) throw unreadableAnswer("work done without an address");
    return address;
  };
}

const PASSING: ReadonlySet<string> = new Set(["unavailable", "rate_limited", "timeout"]);

function isPassing(error: unknown): boolean {
  return error instanceof ProviderFailure && PASSING.has(error.kind);
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
