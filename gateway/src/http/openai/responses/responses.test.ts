import { expect, test } from "bun:test";
import type { ChatStreamPart } from "../../../generation/index.ts";
import { answered, createEdge, type EdgeOptions } from "../../testing.ts";

const FIRST = "0190e3c2-0000-7000-8000-0000000000ff";
/** The model that served the first call; since then, the alias has moved to another. */
const EARLIER = "earlier-chat";

const GENERATION: EdgeOptions["generation"] = {
  async chat(call) {
    const paid = answered(call);
    return {
      ...paid,
      requestId: FIRST,
      replayed: true,
      outcome: { ...paid.outcome, model: EARLIER },
    };
  },
  async chatStream(call) {
    const paid = { ...answered(call), requestId: FIRST, replayed: true };
    const parts: ChatStreamPart[] = [{ type: "done", paid }];
    return {
      ...{ requestId: FIRST, model: EARLIER, rate: paid.rate, replayed: true },
      next: async () => parts.shift() ?? null,
      leave: async () => {},
    };
  },
};

test.each([false, true])(
  "a repeat has the id and the model of the first call; streamed: %p",
  async (stream) => {
    const edge = createEdge({ generation: GENERATION });
    const body = JSON.stringify({ model: "svc-fast", input: "Hello", stream });
    const text = await (await edge.send("/v1/responses", { body })).text();
    const models = [...text.matchAll(/"object":"response".*?"model":"([^"]+)"/g)].map(([, model]) => model);
    expect(text).toContain(`resp_${FIRST}`);
    expect(models.length).toBeGreaterThan(0);
    expect(new Set(models)).toEqual(new Set([EARLIER]));
  },
);
