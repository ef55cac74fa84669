import { expect, test } from "bun:test";
import { encodeResponseRequest } from "../responses/encode-response-request.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import { WIRE_VENDORS } from "../vendors.ts";

const { xai, openai } = WIRE_VENDORS;
const PENALTIES = { presence_penalty: 0, frequency_penalty: 0.5 };

/** What is left of the penalties, on every path. */
function kept(target: { vendor: typeof xai | typeof openai; model: string }): readonly unknown[] {
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
] as const)("%s gets no penalties, because it rejects them", (model, vendor) => {
  expect(kept({ vendor, model })).toEqual([{}, {}, {}]);
});

test.each([
  ["grok-3", xai],
  ["gpt-4.1", openai],
] as const)("%s gets the caller's penalties", (model, vendor) => {
  expect(kept({ vendor, model })).toEqual([PENALTIES, PENALTIES, PENALTIES]);
});
