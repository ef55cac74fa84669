import { raceSignal, Stopper } from "../../kit/index.ts";
import { lateAnswer } from "../answer-failures.ts";
import type { CallContext } from "../call-context.ts";

/** A small question; who answers it later than this is asked again later, and holds nobody up meanwhile. */
const MAX_LOOK_MS = 15_000;

/** One look at work that a vendor has: what becomes of it is not fetched under this limit. */
export async function lookBriefly<Seen>(
  context: CallContext,
  look: (context: CallContext) => Promise<Seen>,
  maxMs = MAX_LOOK_MS,
): Promise<Seen> {
  const { requestId, signal } = context;
  signal.throwIfAborted();
  const stopper = new Stopper();
  const onAbort = () => stopper.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => stopper.abort(lateAnswer(`no answer to a look after ${maxMs} ms`)), maxMs);
  try {
    return await raceSignal(look({ requestId, signal: stopper }), stopper);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
