import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeJson } from "../../http/body/json-body.ts";
import { writtenPartsIn } from "../../http/body/written-parts.ts";
import { decodeChat } from "../../http/openai/chat/chat-decode.ts";
import { createCallSeal } from "../../http/openai/sealed/sealed-call-id.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { encodeRequest } from "./encode/encode-request.ts";
import { encodeWireRequest } from "./passthrough/encode-wire-request.ts";
import { encodeResponseRequest } from "./responses/encode-response-request.ts";
import { sealed } from "./testing.ts";
import type { WireVendor } from "./vendor.ts";
import { writtenBody } from "./written-body.ts";

const callSeal = createCallSeal("secret of these tests");
const HOUR = { type: "ephemeral", ttl: "1h" };
/** Behind a body, they make it long enough to be sent in pieces. */
const BLANKS = " ".repeat(8 * 1024);

const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "“quoted”\n",
    "\u2028<b>",
    "é\\",
    '"cache_control"',
    '{"role":"system"}',
    "9007199254740993",
  ),
);
const extras = fc.record(
  {
    name: fc.constantFrom("x", null),
    cache_control: fc.constantFrom(HOUR, { type: "ephemeral" }, null),
    Cache_Control: fc.constant(HOUR),
    providerOptions: fc.constant({ anthropic: { cacheControl: HOUR } }),
    service_tier: fc.constant("priority"),
    toString: text,
  },
  { requiredKeys: [] },
);
const part = fc.record(
  { type: fc.constant("text"), text, cache_control: fc.constantFrom(HOUR, null) },
  { requiredKeys: ["type", "text"] },
);
const content = fc.oneof(text, fc.array(part, { minLength: 1, maxLength: 3 }));
const said = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "system", "developer"), content }),
  fc.record({ role: fc.constant("assistant"), content: text, refusal: fc.constant(null) }),
  fc.record({ role: fc.constant("assistant"), content: text, reasoning_content: text }),
);
const message = fc
  .tuple(said, fc.oneof(fc.constant({}), extras))
  .map(([given, more]) => [{ ...given, ...more }]);
const exchange = fc.tuple(text, content, fc.string()).map(([id, result, given]) => [
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: `c${id}`, type: "function", function: { name: "f", arguments: JSON.stringify({ given }) } },
    ],
  },
  { role: "tool", tool_call_id: `c${id}`, content: result },
]);
const tool = fc.record({
  type: fc.constant("function"),
  function: fc.record({
    name: fc.constantFrom("f", "g"),
    description: text,
    strict: fc.constantFrom(null, true),
    parameters: fc.constantFrom(
      { type: "object", properties: { a: { type: "string", format: "uri" } } },
      { type: "object", properties: { cache_control: HOUR }, additionalProperties: false },
    ),
  }),
});
const body = fc.record(
  {
    model: fc.constant("m"),
    messages: fc
      .array(fc.oneof(message, exchange), { minLength: 1, maxLength: 5 })
      .map((turns) => [...turns.flat(), { role: "user", content: "hello" }]),
    tools: fc.array(tool, { minLength: 1, maxLength: 2 }),
    temperature: fc.constantFrom(null, 0.5),
    service_tier: fc.constant("priority"),
    user: fc.constant("me"),
    logit_bias: fc.constant(null),
  },
  { requiredKeys: ["model", "messages"] },
);

/** As some clients write it: with blanks, and with escapes that nobody needs. */
function untidy(value: unknown, space: string | undefined): string {
  return JSON.stringify(value, null, space).replaceAll("/", "\\/").replaceAll("é", "\\u00E9");
}

function readBody(written: string): Readonly<Record<string, unknown>> {
  const given = decodeJson(new TextEncoder().encode(written + BLANKS), 64);
  freeze(given);
  return given as Readonly<Record<string, unknown>>;
}

