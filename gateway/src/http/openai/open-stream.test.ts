import { describe, expect, test } from "bun:test";
import type { ChatStream, ChatStreamPart } from "../../generation/index.ts";
import { AppError, finishSteps } from "../../kit/index.ts";
import { noopSpan } from "../../telemetry/index.ts";
import { createEventStreams } from "../event-stream.ts";
import { principalWith, RATE } from "../testing.ts";
import { paidFor, REQUEST_ID } from "./chat/chat-testing.ts";
import { type OpenStreamInput, openStream } from "./open-stream.ts";

const DONE: ChatStreamPart = { type: "done", paid: paidFor([]) };
const TEXT: ChatStreamPart = { type: "events", events: [{ type: "text", text: "Hi" }] };

/** A stream whose parts arrive when the test gives them. */
function openable(parts: (ChatStreamPart | Promise<ChatStreamPart>)[], keepAliveMs = 1_000) {
  const client = new AbortController();
  const state = { left: 0, ended: 0, looked: 0 };
  const stream: ChatStream = {
    requestId: REQUEST_ID,
    model: "acme-chat",
    rate: RATE,
    replayed: false,
    next: async () => (await parts.shift()) ?? null,
    leave: async () => void state.left++,
  };
  const call = {
    requestId: "this-call",
    principal: principalWith(),
    memberUserId: null,
    idempotency: null,
    span: noopSpan,
    askAgain: async () => {},
    inTurns: finishSteps,
    streamEnded: () => void state.ended++,
    keptWith: (kept: ChatStream) => kept,
    clientLeft() {
      state.looked++;
      return client.signal;
    },
  };
  const input: OpenStreamInput = {
    stream,
    call,
    encoder: { encode: (part) => [`data: ${part.type}\n\n`] },
    eventStreams: createEventStreams({ keepAliveMs: 60_000, stallMs: 60_000 }),
    noteFailure: () => {},
    keepAliveMs,
  };
  return { input, client, state };
}

const never = () => new Promise<ChatStreamPart>(() => {});

describe("a stream", () => {
  test("opens with its first part and continues with the others", async () => {
    const { input, state } = openable([TEXT, DONE]);
    const response = await openStream(input);
    expect([response.status, response.headers.get("x-request-id")]).toEqual([200, "this-call"]);
    expect(response.headers.get("x-ratelimit-remaining-requests")).toBe("599");
    expect(await response.text()).toBe("data: events\n\ndata: done\n\n");
    expect(state).toEqual({ left: 0, ended: 1, looked: 0 });
  });

  test("of a repeat has Idempotent-Replayed", async () => {
    const { input } = openable([DONE]);
    const repeat = { ...input, stream: { ...input.stream, replayed: true } };
    const { headers } = await openStream(repeat);
    expect([headers.get("idempotent-replayed"), headers.get("x-ratelimit-limit-requests")]).toEqual([
      "true",
      "600",
    ]);
  });

  test("that fails before its first part is an error instead of a stream", async () => {
    const error = new AppError("internal_error", "Failed.", { status: 502 });
    await expect(openStream(openable([{ type: "error", error }]).input)).rejects.toBe(error);
  });

  test("that fails later contains the error", async () => {
    const error = new AppError("internal_error", "Failed.", { status: 502 });
    const response = await openStream(openable([TEXT, { type: "error", error }]).input);
    expect(await response.text()).toBe("data: events\n\ndata: error\n\n");
  });

  test("opens with a keep-alive comment if no part comes, and loses no later part", async () => {
    const late = Promise.withResolvers<ChatStreamPart>();
    const { input } = openable([late.promise, DONE], 5);
    const response = await openStream(input);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toBe(": keep-alive\n\n");
    late.resolve(TEXT);
    expect([await read(), await read()]).toEqual(["data: events\n\n", "data: done\n\n"]);
  });
});

describe("a client that disconnects", () => {
  test("before the first part ends the call, and the response is 499", async () => {
    const { input, client, state } = openable([never()]);
    const opening = openStream(input);
    while (state.looked === 0) await Bun.sleep(1);
    client.abort();
    expect((await opening).status).toBe(499);
    expect(state).toMatchObject({ left: 1, ended: 0 });
    expect(input.eventStreams.open).toBe(0);
  });

  test("before the stream is opened ends the call, too", async () => {
    const { input, client, state } = openable([never()]);
    client.abort();
    expect((await openStream(input)).status).toBe(499);
    expect(state.left).toBe(1);
  });

  test("after the first part ends the call", async () => {
    const { input, state } = openable([TEXT, never()]);
    const response = await openStream(input);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect(state).toMatchObject({ left: 1, ended: 1 });
  });
});
