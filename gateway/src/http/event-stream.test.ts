import { expect, test } from "bun:test";
import { connect } from "node:net";
import { createEventStreams, type EventSource } from "./event-stream.ts";

test("after its reader has left, a source is not asked for events again", async () => {
  const asked = Promise.withResolvers<void>();
  const coming = Promise.withResolvers<readonly string[]>();
  const told: string[] = [];
  const source: EventSource = {
    next() {
      told.push("next");
      asked.resolve();
      return told.length === 1 ? coming.promise : Promise.resolve(null);
    },
    leave: () => void told.push("leave"),
  };
  const streams = createEventStreams({ keepAliveMs: 60_000, stallMs: 60_000 });
  const reader = streams.respond("r", source, () => void told.push("ended")).body?.getReader();
  const reading = reader?.read();
  await asked.promise;
  await reader?.cancel();
  coming.resolve([]);
  expect((await reading)?.done).toBe(true);
  // One turn of the loop, in which a pull that continued would have asked again.
  await Bun.sleep(0);
  expect(told).toEqual(["next", "ended", "leave"]);
  expect(streams.open).toBe(0);
});

test("events that are ready are sent in one piece with the response head", async () => {
  const streams = createEventStreams({ keepAliveMs: 60_000, stallMs: 60_000 });
  const silence = Promise.withResolvers<null>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch() {
      // Like every call that waits for its hold: an immediate answer comes in one piece anyway.
      await Bun.sleep(1);
      let isFirst = true;
      const next = () => {
        if (!isFirst) return silence.promise;
        isFirst = false;
        return ["data: first\n\n"];
      };
      return streams.respond("r", { next, leave() {} }, () => {});
    },
  });
  const socket = connect(Number(server.port), server.hostname);
  const first = Promise.withResolvers<string>();
  socket.on("data", (bytes) => first.resolve(bytes.toString()));
  socket.write("GET / HTTP/1.1\r\nhost: bursar\r\n\r\n");
  expect(await first.promise).toContain("data: first\n\n");
  silence.resolve(null);
  socket.destroy();
  await server.stop(true);
});

test("a stream pauses between its second and third request for events", async () => {
  const askedMs: number[] = [];
  const source: EventSource = {
    next() {
      askedMs.push(performance.now());
      return askedMs.length === 4 ? null : [`data: ${askedMs.length}\n\n`];
    },
    leave() {},
  };
  const streams = createEventStreams({ keepAliveMs: 60_000, stallMs: 60_000 });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => streams.respond("r", source, () => {}),
  });
  const told = await (await fetch(server.url)).text();
  await server.stop(true);
  expect(told).toBe("data: 1\n\ndata: 2\n\ndata: 3\n\n");
  const [, second = 0, third = 0] = askedMs;
  expect(third - second).toBeGreaterThanOrEqual(0.9);
});