/** Whoever changed a part in place would send other bytes than what it means. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const each of Object.values(value)) freeze(each);
  Object.freeze(value);
}

function promptOf(given: Readonly<Record<string, unknown>>) {
  const { wire, asWritten, messages, ...fields } = decodeChat(given, { maxMessages: 100, callSeal }).prompt;
  if (wire === undefined) throw new Error("a chat completion has its own wire");
  return { wire, asWritten, request: { ...fields, messages, maxOutputTokens: 64, sealed, wire } };
}

const targetOf = (vendor: WireVendor) => ({ vendor, model: "m", namespace: "acme" });
const parsed = (pieces: ReturnType<typeof writtenBody>) => JSON.parse(pieces.join(""));
const hasBytes = (pieces: ReturnType<typeof writtenBody>) =>
  pieces.some((piece) => typeof piece !== "string");

describe.each(Object.entries(WIRE_VENDORS))("a body for %s", (_, vendor) => {
  test("means the same in the caller's bytes as written anew", () => {
    let inBytes = 0;
    const run = fc.property(body, fc.constantFrom(undefined, " "), (given, space) => {
      const { wire, asWritten, request } = promptOf(readBody(untidy(given, space)));
      expect(asWritten).toBeDefined();
      for (const encoded of [
        encodeWireRequest(request, wire, targetOf(vendor)),
        encodeRequest(request, targetOf(vendor)),
      ]) {
        const written = writtenBody(encoded, { wire, asWritten });
        expect(parsed(written)).toEqual(parsed(writtenBody(encoded, { wire })));
        if (hasBytes(written)) inBytes++;
      }
    });
    fc.assert(run, { numRuns: 60 });
    expect(inBytes).toBeGreaterThan(20);
  });
});

describe("messages and items that nobody changes", () => {
  const { openai } = WIRE_VENDORS;

  test("are one piece of the caller's bytes", () => {
    const messages = [
      { role: "user", content: "hello" },
      { role: "assistant", content: "“well”" },
      { role: "user", content: "go on" },
    ];
    for (const space of [undefined, " "]) {
      const given = readBody(JSON.stringify({ model: "m", messages, stream: true }, null, space));
      const { wire, asWritten, request } = promptOf(given);
      const written = writtenBody(encodeWireRequest(request, wire, targetOf(openai)), { wire, asWritten });
      expect(written.length).toBe(space === undefined ? 3 : 7);
      expect(parsed(written)["messages"]).toEqual(messages);
    }
  });

  test("are sent in bytes in a Responses request, too, beside changed ones", () => {
    const input = [
      { role: "user", content: "hello" },
      { type: "reasoning", id: "rs_1", summary: [] },
      { role: "user", content: "go on" },
    ];
    const given = readBody(JSON.stringify({ model: "m", input }));
    const wire = { kind: "responses" as const, body: given };
    const request = { messages: [], maxOutputTokens: 64, wire };
    const encoded = encodeResponseRequest(request, wire, targetOf(openai));
    const written = writtenBody(encoded, { wire, asWritten: writtenPartsIn(given) });
    expect(hasBytes(written)).toBe(true);
    expect(parsed(written)["input"]).toEqual([input[0], input[2]]);
  });

  test("are sent in bytes although one among them is changed", () => {
    const mark = { type: "text", text: "marked", cache_control: HOUR };
    const messages = [
      { role: "user", content: "hello" },
      { role: "user", content: [mark] },
      { role: "user", content: "go on" },
    ];
    const given = readBody(JSON.stringify({ model: "m", messages }));
    const written = writtenBody(given, { asWritten: writtenPartsIn(given) });
    expect(written.filter((piece) => typeof piece !== "string").length).toBe(2);
    const short = { ...mark, cache_control: { type: "ephemeral" } };
    expect(parsed(written)["messages"]).toEqual([
      messages[0],
      { role: "user", content: [short] },
      messages[2],
    ]);
  });

  test("are joined with the others if that makes many pieces", () => {
    const messages = Array.from({ length: 30 }, (_, at) => [
      { role: "user", content: `${at}` },
      { role: "user", content: "hidden", name: "x" },
    ]).flat();
    const given = readBody(JSON.stringify({ model: "m", messages }));
    const shown = messages.map(({ role, content }, at) =>
      at % 2 === 0 ? (given["messages"] as object[])[at] : { role, content },
    );
    const written = writtenBody({ messages: shown }, { asWritten: writtenPartsIn(given) });
    expect(written.length).toBe(1);
    expect(parsed(written)).toEqual({ messages: messages.map(({ role, content }) => ({ role, content })) });
  });

  test("keep numbers as they were written", () => {
    const given = readBody(`{"tools":[{"least":-1234567890123456789,"most":1234567890123456790}]}`);
    const written = writtenBody(given, { asWritten: writtenPartsIn(given) });
    expect(written.join("")).toContain('"least":-1234567890123456789,"most":1234567890123456790');
  });
});
