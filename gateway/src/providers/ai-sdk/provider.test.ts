import { afterEach, expect, test } from "bun:test";
import type { Provider, WireRequest } from "../../contract/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createBedrockProvider } from "./bedrock.ts";
import { createCohereProvider } from "./cohere.ts";
import { createGoogleProvider, createVertexProvider } from "./google.ts";
import type { AiSdkDeps } from "./library-fetch.ts";
import { createAiSdkTextProvider } from "./provider.ts";
import { callOf, QUIRKS, startTestUpstream, type TestUpstream } from "./testing.ts";

const FACTORIES = {
  anthropic: createAnthropicProvider,
  bedrock: createBedrockProvider,
  cohere: createCohereProvider,
  google: createGoogleProvider,
  vertex: createVertexProvider,
};
const NAMES = [
  "ANTHROPIC_API_KEY",
  "AWS_BEARER_TOKEN_BEDROCK",
  "COHERE_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
];

let upstream: TestUpstream;
afterEach(() => {
  upstream.close();
  for (const name of NAMES) delete process.env[name];
});

test.each(Object.entries(FACTORIES))("%s takes no key from the environment", async (_name, create) => {
  for (const name of NAMES) process.env[name] = "from-the-environment";
  upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 401 }));
  const keyless = (settings: ProviderSettings, deps: AiSdkDeps): Provider =>
    create({ ...settings, apiKey: null }, deps);
  expect(await callOf(upstream.provider(keyless))).toMatchObject({ kind: "unauthorized" });
  expect(JSON.stringify([...(upstream.sent[0]?.headers ?? [])])).not.toContain("from-the-environment");
});

test.each(Object.entries(FACTORIES))(
  "%s sends the operator's headers and accepts onDisconnect: drain",
  async (_name, create) => {
    upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 500 }));
    const settled = (settings: ProviderSettings, deps: AiSdkDeps): Provider =>
      create({ ...settings, headers: { "x-team": "blue" }, onDisconnect: "drain" }, deps);
    const provider = upstream.provider(settled);
    expect(await callOf(provider)).toMatchObject({ kind: "unavailable" });
    expect(provider.text?.onDisconnect).toBe("drain");
    expect(upstream.sent[0]?.headers.get("x-team")).toBe("blue");
  },
);

test("a package that failed to load is loaded again at the next call", async () => {
  upstream = startTestUpstream(() => new Response(null));
  let tries = 0;
  const load = () => {
    tries += 1;
    return Promise.reject(new Error("not now"));
  };
  const provider = {
    name: "acme",
    text: createAiSdkTextProvider({ secrets: [], load, onDisconnect: "stop" }),
  };
  expect(await callOf(provider)).toMatchObject({ kind: "unavailable" });
  expect(await callOf(provider)).toMatchObject({ kind: "unavailable" });
  expect(tries).toBe(2);
});

test("an error while the request is written is thrown as it is", async () => {
  upstream = startTestUpstream(() => new Response(null));
  const overflow = new RangeError("Maximum call stack size exceeded.");
  const doStream = () => Promise.reject(overflow);
  const load = async () => ({ quirks: QUIRKS, languageModel: () => ({ doStream }) });
  const provider = {
    name: "acme",
    text: createAiSdkTextProvider({ secrets: [], load, onDisconnect: "stop" }),
  };
  await expect(callOf(provider)).rejects.toBe(overflow);
});

test("an error while the answer is read is unavailable", async () => {
  upstream = startTestUpstream(() => new Response(null));
  const stream = new ReadableStream({ pull: (controller) => controller.error(new RangeError("too deep")) });
  const load = async () => ({
    quirks: QUIRKS,
    languageModel: () => ({ doStream: async () => ({ stream }) }),
  });
  const provider = {
    name: "acme",
    text: createAiSdkTextProvider({ secrets: [], load, onDisconnect: "stop" }),
  };
  expect(await callOf(provider)).toMatchObject({ kind: "unavailable" });
});

test.each(Object.entries(FACTORIES))(
  "%s gets no request with options that no price covers",
  async (_name, create) => {
    upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 500 }));
    const provider = upstream.provider(create);
    const wishes = [
      { provider: { data_collection: "deny" } },
      { plugins: [{ id: "web" }] },
      { search_parameters: {} },
      { modalities: ["image", "text"] },
    ];
    for (const body of wishes) {
      for (const kind of ["chat_completions", "responses"] as const) {
        const failure = await callOf(provider, { wire: { kind, body } });
        expect(failure).toMatchObject({ kind: "rejected" });
      }
    }
    // On the responses wire they are left out, because agents list them unasked.
    const hosted = { wire: { kind: "chat_completions" as const, body: { tools: [{ type: "web_search" }] } } };
    expect(await callOf(provider, hosted)).toMatchObject({
      kind: "rejected",
      publicMessage: expect.stringMatching(/^tools: /),
    });
    expect(upstream.sent).toEqual([]);
  },
);

test.each(Object.entries(FACTORIES))(
  "%s refuses in its check the fields that it cannot serve",
  (_name, create) => {
    upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 500 }));
    const { text } = upstream.provider(create);
    const look = (body: object, kind: WireRequest["kind"] = "chat_completions") =>
      text?.check?.("m", { kind, body: { ...body } });
    const moderation = { policy: { output: { mode: "block" } } };
    for (const body of [{ plugins: [{ id: "web" }] }, { moderation }]) {
      const named = expect.objectContaining({ detail: { field: Object.keys(body)[0] } });
      for (const kind of ["chat_completions", "responses"] as const)
        expect(() => look(body, kind)).toThrow(named);
    }
    expect(() => look({ logit_bias: { 1: -100 } })).toThrow("rejected: logit_bias: ");
    expect(() => look({ logit_bias: { 1: -100 } }, "responses")).not.toThrow();
    expect(() => look({ messages: [], temperature: 1 })).not.toThrow();
  },
);

test.each(Object.entries(FACTORIES))(
  "%s rejects a field that it cannot express by name, before anything is sent",
  async (_name, create) => {
    upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 500 }));
    const provider = upstream.provider(create);
    const wire = (body: object) => ({
      wire: { kind: "chat_completions" as const, body: { ...body } },
    });
    const response = { wire: { kind: "responses" as const, body: {} } };
    const wishes = [
      ["top_logprobs", { ...response, wireFields: { logprobs: true, top_logprobs: 2 } }],
      ["include", { ...response, wireFields: { logprobs: true, top_logprobs: 0 } }],
      ["logprobs", { ...wire({}), wireFields: { logprobs: true, top_logprobs: 2 } }],
      ["n", { n: 2 }],
      ["logprobs", { wireFields: { logprobs: true } }],
      ["logit_bias", wire({ logit_bias: { 1: -100 } })],
      ["moderation", wire({ moderation: { model: "m", policy: { input: { mode: "block" } } } })],
      ["response_format", wire({ response_format: { type: "grammar" } })],
    ] as const;
    for (const [field, wish] of wishes)
      expect(await callOf(provider, wish)).toMatchObject({ kind: "rejected", detail: { field } });
    expect(upstream.sent).toEqual([]);
  },
);
