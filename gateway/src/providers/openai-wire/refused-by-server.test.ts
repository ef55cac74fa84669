import { afterAll, expect, test } from "bun:test";
import { type ChatRequest, ProviderFailure, type WireRequest } from "../../contract/index.ts";
import { createPublicFetch } from "../../outbound/index.ts";
import { failureFrom, never, testFetch } from "../../outbound/testing.ts";
import { WIRE_VENDORS, type WireVendorName } from "../wire-vendors-testing.ts";
import { createOpenAiWireProvider } from "./provider.ts";

let answer: () => Response;
const server = Bun.serve({ port: 0, fetch: () => answer() });
afterAll(() => server.stop(true));

function refusing(status: number, error: object): void {
  answer = () => Response.json({ error: { message: "No.", ...error } }, { status });
}

function asked(kind: WireRequest["kind"] | null): ChatRequest {
  const messages = [{ role: "user" as const, content: "hi" }];
  const body = { messages, input: "hi" };
  const wire = kind === null ? {} : { wire: { kind, body } };
  return { messages, maxOutputTokens: 9, ...wire };
}

/** The failure of a streamed call, which must equal that of a call in one piece. */
async function failureTo(request: ChatRequest, vendor: WireVendorName, responses: boolean) {
  const base = {
    name: "acme",
    kind: null,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    apiKey: "sk-1234567",
  };
  const deps = { outbound: testFetch(), fetchPublic: createPublicFetch() };
  const { text } = createOpenAiWireProvider({ ...base, responses }, WIRE_VENDORS[vendor], deps);
  const context = () => ({ requestId: "r", signal: never() });
  const streamed = await failureFrom(
    (async () => {
      for await (const _ of text?.chat("m", request, context()) ?? []);
    })(),
  );
  const whole = await failureFrom(
    Promise.resolve(text?.answer?.("m", { ...request, inOnePiece: true }, context())),
  );
  expect(streamed).toBeInstanceOf(ProviderFailure);
  expect([whole.kind, whole.detail]).toEqual([streamed.kind, streamed.detail]);
  return streamed;
}

test.each([
  ["chat_completions", false, "tools[0].function.parameters"],
  ["responses", true, "tools[0].function.parameters"],
  ["responses", false, undefined],
  [null, false, undefined],
] as const)(
  "a rejected field is named only if the caller uses the upstream's API: %p, responses %p",
  async (kind, responses, param) => {
    refusing(400, { param: "tools[0].function.parameters" });
    const failure = await failureTo(asked(kind), "openai-wire", responses);
    expect([failure.kind, failure.detail.param]).toEqual(["rejected", param]);
    // The server itself refused it, and so would the next target.
    expect(failure.detail.field).toBeUndefined();
  },
);
