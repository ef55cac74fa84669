import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ANSWER_TEXT, goodStreamBytes } from "../../../test/upstream/chat-wire.ts";
import {
  type MisbehavingUpstream,
  startMisbehavingUpstream,
} from "../../../test/upstream/misbehaving-upstream.ts";
import { ProviderFailure } from "../contract/index.ts";
import { DEFAULT_SSE_BOUNDS, type SseEvent, Stopped } from "../kit/index.ts";
import { type SseOptions, sseEvents } from "./sse-events.ts";
import { chatInit, failureFrom, PATIENT, testFetch } from "./testing.ts";

let upstream: MisbehavingUpstream;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
});
afterAll(() => upstream.close());

const UNTIL_DONE: SseOptions = { ...DEFAULT_SSE_BOUNDS, lastData: "[DONE]" };

const open = (model: string, fetcher = testFetch(), signal?: AbortSignal) =>
  fetcher(`${upstream.baseUrl}/chat/completions`, chatInit(model, { signal }));

async function eventsOf(model: string, options = UNTIL_DONE, fetcher = testFetch()): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const batch of sseEvents(await open(model, fetcher), options)) {
    expect(batch.length).toBeGreaterThan(0);
    events.push(...batch);
  }
  return events;
}

function textOf(events: readonly SseEvent[]): string {
  return events
    .filter(({ data }) => data.startsWith("{"))
    .map(({ data }) => JSON.parse(data).choices[0]?.delta.content ?? "")
    .join("");
}

describe("a stream is read completely", () => {
  test.each([
    "ok",
    "split",
    "cr-only",
    "crlf",
    "bom",
    "drip:0",
    "no-blank-line",
    "done-twice",
    "after-done",
    "gzip",
  ])("%s", async (model) => {
    const events = await eventsOf(model);
    expect(textOf(events)).toBe(ANSWER_TEXT);
    expect(events.at(-1)?.data).toBe("[DONE]");
  });

  test("a stream without [DONE] ends with its body", async () => {
    const events = await eventsOf("no-done");
    expect(textOf(events)).toBe(ANSWER_TEXT);
    expect(events.at(-1)?.data).toContain("usage");
  });

  test.each(["empty", "comments"])("%s has no events", async (model) => {
    expect(await eventsOf(model)).toEqual([]);
  });

  test("after [DONE] the connection is reused for the next call", async () => {
    await eventsOf("ok");
    const before = upstream.connections;
    for (let i = 0; i < 3; i++) {
      await eventsOf("ok");
      // The end of the body is read in the background.
      await Bun.sleep(5);
    }
    expect(upstream.connections - before).toBeLessThanOrEqual(1);
  });
});

describe("a stream that breaks", () => {
  test("fails wherever it is reset or closed, and never just ends", async () => {
    // Before the end of the body, which Bun recognizes one byte before its last line is complete.
    const total = goodStreamBytes().length - "0\r\n\r\n".length;
    const places = Array.from({ length: 40 }, (_, at) => Math.floor((at * total) / 40));
    const headBytes = goodStreamBytes().indexOf("\r\n\r\n") + 4;
    for (const place of [...places, 1, headBytes - 1, headBytes, headBytes + 1, total]) {
      for (const model of [`reset-at:${place}`, `close-at:${place}`]) {
        const ending = await endingOf(model);
        expect(`${model} ${ending}`).toBe(`${model} unavailable`);
      }
    }
  }, 20_000);

  async function endingOf(model: string): Promise<string> {
    try {
      await eventsOf(model, DEFAULT_SSE_BOUNDS);
      return "ended";
    } catch (error) {
      return error instanceof ProviderFailure ? error.kind : String(error);
    }
  }

  test("a line of 50 MB fails at the limit, and the connection is closed", async () => {
    const failure = await failureFrom(
      eventsOf("long-line", UNTIL_DONE, testFetch({ maxBodyBytes: 100 << 20 })),
    );
    expect(failure.kind).toBe("unavailable");
    expect(failure.detail.internal).toContain("an SSE line is longer");
    await upstream.closed();
  });

  test.each(["endless", "endless-comments"])("%s fails at the size limit of the body", async (model) => {
    const failure = await failureFrom(eventsOf(model, UNTIL_DONE, testFetch({ maxBodyBytes: 5_000 })));
    expect(failure.kind).toBe("unavailable");
    await upstream.closed();
  });

  test("silence after the headers fails at the first-byte timeout", async () => {
    const fetcher = testFetch({ timeouts: { ...PATIENT, firstByteMs: 50 } });
    expect((await failureFrom(eventsOf("headers-only", UNTIL_DONE, fetcher))).kind).toBe("timeout");
  });
});

