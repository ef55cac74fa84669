import type { SseEvent } from "../src/kit/index.ts";
import { createStreamDecoder } from "../src/providers/openai-wire/decode-stream.ts";
import { median, renderTable } from "./table.ts";

const CHUNKS = 100;
const STREAMS_PER_ROUND = 50;
const ROUNDS = 60;
const WARM_ROUNDS = 10;

const HEAD = {
  id: "chatcmpl-Bx7",
  object: "chat.completion.chunk",
  created: 1_750_000_000,
  model: "m-2026-01-01",
};
const STOP = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const CONTEXT = { n: 1, namedTool: false, namespace: "acme", cachesBeyondPrompt: false, secrets: [] };

type Delta = (at: number) => Readonly<Record<string, unknown>>;

/** What a chunk of a stream of 100 costs from its text to neutral events, beside one `JSON.parse` of it. */
export async function run(): Promise<void> {
  const rows = [
    row("text", (at) => ({ content: ` word${at}` })),
    row("text that needs escapes", (at) => ({ content: `\n"${at}"` })),
    row(
      "text, a random field in every chunk",
      (at) => ({ content: ` word${at}` }),
      () => ({ obfuscation: crypto.randomUUID() }),
    ),
    row("reasoning", (at) => ({ reasoning_content: ` word${at}` })),
    row("arguments of a tool call", (at) => ({
      tool_calls: [
        at === 0
          ? { index: 0, id: "c", function: { name: "f", arguments: "" } }
          : { index: 0, function: { arguments: `${at},` } },
      ],
    })),
  ];
  console.log(renderTable(["stream", "µs per chunk", "JSON.parse alone", "µs per stream"], rows));
}

function row(
  name: string,
  delta: Delta,
  more: () => Readonly<Record<string, unknown>> = () => ({}),
): string[] {
  const chunks = Array.from({ length: CHUNKS }, (_, at) => ({
    ...HEAD,
    choices: [{ index: 0, delta: delta(at), logprobs: null, finish_reason: null }],
    ...more(),
  }));
  const events = [...chunks, STOP].map(
    (chunk): SseEvent => ({ event: "message", data: JSON.stringify(chunk) }),
  );
  // One event a read, as a slow model sends them.
  const reads = events.map((event) => [event]);
  const decoding = microseconds(() => {
    const decoder = createStreamDecoder(CONTEXT);
    for (const read of reads) decoder.push(read);
    decoder.end();
  });
  const parsing = microseconds(() => {
    for (const { data } of events) JSON.parse(data);
  });
  return [
    name,
    (decoding / events.length).toFixed(2),
    (parsing / events.length).toFixed(2),
    decoding.toFixed(0),
  ];
}

/** Of one stream, in the median of many rounds. */
function microseconds(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = Bun.nanoseconds();
    for (let at = 0; at < STREAMS_PER_ROUND; at++) work();
    return (Bun.nanoseconds() - startedAt) / STREAMS_PER_ROUND / 1_000;
  });
  return median(times.slice(WARM_ROUNDS));
}
