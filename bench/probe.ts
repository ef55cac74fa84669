import type { BenchGateway } from "./gateway.ts";
import { percentile } from "./table.ts";

export type ProbeFigures = {
  readonly json: Times;
  readonly stream: Times;
  /** Calls that were not answered successfully. */
  readonly failed: number;
};
type Times = { readonly p50Ms: number; readonly p99Ms: number };

const EVERY_MS = 10;

/** What a caller beside the load notices: short calls at a steady pace, in both forms, even if the last is not back. */
export async function probe({ origin, key }: BenchGateway, seconds: number): Promise<ProbeFigures> {
  const times: { json: number[]; stream: number[] } = { json: [], stream: [] };
  const failures: unknown[] = [];
  const calls: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let at = 0; at * EVERY_MS < seconds * 1000; at++) {
    const dueMs = startedMs + at * EVERY_MS;
    if (dueMs > performance.now()) await Bun.sleep(dueMs - performance.now());
    const form = at % 2 === 0 ? "json" : "stream";
    const answered = ask(origin, key, form === "stream").then(
      // Timed from when it was due: a call that had to wait for a busy prober has waited, too.
      () => void times[form].push(performance.now() - dueMs),
      (error: unknown) => void failures.push(error),
    );
    calls.push(answered);
  }
  await Promise.all(calls);
  if (failures.length > 0) console.error(`${failures.length} calls failed, the first with ${failures[0]}`);
  return { json: timesOf(times.json), stream: timesOf(times.stream), failed: failures.length };
}

async function ask(origin: string, key: string, stream: boolean): Promise<void> {
  const response = await fetch(`${origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", stream, messages: [{ role: "user", content: "hello" }] }),
  });
  const text = await response.text();
  const isWhole = response.status === 200 && (!stream || text.includes("event: done"));
  if (!isWhole) throw new Error(`${response.status}: ${text}`);
}

function timesOf(times: number[]): Times {
  times.sort((a, b) => a - b);
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}
