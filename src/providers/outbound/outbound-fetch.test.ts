import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ANSWER_TEXT } from "../../../test/upstream/chat-wire.ts";
import {
  type MisbehavingUpstream,
  refusedBaseUrl,
  startMisbehavingUpstream,
} from "../../../test/upstream/misbehaving-upstream.ts";
import { chunked, headText, LAST_CHUNK, startRawServer } from "../../../test/upstream/raw-http.ts";
import { Stopped } from "../../kit/index.ts";
import { UnstartedFailure } from "./network-failure.ts";
import { discard, readJson, readText } from "./read-body.ts";
import { chatInit, failureFrom, never, PATIENT, testFetch } from "./testing.ts";

let upstream: MisbehavingUpstream;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
});
afterAll(() => upstream.close());

const MAX = 1 << 20;
const call = (model: string, fetcher = testFetch(), more = {}) =>
  fetcher(`${upstream.baseUrl}/chat/completions`, chatInit(model, { stream: false, ...more }));
const callAndRead = async (model: string, fetcher = testFetch(), more = {}) =>
  readJson(await call(model, fetcher, more), MAX);

describe("a call that goes well", () => {
  test("sends what it was given, asks for a plain body and reads the answer", async () => {
    const answer = await callAndRead("fine");
    expect(answer).toMatchObject({ choices: [{ message: { content: ANSWER_TEXT } }] });
    const received = upstream.received.at(-1);
    expect(received).toMatchObject({ method: "POST", path: "/v1/chat/completions", model: "fine" });
    expect(received?.headers).toMatchObject({ "accept-encoding": "identity", connection: "keep-alive" });
  });

  test("is made by the runtime's own client where the operator needs that, with the same end", async () => {
    const byRuntime = testFetch({ way: { proxies: null, byRuntime: true } });
    for (const [fetcher, agent] of [
      [testFetch(), /^Bursar$/],
      [byRuntime, /^Bun\//],
    ] as const) {
      expect(await callAndRead("fine", fetcher)).toMatchObject({ object: "chat.completion" });
      expect(upstream.received.at(-1)?.headers).toMatchObject({ "accept-encoding": "identity" });
      expect(upstream.received.at(-1)?.headers["user-agent"]).toMatch(agent);
      expect((await failureFrom(callAndRead("not-json", fetcher))).kind).toBe("unavailable");
    }
  });

  test("calls one after the other share a connection", async () => {
    await callAndRead("fine");
    const before = upstream.connections;
    for (let i = 0; i < 5; i++) await callAndRead("fine");
    expect(upstream.connections).toBe(before);
  });

  test("an answer that is compressed unasked is read all the same", async () => {
    expect(await callAndRead("gzip")).toMatchObject({ object: "chat.completion" });
  });

  test("an error status is an answer, for its caller to read", async () => {
    const response = await call("status:503");
    expect(response.status).toBe(503);
    expect(await readText(response, MAX)).toContain("Scripted failure");
  });

  test("an answer nobody wants closes its connection", async () => {
    const response = await call("endless");
    discard(response);
    await upstream.closed();
  });
});

describe("a provider that fails", () => {
  test("a refused connection is unavailable, and may be tried again", async () => {
    const refused = await failureFrom(testFetch()(`${await refusedBaseUrl()}/x?key=k`, chatInit("m")));
    expect(refused).toBeInstanceOf(UnstartedFailure);
    expect(refused.kind).toBe("unavailable");
    expect(refused.publicMessage).toBe("The model's provider could not be reached.");
    expect(refused.detail.internal).toContain("ECONNREFUSED");
    expect(refused.detail.internal).toMatch(/^127\.0\.0\.1:\d+(\/v1)?\/x: /);
  });

  test.each(["close", "reset", "garbage", "huge-headers"])(
    "%s before the headers is unavailable",
    async (model) => {
      const failure = await failureFrom(call(model));
      expect(failure.kind).toBe("unavailable");
      expect(failure.publicMessage).not.toContain("127.0.0.1");
    },
  );

  test.each([301, 302, 303, 307, 308])("a %i is not followed", async (status) => {
    const before = upstream.received.length;
    const failure = await failureFrom(call(`redirect:${status}`));
    expect(failure.kind).toBe("unavailable");
    expect(failure.detail.internal).toContain(`${status} to 127.0.0.1`);
    expect(upstream.received.length).toBe(before + 1);
  });

  test.each(["html", "empty-body", "not-json", "too-deep", "long-length", "short-length"])(
    "%s is not JSON, so unavailable",
    async (model) => {
      expect((await failureFrom(callAndRead(model))).kind).toBe("unavailable");
    },
  );

  test.each(["GZIP", "X-Gzip", " gzip ", "Identity", ""])(
    "%j names an encoding however it is written",
    async (name) => {
      const isPacked = /gzip/i.test(name);
      const body = isPacked ? Bun.gzipSync("hello") : "hello";
      expect(await readText(new Response(body, { headers: { "content-encoding": name } }), MAX)).toBe(
        "hello",
      );
    },
  );

  test("a body in an encoding we do not read is unavailable", async () => {
    const response = new Response("x", { headers: { "content-encoding": "compress" } });
    expect((await failureFrom(readText(response, MAX))).detail.internal).toContain(
      "content-encoding compress",
    );
  });
});

describe("bounds", () => {
  test("a body over the call's bound is cut, and its connection closed", async () => {
    const response = await call("endless", testFetch({ maxBodyBytes: 10_000 }));
    const failure = await failureFrom(readText(response, MAX));
    expect(failure).toMatchObject({
      kind: "unavailable",
      publicMessage: "The model's provider sent too much.",
    });
    await upstream.closed();
  });

  test("a body over the reader's bound is cut, and its connection closed", async () => {
    const failure = await failureFrom(call("endless").then((response) => readText(response, 10_000)));
    expect(failure.kind).toBe("unavailable");
    await upstream.closed();
  });

  test("a short length that is announced beside a body in pieces is not believed", async () => {
    const liar = await startRawServer(async ({ write, push }) => {
      write(headText(200, { "content-length": "7", "transfer-encoding": "chunked" }));
      const piece = chunked("x".repeat(64 << 10));
      for (let sent = 0; sent < 64 && (await push(piece)); sent++);
      write(LAST_CHUNK);
    });
    const response = await testFetch()(`http://127.0.0.1:${liar.port}/`, chatInit("m"));
    expect((await failureFrom(readText(response, MAX))).detail.internal).toContain("body over");
    await liar.close();
  });

  test("a compression bomb is unpacked only as far as the bound", async () => {
    // On the first call, the upstream creates the bomb, which takes memory in this same process.
    await failureFrom(callAndRead("gzip-bomb"));
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    const failure = await failureFrom(callAndRead("gzip-bomb"));
    expect(failure.detail.internal).toContain("body over");
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 << 20);
  });
});

