import {
  afterOrder,
  type CallContext,
  isContentRefusal,
  ProviderFailure,
  unreadableAnswer,
} from "../../contract/index.ts";
import { pause, sanitise } from "../../outbound/index.ts";
import { outputAddress } from "./output-address.ts";
import type { FailedWork, RemoteWork, WorkRequest } from "./remote-work.ts";

type FinishedWorkOptions = {
  readonly work: RemoteWork;
  /** What is made, for error messages. */
  readonly what: "music" | "picture";
  /** Fields in which models return it. */
  readonly fields: readonly string[];
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
  /** Before the first poll; each further wait is half as long again. */
  readonly firstWaitMs?: number;
  readonly longestWaitMs: number;
};

const FIRST_WAIT_MS = 500;
/** How long polls may keep failing before we give up; not sooner, because ordered work will be billed. */
const MOST_FAILING_MS = 60_000;

/** Orders work that the caller waits for, and polls until it is done. Returns the address of the result. */
type FinishedWork = (upstreamModel: string, input: WorkRequest, context: CallContext) => Promise<string>;

export function createFinishedWork(options: FinishedWorkOptions): FinishedWork {
  const { work, what, fields, secrets, firstWaitMs = FIRST_WAIT_MS, longestWaitMs } = options;

  async function finish(upstreamModel: string, id: string, context: CallContext): Promise<unknown> {
    let waitMs = firstWaitMs;
    let askedToWaitMs = 0;
    let failingSinceMs: number | null = null;
    // No limit here: the waiting call has its own, through its signal.
    for (;;) {
      await pause(Math.max(waitMs, askedToWaitMs), context.signal);
      waitMs = Math.min(waitMs * 1.5, longestWaitMs);
      const seen = await work.poll(upstreamModel, id, context).catch(passingFailure);
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
    try {
      const address = outputAddress(await finish(upstreamModel, id, context), fields);
      if (address === null) throw unreadableAnswer("work done without an address");
      return address;
    } catch (error) {
      throw afterOrder(error);
    }
  };
}

const PASSING: ReadonlySet<string> = new Set(["unavailable", "rate_limited", "timeout"]);

/** Rethrows failures that would repeat; an answer beyond our size limit would be too large again. */
function passingFailure(error: unknown): ProviderFailure {
  const mayPass = error instanceof ProviderFailure && PASSING.has(error.kind) && !error.detail.isExcess;
  if (!mayPass) throw error;
  return error;
}

function failureOfWork(
  { text, reason }: FailedWork,
  what: FinishedWorkOptions["what"],
  secrets: readonly string[],
): ProviderFailure {
  const isContent = isContentRefusal(text);
  const kind = isContent ? "rejected" : (reason ?? "unavailable");
  const message = sanitise(text, secrets) || `The model's provider could not make this ${what}.`;
  return new ProviderFailure(kind, message, {
    internal: "it gave the work up",
    targetHealth: "up",
    ...(isContent ? { reason: "content_refused" } : {}),
  });
}
