import { describe, expect, test } from "bun:test";
import type { ChatCall, ChatStream, ChatStreamPart } from "../../generation/index.ts";
import { REQUEST_ID } from "../openai/chat/chat-testing.ts";
import { answered, createEdge, RATE } from "../testing.ts";
import { createKeptBodies } from "./kept-bodies.ts";

const OPTIONS = { bigBodyBytes: 10, bigBodiesBytes: 300 };
const BUSY = { status: 503, options: { retryAfterSeconds: 2 } };
const EVENTS: ChatStreamPart = { type: "events", events: [{ type: "text", text: "Hi" }] };

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return null;
}

function streamOf(parts: ChatStreamPart[], left: Promise<void> = Promise.resolve()): ChatStream {
  return {
    ...{ requestId: REQUEST_ID, model: "m", rate: RATE, replayed: false },
    next: async () => parts.shift() ?? null,
    leave: () => left,
  };
}

describe("large bodies of running calls", () => {
  test("are kept up to a total, and each owner's up to two thirds of that", () => {
    const bodies = createKeptBodies(OPTIONS);
    bodies.take("greedy", 100);
    bodies.take("greedy", 100);
    expect(caught(() => bodies.take("greedy", 11))).toMatchObject(BUSY);
    expect(caught(() => bodies.take("other", 60))).toBeNull();
    expect(caught(() => bodies.take("third", 41))).toMatchObject(BUSY);
    expect(caught(() => bodies.take("third", 40))).toBeNull();
  });

  test("do not include bodies up to the threshold, which are not counted", () => {
    const bodies = createKeptBodies(OPTIONS);
    for (let at = 0; at < 100; at++) expect(bodies.take("one", 10)).toBeNull();
    expect(caught(() => bodies.take("one", 200))).toBeNull();
  });

  test("of any size are accepted if no others are kept", () => {
    const bodies = createKeptBodies(OPTIONS);
    const kept = bodies.take("one", 1_000);
    expect(caught(() => bodies.take("two", 11))).toMatchObject(BUSY);
    kept?.handled();
    expect(caught(() => bodies.take("two", 11))).toBeNull();
  });

  test("are released once, however often the call's end is reported", () => {
    const bodies = createKeptBodies(OPTIONS);
    const kept = bodies.take("one", 200);
    bodies.take("two", 50);
    kept?.handled();
    kept?.letGo();
    kept?.handled();
    expect(caught(() => bodies.take("three", 251))).toMatchObject(BUSY);
    expect(caught(() => bodies.take("three", 250))).toBeNull();
  });

  test("are kept for a stream until its last part", async () => {
    const bodies = createKeptBodies(OPTIONS);
    const kept = bodies.take("one", 200);
    const done = { type: "done", paid: {} } as unknown as ChatStreamPart;
    const stream = kept?.keptWith(streamOf([EVENTS, done]));
    kept?.handled();
    await stream?.next();
    expect(caught(() => bodies.take("two", 101))).toMatchObject(BUSY);
    await stream?.next();
    expect(caught(() => bodies.take("two", 101))).toBeNull();
  });

  test("are kept after their reader has left until the call is settled", async () => {
    const bodies = createKeptBodies(OPTIONS);
    const kept = bodies.take("one", 200);
    const settled = Promise.withResolvers<void>();
    const stream = kept?.keptWith(streamOf([EVENTS], settled.promise));
    kept?.handled();
    const leaving = stream?.leave();
    await Promise.resolve();
    expect(caught(() => bodies.take("two", 101))).toMatchObject(BUSY);
    settled.resolve();
    await leaving;
    expect(caught(() => bodies.take("two", 101))).toBeNull();
  });
});

const PATHS = ["/functions/v1/api-v1-chat", "/v1/chat/completions", "/v1/responses"] as const;

describe.each(PATHS)("a large body sent to %s", (path) => {
  const content = "a ".repeat(50_000);
  const send = (edge: ReturnType<typeof createEdge>, changes = {}) => {
    const input = path === "/v1/responses" ? { input: content } : { messages: [{ role: "user", content }] };
    return edge.send(path, { body: JSON.stringify({ model: "acme-chat", ...input, ...changes }) });
  };
  const settings = { bigBodyBytes: 64 * 1024, bigBodiesBytes: 150 * 1024 };

  test("is counted until its call succeeds or fails", async () => {
    const first = Promise.withResolvers<never>();
    const asked: ChatCall[] = [];
    const begun = Promise.withResolvers<void>();
    const edge = createEdge({
      settings,
      generation: {
        chat: async (call) => {
          begun.resolve();
          return asked.push(call) === 1 ? first.promise : answered(call);
        },
      },
    });
    const waiting = send(edge);
    await begun.promise;
    const refused = await send(edge);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
    first.reject(new Error("no luck"));
    await waiting;
    expect((await send(edge)).status).toBe(200);
    expect((await send(edge)).status).toBe(200);
    // Refused for another reason.
    expect([403, 404]).toContain((await send(edge, { model: "nobody" })).status);
    expect((await send(edge)).status).toBe(200);
    expect(asked).toHaveLength(4);
  });

  test("is counted until its stream ends", async () => {
    const last = Promise.withResolvers<ChatStreamPart | null>();
    const parts: (ChatStreamPart | Promise<ChatStreamPart | null>)[] = [EVENTS, last.promise];
    const stream = { ...streamOf([]), next: async () => (await parts.shift()) ?? null };
    const edge = createEdge({ settings, generation: { chatStream: async () => stream } });
    const reading = await send(edge, { stream: true });
    expect(reading.status).toBe(200);
    expect((await send(edge, { stream: true })).status).toBe(503);
    last.resolve(null);
    await reading.text();
    expect((await send(edge, { stream: true })).status).toBe(200);
  });
});
