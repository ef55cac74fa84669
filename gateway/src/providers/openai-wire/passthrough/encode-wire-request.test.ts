import { describe, expect, test } from "bun:test";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, sealed, wireBodyFor } from "../testing.ts";

const { openai, azure, mistral, deepseek, openrouter, perplexity, groq } = WIRE_VENDORS;
const MESSAGES = [{ role: "user", content: "hi" }];
const OURS = { model: "m", messages: MESSAGES, stream: true, stream_options: { include_usage: true } };

describe("a passed-through request", () => {
  test("is sent unchanged except for model, stream and limit", () => {
    const extras = {
      top_k: 4,
      temperature: 0.3,
      logit_bias: { 50256: -100 },
      parallel_tool_calls: false,
      stop: "END",
      verbosity: "low",
    };
    const body = wireBodyFor({ ...extras, model: "svc-code", stream: false, max_tokens: 9e9 });
    expect(body).toEqual({ ...extras, ...OURS, max_tokens: 64 });
    expect(wireBodyFor(extras, { request: { inOnePiece: true } })).not.toHaveProperty("stream");
  });

  test("never sets what the hold pays for, under any name; null fields are removed", () => {
    const body = {
      models: ["dear"],
      route: "fallback",
      prompt: "x",
      input: "x",
      max_completion_tokens: 9e9,
      max_output_tokens: 9e9,
      n_predict: -1,
      options: { num_predict: -1 },
      n: 100,
      best_of: 9,
      top_p: null,
    };
    expect(wireBodyFor(body)).toEqual({ ...OURS, max_tokens: 64 });
    expect(wireBodyFor({ n: 3 }, { request: { n: 3 } })).toMatchObject({ n: 3 });
  });

  test("never sets it in other case either, for servers that ignore case", () => {
    const body = {
      MAX_TOKENS: 9e9,
      Messages: [],
      N: 9,
      Service_Tier: "priority",
      Tools: [{ type: "search" }],
    };
    expect(wireBodyFor(body)).toEqual({ ...OURS, max_tokens: 64 });
    expect(wireBodyFor({ topK: 4, "X-Trace": "t" })).toMatchObject({ topK: 4, "X-Trace": "t" });
  });

  test("adds no fields through a prototype", () => {
    const fields = '{"tools":[{"type":"browser_search"}],"response_format":{"type":"json_schema"},"seed":1}';
    const body = JSON.parse(`{"__proto__":${fields}}`);
    for (const vendor of [groq, mistral]) {
      const sent = wireBodyFor(body, { vendor });
      expect(JSON.stringify(sent)).not.toMatch(/browser_search|json_schema|seed/);
      expect(Object.getPrototypeOf(sent)).toBe(Object.prototype);
    }
  });

  test("never defers the answer, sets a chat template or makes images more expensive", () => {
    const body = {
      deferred: true,
      chat_template: "{{ x * 9999 }}",
      mm_processor_kwargs: { max_pixels: 9e9 },
    };
    expect(wireBodyFor(body)).toEqual({ ...OURS, max_tokens: 64 });
  });

  test("may only choose padding among the stream options", () => {
    const options = { include_usage: false, include_obfuscation: false };
    expect(wireBodyFor({ stream_options: options })["stream_options"]).toEqual({
      include_usage: true,
      include_obfuscation: false,
    });
    expect(wireBodyFor({ stream_options: options }, { vendor: mistral })).not.toHaveProperty(
      "stream_options",
    );
  });

  test("loses fields that the vendor or a reasoning model rejects", () => {
    expect(wireBodyFor({ user: "u", logprobs: true }, { vendor: mistral })).not.toHaveProperty("user");
    const sampling = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0 };
    const thinking = wireBodyFor(sampling, { vendor: openai, model: "o3" });
    for (const field of Object.keys(sampling)) expect(thinking).not.toHaveProperty(field);
    expect(wireBodyFor(sampling, { vendor: openai, model: "gpt-4o" })).toMatchObject(sampling);
  });

  test("uses the vendor's names for seed and reasoning effort", () => {
    const seeded = wireBodyFor({ seed: 5 }, { vendor: mistral });
    expect(seeded).toMatchObject({ random_seed: 5 });
    expect(seeded).not.toHaveProperty("seed");
    const request = { reasoningEffort: "high" };
    const short = wireBodyFor({ reasoning_effort: "high" }, { vendor: openrouter, request });
    expect(short).toMatchObject({ reasoning: { effort: "high" } });
    expect(short).not.toHaveProperty("reasoning_effort");
    const long = wireBodyFor({ reasoning: { effort: "high", exclude: true } }, { vendor: groq, request });
    expect(long).toMatchObject({ reasoning_effort: "high" });
    expect(long).not.toHaveProperty("reasoning");
    const kept = { effort: "high", exclude: true };
    expect(wireBodyFor({ reasoning: kept }, { vendor: openrouter, request })).toMatchObject({
      reasoning: kept,
    });
  });

  test("keeps the client's reasoning options for a vendor that we have no rule for", () => {
    const long = { reasoning: { effort: "high", exclude: true, max_tokens: 500 } };
    for (const said of [long, { reasoning_effort: "high" }, { ...long, reasoning_effort: "low" }]) {
      const body = wireBodyFor(said, { request: { reasoningEffort: "high" } });
      expect(body).toEqual({ ...said, ...OURS, max_tokens: 64 });
    }
  });

  test("has no reasoning effort for a model without reasoning", () => {
    const request = { reasoningEffort: "low" };
    const asked = { reasoning_effort: "low", reasoning: { effort: "low" } };
    const body = wireBodyFor(asked, { vendor: openai, model: "gpt-4o", request });
    expect(body).not.toHaveProperty("reasoning_effort");
    expect(body).not.toHaveProperty("reasoning");
    expect(wireBodyFor(asked, { vendor: openai, model: "gpt-5", request })).toMatchObject({
      reasoning_effort: "low",
    });
  });
});