describe("a reader that leaves", () => {
  test("closes the connection", async () => {
    for await (const _ of sseEvents(await open("endless"), UNTIL_DONE)) break;
    await upstream.closed();
  });

  test("by its signal gets the signal's reason", async () => {
    const controller = new AbortController();
    const gone = new Stopped("client_gone");
    const read = async () => {
      for await (const _ of sseEvents(await open("endless", testFetch(), controller.signal), UNTIL_DONE)) {
        controller.abort(gone);
      }
    };
    await expect(read()).rejects.toBe(gone);
    await upstream.closed();
  });
});

describe("the end marker of a stream", () => {
  /** Each text arrives as one network read; the stream stays open afterwards. */
  function answering(...pieces: readonly string[]) {
    let isClosed = false;
    const left = [...pieces];
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = left.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        return piece === undefined ? new Promise(() => {}) : undefined;
      },
      cancel() {
        isClosed = true;
      },
    });
    return { response: new Response(stream), isClosed: () => isClosed };
  }

  const read = async (pieces: readonly string[], options: SseOptions) => {
    const data: string[] = [];
    for await (const batch of sseEvents(answering(...pieces).response, options))
      data.push(...batch.map((event) => event.data));
    return data;
  };

  test.each([
    [["data: a\n\ndata: [DONE]\n\n"]],
    [["data: a\n\ndata: [DONE]\n\ndata: late\n\n"]],
    [["data: a\n\n", "data: [DONE]\n\ndata: late\n\ndata: later\n\n", "data: latest\n\n"]],
  ])("is the last event, whatever comes after it: %j", async (pieces) => {
    expect(await read(pieces, UNTIL_DONE)).toEqual(["a", "[DONE]"]);
  });

  test("may be the name of an event", async () => {
    const pieces = ["data: a\n\n", "event: stop\ndata: b\n\ndata: late\n\n"];
    expect(await read(pieces, { ...DEFAULT_SSE_BOUNDS, lastEvents: new Set(["stop"]) })).toEqual(["a", "b"]);
  });

  test("is not awaited after a line that is too long: the connection is closed", async () => {
    const { response, isClosed } = answering("data: a\n\n", `data: ${"a".repeat(200)}`);
    const events = sseEvents(response, { ...UNTIL_DONE, maxLineLength: 100 });
    expect((await events.next()).value).toHaveLength(1);
    expect((await failureFrom(events.next())).publicMessage).not.toContain("aaa");
    expect(isClosed()).toBe(true);
  });

  test("is not awaited either if events came with that line: they are yielded first", async () => {
    const { response, isClosed } = answering(`data: a\n\ndata: b\n\ndata: ${"a".repeat(200)}`);
    const events = sseEvents(response, { ...UNTIL_DONE, maxLineLength: 100 });
    expect((await events.next()).value).toHaveLength(2);
    expect((await failureFrom(events.next())).detail.internal).toContain("an SSE line is longer");
    expect(isClosed()).toBe(true);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  const tight = { ...UNTIL_DONE, maxLineLength: 100, maxEventLength: 150 };
  const long = `data: ${"a".repeat(90)}\n`;

  test("ends the stream even if a line or event that is too long follows it", async () => {
    expect(await read([`data: a\n\ndata: [DONE]\n\n${long.repeat(2)}`], tight)).toEqual(["a", "[DONE]"]);
    expect(await read([`data: a\n\ndata: [DONE]\n\n${"a".repeat(200)}`], tight)).toEqual(["a", "[DONE]"]);
  });

  test("is not assumed if the body ends in an event that is too long: it fails after earlier events", async () => {
    const ended = new Response(`data: a\n\n${long}${long.trimEnd()}`);
    const events = sseEvents(ended, tight);
    expect((await events.next()).value).toHaveLength(1);
    expect((await failureFrom(events.next())).detail.internal).toContain("an SSE event is longer");
  });

  test("is not awaited after the reader leaves: the connection is closed and no event follows", async () => {
    const { response, isClosed } = answering("data: a\n\n", "data: b\n\n");
    const events = sseEvents(response, UNTIL_DONE);
    await events.next();
    await events.return?.();
    expect(isClosed()).toBe(true);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});
