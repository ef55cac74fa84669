import { newId, overloaded } from "../../kit/index.ts";
import type { Metrics } from "../../telemetry/index.ts";
import type { Refusals } from "../refusal.ts";
import type { Wire } from "../route.ts";

/** The refusal of a call for which there is no room, in the format of its wire. */
export type OverloadReply = (wire: Wire) => Response;

const OVERLOADED = overloaded();

/** A rendered reply with the request id cut out. */
type Form = {
  readonly before: string;
  /** Null if the wire's format does not contain the request id. */
  readonly after: string | null;
  readonly init: ResponseInit;
};

/**
 * Refusals come by the thousands when there is least time for them: each wire's is rendered once, and then only the id
 * is filled in. They are counted, not logged one by one.
 */
export function createOverloadReply(refusals: Refusals, metrics: Metrics): OverloadReply {
  const refused = metrics.counter(
    "bursar_overload_refusals_total",
    "Calls refused for lack of capacity (503).",
  );
  const forms = new Map<Wire, Form>();
  return (wire) => {
    refused.inc();
    const requestId = newId();
    const form = forms.get(wire);
    if (form !== undefined) return filledIn(form, requestId);
    const reply = refusals.render(wire, OVERLOADED, requestId);
    void formOf(reply.clone(), requestId).then((learned) => forms.set(wire, learned));
    return reply;
  };
}

async function formOf(reply: Response, requestId: string): Promise<Form> {
  const init = { status: reply.status, headers: new Headers(reply.headers) };
  const [before = "", after = null] = (await reply.text()).split(requestId);
  return { before, after, init };
}

function filledIn({ before, after, init }: Form, requestId: string): Response {
  const reply = new Response(after === null ? before : before + requestId + after, init);
  reply.headers.set("x-request-id", requestId);
  return reply;
}