describe("tools and formats", () => {
  const schema = { $schema: "draft", type: "object", properties: { $schema: { type: "string" } } };
  const plain = { type: "object", properties: { $schema: { type: "string" } } };

  test("lose the keywords that a vendor rejects, and are the same objects if it rejects none", () => {
    const tools = [{ type: "function", function: { name: "f", parameters: schema, strict: true } }];
    const format = { type: "json_schema", json_schema: { name: "s", schema, strict: true } };
    const body = wireBodyFor({ tools, response_format: format });
    expect(body["tools"]).toEqual([
      { type: "function", function: { name: "f", parameters: plain, strict: true } },
    ]);
    expect(body["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "s", schema: plain, strict: true },
    });
    const same = wireBodyFor({ tools, response_format: format }, { vendor: openai });
    expect(same["tools"]).toBe(tools);
    expect(same["response_format"]).toBe(format);
  });

  test('use "required" for the tool choice "any"', () => {
    const tools = [{ type: "function", function: { name: "f" } }];
    expect(wireBodyFor({ tools, tool_choice: "any" })).toMatchObject({ tool_choice: "required" });
    const some = (mode: string) => ({ type: "allowed_tools", allowed_tools: { mode, tools } });
    const body = wireBodyFor({ tools, tool_choice: some("any") }, { vendor: openai });
    expect(body).toMatchObject({ tool_choice: some("required") });
  });

  test("are left out if there are no tools, together with the tool choice", () => {
    const body = wireBodyFor({ tools: [], tool_choice: "auto", parallel_tool_calls: true });
    expect(body).toEqual({ ...OURS, max_tokens: 64 });
  });

  test("are described in the prompt if the vendor only supports json_object", () => {
    const responseFormat = { type: "json_schema" as const, name: "s", schema };
    const format = { type: "json_schema", json_schema: { name: "s", schema } };
    const body = wireBodyFor({ response_format: format }, { vendor: deepseek, request: { responseFormat } });
    expect(body["response_format"]).toEqual({ type: "json_object" });
    expect(JSON.stringify(body["messages"])).toContain("JSON Schema");
  });
});

