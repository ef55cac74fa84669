import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { createEventStreams } from "../../gateway/src/http/event-stream.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { deltaFrame, STREAM_HEAD } from "../upstream/chat-wire.ts";
import { chunked, type RawServer, startRawServer } from "../upstream/raw-http.ts";
import { seeJson } from "./chat-client.ts";
import { expectEnding, expectQuiet, requestRow } from "./ending.ts";
import { type NodeProcess, startNode } from "./node-process.ts";
import { openRawReader } from "./raw-reader.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const TEST_LIMIT_MS = 30_000;
const MIB = 1024 * 1024;

describe("readers who stop reading", () => {
  const READERS = 12;
  const EVENT = `data: ${"x".repeat(MIB / 4)}\n\n`;
  /** The most that the two sockets of a connection can buffer, in events of a quarter of a mebibyte. */
  const MOST_ASKED = 64;

  test("hold the source back, and the stall limit cuts them all off", async () => {
    const streams = createEventStreams({ keepAliveMs: 60_000, stallMs: 90 });
    const asked = Array.from({ length: READERS }, () => 0);
    let left = 0;
    const allEnded = Promise.withResolvers<void>();
    let ended = 0;
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      development: false,
      fetch({ url }) {
        const at = Number(new URL(url).pathname.slice(1));
        const next = async () => {
          asked[at] = (asked[at] ?? 0) + 1;
          return [EVENT];
        };
        return streams.respond(url, { next, leave: () => void left++ }, () => {
          if (++ended === READERS) allEnded.resolve();
        });
      },
    });
    const replies = await Promise.all(asked.map((_, at) => fetchAndStop(new URL(`/${at}`, server.url))));
    await allEnded.promise;
    expect([left, streams.open]).toEqual([READERS, 0]);
    expect(Math.max(...asked)).toBeLessThan(MOST_ASKED);
    for (const reply of replies) expect(await reply.rest()).toBe("cut off");
    await server.stop(true);
  });
});

/** Reads the head of a reply and stops; `rest` reads on, to its end or to where it was cut off. */
async function fetchAndStop({ hostname, port, pathname }: URL) {
  const socket = connect(Number(port), hostname);
  const over = Promise.withResolvers<"ended" | "cut off">();
  const stopped = Promise.withResolvers<void>();
  socket.on("error", () => over.resolve("cut off"));
  socket.on("close", () => over.resolve("cut off"));
  socket.on("data", (bytes) => {
    if (bytes.subarray(-5).toString() === "0\r\n\r\n") over.resolve("ended");
    stopped.resolve();
  });
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  await stopped.promise;
  socket.pause();
  return {
    rest() {
      socket.resume();
      return over.promise.finally(() => socket.destroy());
    },
  };
}

describe("readers who stop reading a flood", () => {
  const READERS = 6;
  const CREDITS = 1_000;
  const FRAME = chunked(deltaFrame({ content: "flood ".repeat(2_000) }));
  const MOST_SENT_BYTES = 128 * MIB;
  /** The most that two sockets can buffer; the gateway itself keeps only what it delivered. */
  const HELD_BACK_BYTES = 32 * MIB;

  let sentBytes: number[] = [];
  let upstream: RawServer;
  let settings: SettingsFile;
  let gateway: TestGateway;
  let node: NodeProcess;
  beforeAll(async () => {
    upstream = await startRawServer(async (exchange) => {
      const at = sentBytes.push(0) - 1;
      exchange.write(STREAM_HEAD);
      for (let bytes = 0; bytes < MOST_SENT_BYTES; bytes += FRAME.length) {
        if (!(await exchange.push(FRAME))) return;
        sentBytes[at] = bytes;
      }
    });
    settings = writeSettings(floodSettings(upstream.port));
    gateway = await startTestGateway();
    node = await startNode(gateway.database.db.url, settings.environment);
  });
  afterAll(async () => {
    await node.remove();
    await gateway.close();
    await upstream.close();
    settings.remove();
  });

  test(
    "hold the upstream back, and are cut off and charged for what was delivered",
    async () => {
      sentBytes = [];
      const { db } = gateway.database;
      const own = await gateway.found({ credits: CREDITS });
      const readers = await Promise.all(
        Array.from({ length: READERS }, () =>
          openRawReader({ origin: node.origin, of: own, model: "flood", content: "hello" }),
        ),
      );
      await Promise.all(readers.map((reader) => reader.readUntil("event: content")));
      await rowsOf(readers.map((reader) => reader.requestId()));
      for (const bytes of sentBytes) expect(bytes).toBeLessThan(HELD_BACK_BYTES);
      expect(await residentBytes(node.pid)).toBeLessThan(512 * MIB);
      for (const reader of readers) {
        const row = await requestRow(db, reader.requestId());
        expect([row?.status, row?.charged]).toEqual(["cancelled", 1]);
        expect(row?.output_tokens).toBeGreaterThan(0);
        reader.hangUp();
      }
      await expectQuiet(db, own.id, CREDITS - READERS);
    },
    TEST_LIMIT_MS,
  );

  test("do not delay other calls, and cost nothing if cut by a shutdown", async () => {
    sentBytes = [];
    const unhurried = writeSettings({ ...floodSettings(upstream.port), timeouts: {} });
    const patient = await startTestGateway(unhurried.environment);
    try {
      const own = await patient.found({ credits: CREDITS });
      const call = { origin: patient.origin, of: own, model: "flood", content: "hello" };
      const reader = await openRawReader(call);
      await reader.readUntil("event: content");
      for (let seen = -1; seen !== sentBytes[0]; await Bun.sleep(50)) seen = sentBytes[0] ?? 0;
      const other = await patient.found({ credits: CREDITS });
      expect((await seeJson({ origin: patient.origin, of: other, content: "hello" })).status).toBe(200);
      expect(patient.services.running.count).toBeGreaterThan(0);
      patient.services.running.stopAll("shutdown");
      reader.hangUp();
      await patient.services.running.idle();
      const ended = { orgId: own.id, requestId: reader.requestId(), creditsBefore: CREDITS };
      await expectEnding(patient.database.db, ended, {
        status: "failed",
        charged: 0,
        errorCode: "internal_error",
      });
    } finally {
      await patient.close();
      unhurried.remove();
    }
  });

  async function rowsOf(requestIds: readonly string[]): Promise<void> {
    for (const id of requestIds) {
      while ((await requestRow(gateway.database.db, id)) === null) await Bun.sleep(20);
    }
  }
});

function floodSettings(upstreamPort: number): object {
  return {
    providers: { acme: { kind: "openai-wire", base_url: `http://127.0.0.1:${upstreamPort}/v1` } },
    models: [
      {
        id: "flood",
        name: "Flood",
        type: "text",
        targets: [{ provider: "acme", model: "flood" }],
        credits_per_request: 1,
        limits: { context_tokens: 10_000_000, max_output_tokens: 10_000_000 },
      },
    ],
    timeouts: { reader_stall_ms: 400 },
  };
}

/** 0 if the system does not report it. */
async function residentBytes(pid: number): Promise<number> {
  const status = Bun.file(`/proc/${pid}/status`);
  if (!(await status.exists())) return 0;
  return Number(/VmRSS:\s+(\d+) kB/.exec(await status.text())?.[1] ?? 0) * 1024;
}
