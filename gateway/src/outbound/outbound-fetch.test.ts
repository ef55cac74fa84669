import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ANSWER_TEXT } from "../../../test/upstream/chat-wire.ts";
import {
  type MisbehavingUpstream,
  refusedBaseUrl,
  startMisbehavingUpstream,
} from "../../../test/upstream/misbehaving-upstream.ts";
import { chunked, headText, LAST_CHUNK, startRawServer } from "../../../test/upstream/raw-http.ts";
import { Stopped } from "../kit/index.ts";
import { UnstartedFailure } from "./failures/network-failure.ts";
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

describe("a successful call", () => {
  test("sends its request, asks for an uncompressed body and reads the answer", async () => {
    const answer = await callAndRead("fine");
    expect(answer).toMatchObject({ choices: [{ message: { content: ANSWER_TEXT } }] });
    const received = upstream.received.at(-1);
    expect(received).toMatchObject({ method: "POST", path: "/v1/chat/completions", model: "fine" });
    expect(received?.headers).toMatchObject({ "accept-encoding": "identity", connection: "keep-alive" });
  });

  test("is made by the runtime's own client if configured, with the same outcome", async () => {
    const byRuntime = testFetch({ way: { proxies: null, byRuntime: true } });
    for (const [fetcher, agent] of [
      [testFetch(), /^Bursar$/],
      [byRuntime, /^Bun\//],
    ] as const) {
      expect(await callAndRead("fine", fetcher)).toMatchObject({ object: "chat.completion" });
      expect(upstream.received.at(-1)?.headers).toMatchObject({ "accept-encoding": "identity" });
      expect(upstream.received.at(-1)?.headers["user-agent"]).toMatch(agent);
      expect((await failureFrom(callAndRead("not-json", fetcher))).kind).toBe("unavailable");
      const { body, ...init } = chatInit("fine", { stream: false });
      const pieces = [body.slice(0, 9), Buffer.from(body.slice(9))];
      await readJson(await fetcher(`${upstream.baseUrl}/chat/completions`, { ...init, body: pieces }), MAX);
      expect(upstream.received.at(-1)?.model).toBe("fine");
      expect(upstream.received.at(-1)?.headers).toMatchObject({
        "content-type": "application/json",
        "content-length": String(body.length),
      });
    }
  });

  test("shares its connection with the calls after it", async () => {
    await callAndRead("fine");
    const before = upstream.connections;
    for (let i = 0; i < 5; i++) await callAndRead("fine");
    expect(upstream.connections).toBe(before);
  });

  test("decodes an answer that is compressed unasked", async () => {
    expect(await callAndRead("gzip")).toMatchObject({ object: "chat.completion" });
  });

  test("returns an error status with its body", async () => {
    const response = await call("status:503");
    expect(response.status).toBe(503);
    expect(await readText(response, MAX)).toContain("Scripted failure");
  });

  test("closes its connection if the answer is discarded", async () => {
    const response = await call("endless");
    discard(response);
    await upstream.closed();
  });
});

describe("a provider that fails", () => {
  test("a refused connection is unavailable, and may be retried", async () => {
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

  test.each([301, 302, 303, 307, 308])("a %i redirect is not followed", async (status) => {
    const before = upstream.received.length;
    const failure = await failureFrom(call(`redirect:${status}`));
    expect(failure.kind).toBe("unavailable");
    expect(failure.detail.internal).toContain(`${status} to 127.0.0.1`);
    expect(upstream.received.length).toBe(before + 1);
  });

  test.each(["html", "empty-body", "not-json", "too-deep", "long-length", "short-length"])(
    "an answer that cannot be read as JSON is unavailable: %s",
    async (model) => {
      expect((await failureFrom(callAndRead(model))).kind).toBe("unavailable");
    },
  );

  test.each(["GZIP", "X-Gzip", " gzip ", "Identity", ""])(
    "content-encoding %j is recognized however it is written",
    async (name) => {
      const isPacked = /gzip/i.test(name);
      const body = isPacked ? Bun.gzipSync("hello") : "hello";
      expect(await readText(new Response(body, { headers: { "content-encoding": name } }), MAX)).toBe(
        "hello",
      );
    },
  );

  test("a body in an unsupported encoding fails, and the log names the encoding", async () => {
    const response = new Response("x", { headers: { "content-encoding": "compress" } });
    expect((await failureFrom(readText(response, MAX))).detail.internal).toContain(
      "content-encoding compress",
    );
  });
});

describe("size limits", () => {
  test("a body over the call's limit fails, and its connection is closed", async () => {
    const response = await call("endless", testFetch({ maxBodyBytes: 10_000 }));
    const failure = await failureFrom(readText(response, MAX));
    expect(failure).toMatchObject({
      kind: "unavailable",
      publicMessage: "The model's provider sent too much.",
    });
    await upstream.closed();
  });

  test("a body over the reader's limit fails, and its connection is closed", async () => {
    const failure = await failureFrom(call("endless").then((response) => readText(response, 10_000)));
    expect(failure.kind).toBe("unavailable");
    await upstream.closed();
  });

  test("a short content-length beside a chunked body does not bypass the limit", async () => {
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

  test("a compression bomb is unpacked only up to the limit", async () => {
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

  test.each(["silent", "slow-headers"])("%s ends at the first-byte timeout", async (model) => {
    const failure = await failureFrom(call(model, firstByte));
    expect(failure.kind).toBe("timeout");
    expect(failure.detail.internal).toContain("no byte for 60 ms");
    await upstream.closed();
  });

  test("informational responses do not extend the first-byte timeout", async () => {
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

  test("headers alone do not count as the first byte", async () => {
    const failure = await failureFrom(
      call("headers-only", firstByte).then((response) => readText(response, MAX)),
    );
    expect(failure.detail.internal).toContain("no byte for 60 ms");
  });

  test.each([
    ["our own client", false],
    ["the runtime's", true],
  ])(
    "a body with a length may take longer than the timeouts while bytes arrive, read by %s",
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

  test("a silent body ends at the idle timeout", async () => {
    const failure = await failureFrom(call("stall", idle).then((response) => readText(response, MAX)));
    expect(failure.kind).toBe("timeout");
    expect(failure.detail.internal).toContain("silent for 60 ms");
    expect(failure.detail.reason).toBe("provider_error");
    await upstream.closed();
  });

  test("a body that keeps arriving is not idle, even if its reader pauses", async () => {
    const response = await call("chunks:12:10", testFetch({ timeouts: { ...PATIENT, idleMs: 90 } }));
    await Bun.sleep(95);
    expect(await readText(response, MAX)).toContain("word11");
  });
});

describe("the caller's signal", () => {
  const gone = new Stopped("client_gone");

  test("aborted before the call: nothing is sent", async () => {
    const before = upstream.received.length;
    await expect(call("fine", testFetch(), { signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
    expect(upstream.received.length).toBe(before);
  });

  test("aborted before the answer: the call rejects with its reason, and the connection is closed", async () => {
    const controller = new AbortController();
    const before = upstream.received.length;
    const work = call("silent", testFetch(), { signal: controller.signal });
    await upstream.arrived(before + 1);
    controller.abort(gone);
    await expect(work).rejects.toBe(gone);
    await upstream.closed();
  });

  test("aborted in the body: this read and later ones reject with its reason", async () => {
    const controller = new AbortController();
    const response = await call("endless", testFetch(), { signal: controller.signal });
    const work = readText(response, MAX);
    controller.abort(gone);
    await expect(work).rejects.toBe(gone);
    await expect(readText(response, MAX)).rejects.toBe(gone);
    await upstream.closed();
  });

  test("keeps no listener of a call that has ended", async () => {
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
