import type { ChatEvent } from "../../gateway/src/contract/index.ts";
import { done, events as part, streamed } from "../../gateway/src/http/openai/responses/testing.ts";

/** What clients would stumble over if a neutral answer were streamed as a response; null if nothing. */
export function responseFault(events: readonly ChatEvent[]): string | null {
  const finish = events.at(-1);
  if (finish?.type !== "finish") return "finish is not last";
  // A response has only one answer, so other choices are left out.
  const first = events.filter((event) => !("index" in event) || !event.index);
  const { faults } = streamed([...first.map((event) => part(event)), done(finish.reason)]);
  return faults.length === 0 ? null : `as a stream of responses: ${faults.slice(0, 3).join("; ")}`;
}
