import type { ChatEvent } from "../gateway/src/contract/index.ts";
import type { SseEvent } from "../gateway/src/kit/index.ts";
import { neutralReading, type Reading, wireReading } from "../gateway/src/providers/openai-wire/reading.ts";
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
const CONTEXT = {
  n: 1,
  namedTool: false,
  namespace: "acme",
  cachesBeyondPrompt: false,
  mostWithReasoning: 0,
  contentEndings: [],
  secrets: [],
};

type Delta = (at: number) => Readonly<Record<string, unknown>>;

/** The start of an outgoing frame: what the edge does with an event is part of what a chunk costs. */
const FRAME = 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",';

/** What a chunk of a stream of 100 costs from its text to the outgoing frame, compared with one `JSON.parse` of it. */
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
  console.log(
    renderTable(["stream", "neutral, µs per chunk", "wire, µs per chunk", "JSON.parse alone"], rows),
  );
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
  // One event per read, as a slow model sends them.
  const reads = events.map((event) => [event]);
  const neutral = microseconds(() => decode(neutralReading(CONTEXT), reads));
  const wire = microseconds(() => decode(wireReading(CONTEXT, { isFirstForm: false }), reads));
  const parsing = microseconds(() => {
    for (const { data } of events) JSON.parse(data);
  });
  return [name, ...[neutral, wire, parsing].map((cost) => (cost / events.length).toFixed(2))];
}

function decode(reading: Reading, reads: readonly (readonly SseEvent[])[]): void {
  const decoder = reading.stream();
  for (const read of reads) {
    for (const event of decoder.push(read))
      if (frameOf(event) === "") throw new Error("a frame is never empty");
  }
  decoder.end();
}

/** The shortest frame that the edge can make: a neutral event is one field written around its text. */
function frameOf(event: ChatEvent): string {
  if (event.type === "wire") return `${FRAME}${event.members}}\n\n`;
  const text = "text" in event ? JSON.stringify(event.text) : "null";
  return `${FRAME}"choices":[{"index":0,"delta":{"content":${text}},"logprobs":null,"finish_reason":null}]}\n\n`;
}

/** For one stream, as the median of many rounds. */
function microseconds(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = Bun.nanoseconds();
    for (let at = 0; at < STREAMS_PER_ROUND; at++) work();
    return (Bun.nanoseconds() - startedAt) / STREAMS_PER_ROUND / 1_000;
  });
  return median(times.slice(WARM_ROUNDS));
}
