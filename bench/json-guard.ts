/**
 * `npm run bench json-guard`: what the guards of `gateway/src/http/body/json-guard.ts` cost, compared with one `JSON.parse`.
 */
import { readJson } from "../gateway/src/http/body/json-testing.ts";

const WORDS = "The quick brown fox jumps over the lazy dog and runs away. ";

function chat(messages: number, chars: number): string {
  const content = WORDS.repeat(Math.ceil(chars / WORDS.length)).slice(0, chars);
  return JSON.stringify({
    model: "sandbox-chat",
    messages: Array.from({ length: messages }, (_, i) => ({ role: i % 2 ? "assistant" : "user", content })),
    stream: false,
    max_tokens: 256,
  });
}

const code = Array.from(
  { length: 300 },
  (_, i) =>
    `  const value${i} = "text ${i}";\n\tif (value${i} !== "x\\n") { call(value${i}, 'y'); } // "quoted"\n`,
).join("");

const BODIES: Record<string, string> = {
  "a. chat, 2 KB": chat(6, 300),
  "b. chat of long strings, 100 KB": chat(10, 10_000),
  "c. tiny objects, 1 MB": JSON.stringify({
    items: Array.from({ length: 32_000 }, (_, i) => ({ a: i, b: "x", c: [1, true] })),
  }),
  "d. escaped code, 60 KB": JSON.stringify({
    messages: [
      { role: "user", content: code },
      { role: "user", content: code },
    ],
  }),
  "e. not ASCII, 95 KB": JSON.stringify({
    messages: [{ role: "user", content: "Ünïcödé 漢字 ".repeat(5000) }],
  }),
};

/**
 * The best of many short rounds, taken in turns: what each costs when nothing else runs. A busy moment of the machine
 * affects all of them alike.
 */
function bestMicroseconds<Name extends string>(
  works: Record<Name, () => unknown>,
  runs: number,
): Record<Name, number> {
  const names = Object.keys(works) as Name[];
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<
    Name,
    number
  >;
  for (let round = 0; round < 300; round++) {
    for (const name of names) {
      const work = works[name];
      const startedAt = Bun.nanoseconds();
      for (let i = 0; i < runs; i++) work();
      best[name] = Math.min(best[name], (Bun.nanoseconds() - startedAt) / runs / 1000);
    }
  }
  return best;
}

const MAX_DEPTH = 64;
const decoder = new TextDecoder();

function measure(body: string) {
  const bytes = new TextEncoder().encode(body);
  const text = decoder.decode(bytes);
  const best = bestMicroseconds(
    {
      parse: () => JSON.parse(text),
      plain: () => JSON.parse(decoder.decode(bytes)),
      guarded: () => readJson(bytes, MAX_DEPTH),
    },
    Math.max(2, Math.round(2_000_000 / bytes.length)),
  );
  const guards = best.guarded - best.plain;
  return {
    "JSON.parse µs": best.parse.toFixed(2),
    "guards µs": guards.toFixed(2),
    "guards / JSON.parse": (guards / best.parse).toFixed(2),
  };
}

/** What the guards on a body cost, compared with one JSON.parse of the same body. */
export function run(): void {
  console.table(Object.fromEntries(Object.entries(BODIES).map(([name, body]) => [name, measure(body)])));
}
