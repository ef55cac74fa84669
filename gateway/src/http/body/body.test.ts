import { describe, expect, test } from "bun:test";
import { createBodyReader, type Reading } from "./body.ts";
import type { FairQueue } from "./fair-queue.ts";

const KIB = 1024;
const OPTIONS = { bigBodyBytes: 64 * KIB, bigBodiesAtOnce: 4, bigBodiesOfOne: 2, timeoutMs: 60_000 };
const LARGE = 100 * KIB;

type Sent = { readonly request: Request; say(bytes: number): void; end(): void };

/** A body that arrives as the test says; `announced` is its Content-Length, null for a chunked body. */
function sending(announced: number | null): Sent {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const headers = new Headers(announced === null ? [] : [["content-length", String(announced)]]);
  return {
    request: new Request("http://edge.test/", { method: "POST", body: readable, headers }),
    say: (bytes) => void writer.write(new Uint8Array(bytes)).catch(() => {}),
    end: () => void writer.close().catch(() => {}),
  };
}

const reading = (owner: string): Reading<number> => ({
  owner,
  limitBytes: 1024 * KIB,
  use: (bytes) => bytes.byteLength,
});

function whole(announced: number): Request {
  const sent = sending(announced);
  sent.say(announced);
  sent.end();
  return sent.request;
}

describe("large bodies", () => {
  test("that never end do not block those of another sender, and are 503 beyond their sender's share", async () => {
    const bodies = createBodyReader(OPTIONS);
    const refused: unknown[] = [];
    for (let at = 0; at < 40; at++) {
      void bodies.read(sending(LARGE).request, reading("greedy")).catch((error) => refused.push(error));
    }
    expect(await bodies.read(whole(LARGE), reading("other"))).toBe(LARGE);
    expect(refused).toHaveLength(40 - 2 - 32);
    expect(refused[0]).toMatchObject({ status: 503, options: { retryAfterSeconds: 2 } });
  });

  test.each([
    ["of known length", LARGE, 1],
    ["in chunks", null, 65 * KIB],
  ])("%s that stop arriving are 408 after the grace period", async (_, announced, said) => {
    const bodies = createBodyReader({ ...OPTIONS, graceMs: 20 });
    const sent = sending(announced);
    sent.say(said);
    await expect(bodies.read(sent.request, reading("slow"))).rejects.toMatchObject({ status: 408 });
  });

  test("that arrive slowly, but fast enough, are read", async () => {
    const bodies = createBodyReader({ ...OPTIONS, graceMs: 40 });
    const sent = sending(LARGE);
    const arrived = bodies.read(sent.request, reading("slow"));
    for (let at = 0; at < 20; at++) {
      sent.say(LARGE / 20);
      await Bun.sleep(4);
    }
    sent.end();
    expect(await arrived).toBe(LARGE);
  });
});

describe("medium-sized bodies", () => {
  const MIDDLING = 1024 * KIB;
  const wide = { ...OPTIONS, bigBodyBytes: MIDDLING };

  test.each([
    ["of known length", MIDDLING],
    ["in chunks", null],
  ])(
    "%s that do not end are 503 beyond what one sender may have in progress, until they end",
    async (_, announced) => {
      const bodies = createBodyReader(wide);
      const refused: unknown[] = [];
      const sent = Array.from({ length: 150 }, () => sending(announced));
      const read = sent.map(({ request, say }) => {
        say(65 * KIB);
        return bodies.read(request, reading("greedy")).catch((error) => refused.push(error));
      });
      expect(await bodies.read(whole(MIDDLING), reading("other"))).toBe(MIDDLING);
      // One sender may have at most two thirds of the 192 in progress, less the other's one if that came first.
      expect(refused.length).toBeWithin(150 - 128, 150 - 126);
      expect(refused[0]).toMatchObject({ status: 503, options: { retryAfterSeconds: 2 } });
      // Bodies that have ended, in whatever way, no longer count.
      for (const { end } of sent) end();
      await Promise.all(read);
      expect(await bodies.read(whole(MIDDLING), reading("greedy"))).toBe(MIDDLING);
    },
  );

  test("are read up to two thirds of the free places for each sender", async () => {
    const bodies = createBodyReader(wide);
    const refusedOf = { first: 0, second: 0, third: 0 };
    const sent: Sent[] = [];
    const begin = (owner: keyof typeof refusedOf, count: number) => {
      for (let at = 0; at < count; at++) {
        const each = sending(MIDDLING);
        sent.push(each);
        bodies.read(each.request, reading(owner)).catch(() => {
          refusedOf[owner] += 1;
        });
      }
    };
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    begin("first", 120);
    begin("second", 60);
    begin("third", 60);
    await settled();
    // 192 in all: the first took 120, and each later one gets at most two thirds of what is left.
    expect(refusedOf).toEqual({ first: 0, second: 60 - 48, third: 60 - 16 });
    for (const { end } of sent) end();
  });

  test("that have not ended do not block small bodies of the same sender", async () => {
    const bodies = createBodyReader(wide);
    const sent = Array.from({ length: 64 }, () => sending(MIDDLING));
    const read = sent.map(({ request }) => bodies.read(request, reading("greedy")).catch(() => {}));
    expect(await bodies.read(whole(64 * KIB), reading("greedy"))).toBe(64 * KIB);
    for (const { end } of sent) end();
    await Promise.all(read);
  });
});

test.each([
  ["of known length", 20 * KIB],
  ["in chunks", null],
])(
  "a sender whose calls are expensive waits for its turn with bodies of 20 KiB, but not of 8 KiB: %s",
  async (_, announced) => {
    const asked: string[] = [];
    const queue: FairQueue = {
      take: async (owner) => void asked.push(owner),
      again: async () => {},
      mustWait: (owner) => owner === "dear",
      spent: () => {},
      refused: () => {},
    };
    const bodies = createBodyReader({ ...OPTIONS, queue });
    const read = (owner: string, bytes: number) => {
      const sent = sending(announced === null ? null : bytes);
      sent.say(bytes);
      sent.end();
      return bodies.read(sent.request, reading(owner));
    };
    expect(await read("cheap", 20 * KIB)).toBe(20 * KIB);
    expect(await read("dear", 8 * KIB)).toBe(8 * KIB);
    expect(asked).toEqual([]);
    expect(await read("dear", 20 * KIB)).toBe(20 * KIB);
    expect(asked).toEqual(["dear"]);
  },
);
