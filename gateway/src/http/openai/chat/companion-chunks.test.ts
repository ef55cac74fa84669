import { expect, test } from "bun:test";
import type { WireEvent } from "../../../contract/index.ts";
import type { ChatStreamPart } from "../../../generation/index.ts";
import { createChatChunks } from "./chat-chunks.ts";
import type { ChatChunk } from "./chat-schema.ts";
import { CHARGE, formWith, paidFor, REQUEST_ID, WIRE_USAGE } from "./chat-testing.ts";

const wire = (fields: object, more: Partial<WireEvent> = {}): WireEvent => ({
  ...{ type: "wire", members: JSON.stringify(fields).slice(1, -1), written: "", ...more },
});
const word = { index: 0, delta: { content: "Hi" }, logprobs: null, finish_reason: null };
const last = { index: 0, delta: {}, logprobs: null, finish_reason: "stop" };
const more = { citations: ["v"], moderation: {}, system_fingerprint: "two" };
const PARTS: readonly ChatStreamPart[] = [
  {
    type: "events",
    events: [
      wire({ choices: [word] }),
      wire({ choices: [last], system_fingerprint: "one" }, { isClosing: true }),
    ],
  },
  {
    type: "events",
    events: [
      wire({ citations: ["u"] }, { isBeside: true }),
      wire(more, { isBeside: true }),
      { type: "finish", reason: "stop", usage: null },
    ],
  },
  { type: "done", paid: paidFor([]) },
];

function read(includesUsage: boolean, parts = PARTS): readonly ChatChunk[] {
  const form = formWith();
  const encoder = createChatChunks({ requestId: REQUEST_ID, model: "m", n: 1, includesUsage, form });
  const written = parts.flatMap((part) => encoder.encode(part)).slice(0, -1);
  return written.map((event) => JSON.parse(event.slice("data: ".length)) as ChatChunk);
}

test("top-level fields of an upstream's late chunks are in the chunk that ends the answer, each name once", () => {
  const chunks = read(false);
  expect(chunks.map(({ choices }) => choices)).toEqual([[word], [last]] as never);
  expect(chunks.at(-1)).toMatchObject({ ...more, ...CHARGE } as never);
});

test("top-level fields of an upstream's late chunks are in the usage chunk if usage is requested", () => {
  const chunks = read(true);
  expect(chunks.map(({ choices }) => choices)).toEqual([[word], [last], []] as never);
  expect(chunks.at(-1)).toMatchObject({ usage: WIRE_USAGE, ...more, ...CHARGE } as never);
});

test("what every chunk repeats is in the usage chunk, too, if no late chunk has another value", () => {
  const marks = { system_fingerprint: "one", service_tier: "default" };
  const closing = wire({ choices: [last], ...marks, other: 1 }, { isClosing: true });
  const finish = { type: "finish", reason: "stop", usage: null } as const;
  const done: ChatStreamPart = { type: "done", paid: paidFor([]) };
  const usageChunk = (...late: readonly WireEvent[]) =>
    read(true, [{ type: "events", events: [...late, closing, finish] }, done]).at(-1);
  expect(usageChunk()).toEqual({ ...usageChunk(), choices: [], usage: WIRE_USAGE, ...marks } as never);
  expect(usageChunk()).not.toHaveProperty("other");
  expect(usageChunk(wire(more, { isBeside: true }))).toMatchObject({
    ...more,
    service_tier: "default",
  } as never);
  const whole = { choices: [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }], ...marks };
  const joined: ChatStreamPart = { type: "done", paid: paidFor([], { wire: whole }) };
  expect(read(true, [joined]).at(-1)).toMatchObject({ usage: WIRE_USAGE, ...marks });
  expect(read(false, [joined]).at(-1)).not.toHaveProperty("service_tier");
});

test("at most 64 top-level fields of an upstream are kept", () => {
  const events = Array.from({ length: 20_000 }, (_, at) => wire({ [`k${at}`]: at }, { isBeside: true }));
  const [first, , ...rest] = PARTS;
  const parts = [first, { type: "events", events }, ...rest].filter((part) => part !== undefined);
  const closing = read(false, parts as ChatStreamPart[]).at(-1) as unknown as Record<string, unknown>;
  expect(Object.keys(closing).filter((name) => /^k\d+$/.test(name))).toHaveLength(64);
});
