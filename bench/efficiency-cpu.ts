import { type CompactionLevel, compact } from "../compaction/src/index.ts";
import type { ChatMessage } from "../gateway/src/contract/index.ts";
import { percentile } from "./table.ts";

/** Beginnings of conversations of about these sizes are timed. */
const SIZES_KB = [1, 10, 100, 200] as const;

/** How far from the size a beginning may be. */
const TOLERANCE = 0.25;
/** The best of this many runs is what the work costs; the others were disturbed. */
const RUNS = 40;
/** Rounds over all conversations before any is timed, as in a process that has run for a while. */
const WARM_UPS = 5;

type Timing = { readonly p50Ms: number; readonly p99Ms: number };

export type SizeRow = {
  readonly sizeKb: number;
  readonly conversations: number;
  readonly off: Timing;
  readonly safe: Timing;
  readonly structural: Timing;
};

export function timeSizes(conversations: readonly (readonly ChatMessage[])[]): SizeRow[] {
  return SIZES_KB.map((sizeKb) => {
    const beginnings = conversations.flatMap((messages) => cutAt(messages, sizeKb * 1000) ?? []);
    const time = (level: CompactionLevel) => timeLevel(beginnings, level);
    return {
      sizeKb,
      conversations: beginnings.length,
      off: time("off"),
      safe: time("safe"),
      structural: time("structural"),
    };
  });
}

/** The beginning with the nearest size, in its own array; null if none is near enough. */
function cutAt(messages: readonly ChatMessage[], size: number): [ChatMessage[]] | null {
  let total = 0;
  let end = 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (const [at, message] of messages.entries()) {
    total += sizeOf(message);
    if (Math.abs(total - size) > nearest) break;
    nearest = Math.abs(total - size);
    end = at + 1;
  }
  return nearest > size * TOLERANCE ? null : [messages.slice(0, end)];
}

function sizeOf(message: ChatMessage): number {
  const text = typeof message.content === "string" ? message.content.length : 0;
  if (message.role !== "assistant") return text;
  return (message.toolCalls ?? []).reduce(
    (size, call) => size + call.name.length + call.arguments.length,
    text,
  );
}

function timeLevel(conversations: readonly (readonly ChatMessage[])[], level: CompactionLevel): Timing {
  for (let round = 0; round < WARM_UPS; round++) {
    for (const messages of conversations) compact(messages, { level, references: true });
  }
  const timesMs = conversations.map((messages) => bestMs(messages, level)).sort((a, b) => a - b);
  return { p50Ms: percentile(timesMs, 0.5), p99Ms: percentile(timesMs, 0.99) };
}

function bestMs(messages: readonly ChatMessage[], level: CompactionLevel): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const startedAt = Bun.nanoseconds();
    compact(messages, { level, references: true });
    best = Math.min(best, (Bun.nanoseconds() - startedAt) / 1e6);
  }
  return best;
}
