import { expect, test } from "bun:test";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { encodeResponseRequest } from "../responses/encode-response-request.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { xai, openai, moonshot } = WIRE_VENDORS;
const PENALTIES = { presence_penalty: 0, frequency_penalty: 0.5 };

/** What is left of the penalties, on every path. */
function kept(target: { vendor: WireVendor; model: string }): readonly unknown[] {
  const body = { input: "hi", ...PENALTIES };
  const wire = { kind: "responses" as const, body };
  const request = { messages: [], maxOutputTokens: 64, wire };
  const bodies = [
    bodyFor({ wireFields: PENALTIES }, target),
    wireBodyFor(PENALTIES, target),
    encodeResponseRequest(request, wire, { ...target, namespace: "acme" }),
  ];
  return bodies.map((sent) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => name.endsWith("_penalty"))),
  );
}

test.each([
  ["grok-4-0709", xai],
  ["grok-4.3", xai],
  ["grok-4.20-0309-non-reasoning", xai],
  ["grok-code-fast-1", xai],
  ["gpt-5.6", openai],
  ["kimi-k2.5", moonshot],
  ["kimi-k3", moonshot],
] as const)("%s gets no penalties, because it rejects them", (model, vendor) => {
  expect(kept({ vendor, model })).toEqual([{}, {}, {}]);
});

test.each([
  ["grok-3", xai],
  ["gpt-4.1", openai],
  ["kimi-k2-0905-preview", moonshot],
] as const)("%s gets the caller's penalties", (model, vendor) => {
  expect(kept({ vendor, model })).toEqual([PENALTIES, PENALTIES, PENALTIES]);
});

test("Kimi from K2.5 on gets no temperature and no top_p, because it rejects all but its own", () => {
  const given = { temperature: 0, topP: 1 };
  const wire = { temperature: 0, top_p: 1 };
  const bodies = (model: string) => [
    bodyFor(given, { vendor: moonshot, model }),
    wireBodyFor(wire, { vendor: moonshot, model, request: given }),
  ];
  for (const model of ["kimi-k2.5", "kimi-k2.6", "kimi-k2.7-code", "kimi-k3", "kimi-for-coding", "k3-256k"]) {
    for (const body of bodies(model)) {
      expect(body).not.toHaveProperty("temperature");
      expect(body).not.toHaveProperty("top_p");
    }
  }
  for (const model of ["kimi-k2-turbo-preview", "moonshot-v1-8k"]) {
    for (const body of bodies(model)) expect(body).toMatchObject(wire);
  }
});