describe("timeouts", () => {
  const firstByte = testFetch({ timeouts: { ...PATIENT, firstByteMs: 60 } });
  const idle = testFetch({ timeouts: { ...PATIENT, idleMs: 60 } });

  test.each(["silent", "slow-headers"])("%s ends at the first-byte time", async (model) => {
    const failure = await failureFrom(call(model, firstByte));
    expect(failure.kind).toBe("timeout");
    expect(failure.detail.internal).toContain("no byte for 60 ms");
    await upstream.closed();
  });

  test("answers that only announce another one put it off by nothing", async () => {
    const server = await startRawServer(async (side) => {
      while (!side.socket.destroyed) {
        side.write("HTTP/1.1 102 Processing\r\n\r\n");
        await Bun.sleep(5);
      }
    });
    const failure = await failureFrom(firstByte(`http://127.0.0.1:${server.port}/`, chatInit("announced")));
    expect(failure.kind).toBe("timeout");
    expect(failure.detail.internal).toContain("no byte for 60 ms");
    await server.close();
  });

  test("headers alone are no first byte", async () => {
    const failure = await failureFrom(
      call("headers-only", firstByte).then((response) => readText(response, MAX)),
    );
    expect(failure.detail.internal).toContain("no byte for 60 ms");
  });

  test.each([
    ["our own client", false],
    ["the runtime's", true],
  ])(
    "a body whose length was announced has all the time it needs while it comes, read by %s",
    async (_name, byRuntime) => {
      const server = await startRawServer(async (side) => {
        side.write(headText(200, { "content-length": "10" }));
        for (let sent = 0; sent < 10; sent++) {
          await Bun.sleep(40);
          side.write("x");
        }
      });
      const timeouts = { ...PATIENT, firstByteMs: 250, idleMs: 250 };
      const fetcher = testFetch({ timeouts, way: { proxies: null, byRuntime } });
      const response = await fetcher(`http://127.0.0.1:${server.port}/`, chatInit("slow"));
      expect(await readText(response, MAX)).toBe("xxxxxxxxxx");
      await server.close();
    },
  );

  test("silence in the body ends at the idle time", async () => {
    const failure = await failureFrom(call("stall", idle).then((response) => readText(response, MAX)));
    expect(failure.kind).toBe("timeout");
    expect(failure.detail.internal).toContain("silent for 60 ms");
    await upstream.closed();
  });

  test("a body that keeps coming is never idle, and a reader that pauses is not the provider's fault", async () => {
    const response = await call("chunks:12:10", testFetch({ timeouts: { ...PATIENT, idleMs: 90 } }));
    await Bun.sleep(95);
    expect(await readText(response, MAX)).toContain("word11");
  });
});

describe("the caller's signal", () => {
  const gone = new Stopped("client_gone");

  test("before the call: nothing is sent", async () => {
    const before = upstream.received.length;
    await expect(call("fine", testFetch(), { signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
    expect(upstream.received.length).toBe(before);
  });

  test("while nothing has come: its reason, untouched, and the connection is closed", async () => {
    const controller = new AbortController();
    const before = upstream.received.length;
    const work = call("silent", testFetch(), { signal: controller.signal });
    await upstream.arrived(before + 1);
    controller.abort(gone);
    await expect(work).rejects.toBe(gone);
    await upstream.closed();
  });

  test("in the body: its reason, untouched, for this read and every later one", async () => {
    const controller = new AbortController();
    const response = await call("endless", testFetch(), { signal: controller.signal });
    const work = readText(response, MAX);
    controller.abort(gone);
    await expect(work).rejects.toBe(gone);
    await expect(readText(response, MAX)).rejects.toBe(gone);
    await upstream.closed();
  });

  test("carries no listener of a call that has ended", async () => {
    const signal = never();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    for (const model of ["fine", "not-json", "close"])
      await callAndRead(model, testFetch(), { signal }).catch(() => {});
    expect(listeners).toBe(0);
  });
});
