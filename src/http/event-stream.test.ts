import { expect, test } from "bun:test";
import { createEventStreams, type EventSource } from "./event-stream.ts";

test("a source whose reader left is asked no more, whatever it was about to say", async () => {
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
  // One turn of the loop, in which a pull that goes on would have asked.
  await Bun.sleep(0);
  expect(told).toEqual(["next", "ended", "leave"]);
  expect(streams.open).toBe(0);
});
