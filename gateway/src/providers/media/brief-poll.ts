import { type CallContext, lateAnswer } from "../../contract/index.ts";
import { raceSignal, Stopper } from "../../kit/index.ts";

/** A status request is small. A vendor that takes longer is asked again later, without blocking anything meanwhile. */
const MAX_POLL_MS = 15_000;

/** Polls work at a vendor once. The result itself must be fetched outside of this limit. */
export async function pollBriefly<Seen>(
  context: CallContext,
  poll: (context: CallContext) => Promise<Seen>,
  maxMs = MAX_POLL_MS,
): Promise<Seen> {
  const { requestId, signal } = context;
  signal.throwIfAborted();
  const stopper = new Stopper();
  const onAbort = () => stopper.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => stopper.abort(lateAnswer(`no answer to a look after ${maxMs} ms`)), maxMs);
  try {
    return await raceSignal(poll({ requestId, signal: stopper }), stopper);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
