import { expect, test } from "bun:test";
import type { WireRequest } from "../../contract/index.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { createAddress } from "./address.ts";
import { exchangeOf } from "./exchange.ts";
import type { WireVendor } from "./vendor.ts";

const { openai, groq, deepseek } = WIRE_VENDORS;

function exchange(wire: Partial<WireRequest>, vendor: WireVendor) {
  const messages = [{ role: "user" as const, content: "hi" }];
  const whole: WireRequest = { kind: "chat_completions", body: {}, ...wire };
  const settings = { name: "acme", kind: null, baseUrl: "https://api.example/v1", apiKey: "sk" };
  return exchangeOf(
    { messages, maxOutputTokens: 100, wire: { ...whole, body: { messages, ...whole.body } } },
    { vendor, model: "m", namespace: "acme" },
    createAddress(settings, vendor),
  );
}

test("logit_bias is rejected for a vendor that does not support it, unless it is empty", () => {
  const biased = { body: { logit_bias: { 50256: -100 } } };
  expect(exchange(biased, openai).body).toHaveProperty("logit_bias");
  expect(() => exchange(biased, groq)).toThrow("rejected: logit_bias: ");
  expect(exchange({ body: { logit_bias: {} } }, groq).body).not.toHaveProperty("logit_bias");
});

test("blocking moderation and compaction are rejected for vendors that do not support them", () => {
  const blocking = { moderation: { model: "m", policy: { output: { mode: "block" } } } };
  expect(exchange({ body: blocking }, openai).body).toHaveProperty("moderation");
  expect(() => exchange({ body: blocking }, groq)).toThrow("rejected: moderation: ");
  const compacted = { input: [{ type: "compaction", encrypted_content: "x" }] };
  for (const body of [{ input: "hi", ...blocking }, compacted]) {
    expect(exchange({ kind: "responses", body }, openai).url).toEndWith("/responses");
    expect(() => exchange({ kind: "responses", body }, deepseek)).toThrow(/^rejected: (moderation|input): /);
  }
});

test("a reasoning mode without a price is rejected inside the input, too", () => {
  const update = (reasoning: object) => ({ input: [{ type: "configuration_update", reasoning }] });
  const send = (reasoning: object) => exchange({ kind: "responses", body: update(reasoning) }, openai);
  expect(() => send({ mode: "pro" })).toThrow("rejected: input: ");
  expect(send({ effort: "high" }).body).toMatchObject(update({ effort: "high" }));
});