describe("an option that no price covers", () => {
  test("is removed if the answer is the same without it", () => {
    const body = {
      service_tier: "priority",
      prediction: { type: "content", content: "x" },
      provider: { order: ["dear"] },
      audio: { voice: "x" },
      modalities: ["text"],
      search_parameters: { mode: "off" },
      plugins: [],
      multi_agent: { enabled: true, max_concurrent_subagents: 50 },
    };
    expect(wireBodyFor(body)).toEqual({ ...OURS, max_tokens: 64 });
  });

  test("is removed if it selects another model, server, account or bill behind a gateway", () => {
    const body = {
      fallbacks: ["o1-pro"],
      context_window_fallbacks: [{ m: ["o1-pro"] }],
      content_policy_fallbacks: [],
      context_window_fallback_dict: { m: "o1-pro" },
      mock_testing_fallbacks: true,
      mock_response: "x",
      api_base: "https://other.example",
      base_url: "https://other.example",
      api_key: "k",
      api_version: "v",
      aws_region_name: "x",
      vertex_project: "x",
      model_list: [],
      num_retries: 9,
      max_retries: 9,
      timeout: 1,
      deployment_id: "x",
      engine: "o1-pro",
      custom_llm_provider: "x",
      litellm_metadata: {},
      user_config: {},
      tags: ["paid"],
      extra_body: { service_tier: "priority" },
      extra_headers: { a: "b" },
      providerOptions: { gateway: { models: ["o1-pro"] } },
      provider_options: {},
      inference_geo: "us",
      mcp_servers: [],
      container: "auto",
      betas: ["fast-mode"],
      web_search: false,
      webSearch: false,
      web_search_config: {},
      enable_web_search: false,
      data_sources: [{ type: "azure_search" }],
    };
    expect(wireBodyFor(body)).toEqual({ ...OURS, max_tokens: 64 });
    const kept = { filters: { tags: "x" }, search_domain_filter: ["a.example"], enable_thinking: true };
    expect(wireBodyFor(kept)).toMatchObject(kept);
  });

  test("is removed if it configures the search of a model that always searches", () => {
    const body = { web_search_options: { search_context_size: "high" } };
    expect(wireBodyFor(body, { vendor: perplexity })).not.toHaveProperty("web_search_options");
  });
});

test("OpenAI's options for caches and moderation are removed for vendors that reject them", () => {
  const own = {
    prompt_cache_key: "k",
    prompt_cache_retention: "24h",
    prompt_cache_options: { mode: "explicit" },
    moderation: { model: "omni" },
  };
  for (const vendor of [mistral, groq]) {
    const body = wireBodyFor({ ...own, top_k: 4 }, { vendor });
    const known = vendor.takesCacheKey ? ["prompt_cache_key"] : [];
    expect(Object.keys(own).filter((field) => field in body)).toEqual(known);
    expect(body).toMatchObject({ top_k: 4 });
  }
  expect(wireBodyFor(own, { vendor: openai })).toMatchObject({ ...own, prompt_cache_key: sealed("k") });
});

