import { createDeadlineQueue } from "../kit/index.ts";
import type { Call } from "./context.ts";
import { textReply } from "./reply.ts";

/** Watching for a disconnect begins this late because it costs more than a fast upstream's whole first part. */
const LOOK_AFTER_MS = 50;
const looks = createDeadlineQueue(LOOK_AFTER_MS);

/** Calls `leave` if the client disconnects; what is returned ends the watch. */
export function watchClient(call: Pick<Call, "clientLeft">, leave: () => void): () => void {
  let clientLeft: AbortSignal | null = null;
  const look = looks.add(null, () => {
    clientLeft = call.clientLeft();
    if (clientLeft.aborted) leave();
    else clientLeft.addEventListener("abort", leave);
  });
  return () => {
    look.clear();
    clientLeft?.removeEventListener("abort", leave);
  };
}

const CLIENT_CLOSED_REQUEST = 499;

/** No client receives it; it is for the log and the metrics. */
export function replyToNobody(requestId: string): Response {
  return textReply(requestId, "", CLIENT_CLOSED_REQUEST);
}
