import { expect, test } from "bun:test";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, sealed, wireBodyFor } from "../testing.ts";

const { groq, mistral, cerebras, openai } = WIRE_VENDORS;
const AGENTS = { store: false, prompt_cache_key: "k", verbosity: "low" };

test("what agents send for OpenAI alone is not sent to servers that refuse unknown fields", () => {
  for (const vendor of [groq, mistral, cerebras]) {
    for (const body of [wireBodyFor(AGENTS, { vendor }), bodyFor({ wireFields: AGENTS }, { vendor })]) {
      const known = vendor.takesCacheKey ? ["prompt_cache_key"] : [];
      expect(Object.keys(AGENTS).filter((field) => field in body)).toEqual(known);
    }
  }
  expect(wireBodyFor(AGENTS, { vendor: openai })).toMatchObject({
    prompt_cache_key: sealed("k"),
    verbosity: "low",
  });
});
