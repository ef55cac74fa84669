import { expect, test } from "bun:test";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, sealed, wireBodyFor } from "../testing.ts";

test("fields that control a shared server's queue, ids, state or code are removed", () => {
  const body = {
    priority: -9,
    Priority: -9,
    request_id: "another's",
    rid: "another's",
    session_params: { id: "another's" },
    lora_path: "/srv/another's",
    logits_processors: ["a.module"],
    custom_logit_processor: "code",
    kv_transfer_params: { remote_host: "10.0.0.5" },
    bootstrap_host: "10.0.0.5",
    bootstrap_port: 80,
    bootstrap_room: 1,
  };
  const sent = wireBodyFor({ ...body, top_k: 4 });
  expect(sent).toMatchObject({ top_k: 4 });
  expect(Object.keys(sent).filter((name) => name in body)).toEqual([]);
});

test("identities that a caller chose become those of its organization, in no other spelling", () => {
  const body = { user: "ada", safety_identifier: "ada", prompt_cache_key: "k", cache_salt: "s" };
  const own = {
    user: "own ada",
    safety_identifier: "own ada",
    prompt_cache_key: "own k",
    cache_salt: "own s",
  };
  expect(wireBodyFor({ ...body, User: "ada", PROMPT_CACHE_KEY: "k" })).toEqual({
    ...wireBodyFor({}),
    ...own,
  });
  expect(wireBodyFor({ user: { id: "ada" } })).toEqual(wireBodyFor({}));
});

test("vLLM keeps one cache of prompts for each organization, whatever its callers say", () => {
  const { vllm, ollama } = WIRE_VENDORS;
  const salted = [wireBodyFor({}, { vendor: vllm }), bodyFor({}, { vendor: vllm })];
  expect(salted.map((body) => body["cache_salt"])).toEqual(["own ", "own "]);
  expect(bodyFor({}, { vendor: ollama })).not.toHaveProperty("cache_salt");
});

test("servers that find their cache by a key get ours, unless the caller has sent one, and others get none", () => {
  const { openai, mistral, groq } = WIRE_VENDORS;
  const request = { cacheKey: "ours" };
  for (const vendor of [openai, mistral]) {
    expect(bodyFor(request, { vendor })).toHaveProperty("prompt_cache_key", "ours");
    expect(bodyFor({ ...request, wireFields: { prompt_cache_key: "k" } }, { vendor })).toHaveProperty(
      "prompt_cache_key",
      sealed("k"),
    );
  }
  expect(bodyFor(request, { vendor: groq })).not.toHaveProperty("prompt_cache_key");
});

test("nothing is to be kept at the provider, under the account that all organizations share", () => {
  const body = { store: true, background: true, metadata: { customer: "ada" } };
  expect(wireBodyFor(body)).toEqual(wireBodyFor({}));
});

test("fields that tell another gateway what to drop, mark or prioritize are removed", () => {
  const mark = { type: "ephemeral", ttl: "1h" };
  const body = {
    additional_drop_params: ["max_tokens"],
    cache_control_injection_points: [{ location: "message", control: mark }],
    serviceTier: "priority",
    performanceConfig: { latency: "optimized" },
    Cache_Control: mark,
    Reasoning: { mode: "pro" },
  };
  const sent = wireBodyFor({ ...body, top_k: 4 });
  expect(sent).toMatchObject({ top_k: 4 });
  expect(Object.keys(sent).filter((name) => name in body)).toEqual([]);
});