describe("a custom tool", () => {
  const own = { type: "function", function: { name: "f", strict: true } };
  const tools = [own, { type: "custom", custom: { name: "patch", format: { type: "text" } } }];
  const patch = { name: "patch", description: "Patches.", parameters: { type: "object" } };
  const request = { tools: [{ name: "f", strict: true }, patch], toolChoice: { name: "patch" } };
  const choice = { type: "custom", custom: { name: "patch" } };

  test("becomes a function if the vendor knows no custom tools; the rest of the request is unchanged", () => {
    const messages = [{ role: "user", name: "bob", content: "hi" }];
    const extras = { messages, top_k: 1, tool_choice: choice };
    for (const vendor of [WIRE_VENDORS["openai-wire"], deepseek]) {
      expect(wireBodyFor({ ...extras, tools }, { vendor, request })).toMatchObject({
        ...extras,
        tools: [own, { type: "function", function: patch }],
        tool_choice: { type: "function", function: { name: "patch" } },
      });
    }
    expect(wireBodyFor({ ...extras, tools }, { vendor: openai, request })).toMatchObject({
      ...extras,
      tools,
    });
  });

  test("becomes a function among allowed tools, too", () => {
    const some = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [choice] } };
    const chosen = { tools: [patch], toolChoice: "required" as const };
    expect(wireBodyFor({ tools, tool_choice: some }, { vendor: groq, request: chosen })).toMatchObject({
      tools: [{ type: "function", function: patch }],
      tool_choice: "required",
    });
  });
});

describe("a choice of allowed tools", () => {
  const tools = ["a", "b", "c"].map((name) => ({ type: "function", function: { name } }));
  const some = { type: "allowed_tools", allowed_tools: { mode: "required", tools: tools.slice(0, 2) } };
  const request = { tools: [{ name: "a" }, { name: "b" }], toolChoice: "required" as const };

  test("becomes a shorter list of tools if the vendor does not support it", () => {
    for (const vendor of [groq, mistral, deepseek]) {
      const body = wireBodyFor({ tools, tool_choice: some }, { vendor, request });
      expect(body).toMatchObject({ tools: tools.slice(0, 2), tool_choice: "required" });
      expect(body["tools"]).toHaveLength(2);
    }
    for (const vendor of [openai, azure]) {
      expect(wireBodyFor({ tools, tool_choice: some }, { vendor, request })).toMatchObject({
        tools,
        tool_choice: some,
      });
    }
  });

  test("with no tool left removes tools and tool choice", () => {
    const body = wireBodyFor({ tools, tool_choice: some, parallel_tool_calls: true }, { vendor: groq });
    for (const field of ["tools", "tool_choice", "parallel_tool_calls"])
      expect(body).not.toHaveProperty(field);
  });
});

describe("sampling options of a reasoning model", () => {
  const given = { temperature: 0.2, top_p: 0.5, presence_penalty: 1, frequency_penalty: 1 };
  const kept = (model: string, effort?: string) => {
    const request = effort === undefined ? {} : { reasoningEffort: effort };
    const chat = wireBodyFor(given, { vendor: openai, model, request });
    const neutral = bodyFor({ temperature: 0.2, topP: 0.5, ...request }, { vendor: openai, model });
    expect([neutral["temperature"], neutral["top_p"]]).toEqual([chat["temperature"], chat["top_p"]]);
    return Object.keys(given).filter((name) => name in chat);
  };

  test.each([
    ["gpt-5.1", "none"],
    ["gpt-5.2-2025-12-11", "none"],
    ["gpt-5.4-mini", "none"],
    ["openai/gpt-5.6", "none"],
    ["gpt-5.1", undefined],
    ["gpt-5.2-2025-12-11", undefined],
    ["gpt-5.4", undefined],
  ])("are sent without the penalties while it does not reason: %s at %p", (model, effort) => {
    expect(kept(model, effort)).toEqual(["temperature", "top_p"]);
  });

  test.each([
    ["gpt-5.1", "low"],
    ["gpt-5.4", "high"],
    ["gpt-5.4-mini", undefined],
    ["gpt-5.2-pro", undefined],
    ["gpt-5.1-codex", undefined],
    ["gpt-5.5", undefined],
    ["gpt-5.6", undefined],
    ["gpt-5", "none"],
    ["o3", "none"],
  ])("are removed if it reasons, or cannot do otherwise: %s at %p", (model, effort) => {
    expect(kept(model, effort)).toEqual([]);
  });
});
