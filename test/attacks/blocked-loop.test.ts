import { afterAll, expect, test } from "bun:test";
import { startTestGateway } from "../harness.ts";
import { MOST_BLOCKED_MS, watchLoop } from "./fuzz/loop-watch.ts";
import { HEAVY_BODIES } from "./heavy-bodies.ts";

const gateway = await startTestGateway({}, { runsVideoJobs: false });
const own = await gateway.found({ credits: 1_000_000 });
afterAll(() => gateway.close());

/**
 * The body is the same each time, but a worker that has run hundreds of test files may be collecting garbage at that
 * moment.
 */
const MOST_TRIES = 5;

test.each(HEAVY_BODIES.map((heavy) => [heavy.name, heavy] as const))(
  "%s does not block the event loop",
  async (_, heavy) => {
    let leastMs = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < MOST_TRIES && leastMs >= MOST_BLOCKED_MS; tries++)
      leastMs = Math.min(leastMs, await blockedBy(heavy));
    expect(leastMs).toBeLessThan(MOST_BLOCKED_MS);
  },
  60_000,
);

async function blockedBy({ path, says, make }: (typeof HEAVY_BODIES)[number]): Promise<number> {
  const body = make();
  const loop = watchLoop();
  const response = await fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) as Uint8Array<ArrayBuffer>,
  });
  const text = await response.text();
  loop.stop();
  if (says === null) expect([200, 400], text.slice(0, 200)).toContain(response.status);
  else
    expect([response.status, text.includes(`"message":"${says}`)], text.slice(0, 200)).toEqual([400, true]);
  return loop.longestMs;
}
