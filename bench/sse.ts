import { createSseParser } from "../gateway/src/kit/index.ts";
import { median, renderTable } from "./table.ts";

const EVENTS = 10_000;
const ROUNDS = 30;
const SMALL = (at: number) =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1750000000,"model":"m","choices":[{"index":0,"delta":{"content":"word${at} "},"finish_reason":null}]}\n\n`;
const LARGE = (at: number) => `data: {"text":"${"x".repeat(4_000)}${at}"}\n\n`;
const WIDE = (at: number) => `data: {"text":"日本語のテキスト ${at} 🙂"}\n\n`;

/** What the SSE parser costs, by the shape of the stream and by how the network cuts it. */
export async function run(): Promise<void> {
  const rows = [
    row("small, one event a read", SMALL, { eventsPerRead: 1 }),
    row("small, ten events a read", SMALL, { eventsPerRead: 10 }),
    row("small, CRLF", (at) => SMALL(at).replaceAll("\n", "\r\n"), { eventsPerRead: 1 }),
    row("small, cut every 7 bytes", SMALL, { readBytes: 7 }),
    row("not ASCII, one event a read", WIDE, { eventsPerRead: 1 }),
    row("4 KB, one event a read", LARGE, { eventsPerRead: 1 }),
  ];
  console.log(renderTable(["stream", "µs per event", "MB/s"], rows));
}

function row(
  name: string,
  event: (at: number) => string,
  cut: { eventsPerRead?: number; readBytes?: number },
): string[] {
  const reads = readsOf(event, cut);
  const sizeBytes = reads.reduce((sum, read) => sum + read.byteLength, 0);
  const times = Array.from({ length: ROUNDS }, () => timeMs(reads));
  const tookMs = median(times.slice(5));
  return [name, ((tookMs * 1_000) / EVENTS).toFixed(2), (sizeBytes / 1e6 / (tookMs / 1_000)).toFixed(0)];
}

function readsOf(
  event: (at: number) => string,
  cut: { eventsPerRead?: number; readBytes?: number },
): Uint8Array[] {
  const encoder = new TextEncoder();
  const events = Array.from({ length: EVENTS }, (_, at) => event(at));
  const size = cut.eventsPerRead ?? EVENTS;
  const groups = Array.from({ length: Math.ceil(EVENTS / size) }, (_, at) =>
    encoder.encode(events.slice(at * size, (at + 1) * size).join("")),
  );
  const { readBytes } = cut;
  if (readBytes === undefined) return groups;
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / readBytes) }, (_, at) =>
      group.subarray(at * readBytes, (at + 1) * readBytes),
    ),
  );
}

function timeMs(reads: readonly Uint8Array[]): number {
  const parser = createSseParser();
  let count = 0;
  const startedMs = performance.now();
  for (const read of reads) count += parser.push(read).length;
  const tookMs = performance.now() - startedMs;
  if (count !== EVENTS) throw new Error(`${count} events of ${EVENTS}`);
  return tookMs;
}
