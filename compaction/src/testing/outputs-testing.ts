import fc from "fast-check";
import type { ChatMessage, ToolCall } from "../message.ts";

/** Conversations that show parts of the same log and the same rows again and again. */
export function outputConversations(): fc.Arbitrary<ChatMessage[]> {
  return fc
    .tuple(
      fc.array(logLines(), { minLength: 4, maxLength: 14 }),
      fc.array(row(), { minLength: 8, maxLength: 14 }),
      fc.array(fc.oneof(logTurn(), logTurn(), rowsTurn(), rowsTurn(), quoteTurn()), {
        minLength: 2,
        maxLength: 8,
      }),
    )
    .map(([lines, rows, turns]) => turns.flatMap((make, at) => make({ log: lines.flat(), rows }, at)));
}

type Row = Readonly<Record<string, unknown>>;
type Material = { readonly log: readonly string[]; readonly rows: readonly Row[] };
type Turn = (material: Material, at: number) => ChatMessage[];

const WORDS = "tenant rent deposit notice month repair clause payment invoice delay court key".split(" ");

function words(most: number): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most })
    .map((found) => found.join(" "));
}

/** Lines with a common beginning, some with a common end, some with nothing else, and some repeated. */
function logLines(): fc.Arbitrary<string[]> {
  const start = fc.constantFrom(
    "2026-03-04T12:00:",
    "src/http/openai/chat.ts:",
    "    --- PASS: TestParser/",
    "",
  );
  const own = fc.oneof(
    words(12),
    fc.nat(99).map(String),
    fc.constantFrom("", "x", "key court key court key court"),
  );
  const lines = fc
    .tuple(
      start,
      fc.array(own, { minLength: 1, maxLength: 9 }),
      fc.constantFrom("", " (0.00s)", " in 12 ms", "…"),
    )
    .map(([head, owns, tail]) => owns.map((one) => head + one + tail));
  const other = fc.constantFrom(
    "",
    "   ",
    "src/http/openai/chat.ts:",
    "```",
    "```ts",
    "§repeated 3 more",
    "§each of 2 lines: a…b",
    "12→numbered",
    "13→numbered",
    "14→numbered",
    "😀 done",
  );
  return fc.oneof(
    { weight: 12, arbitrary: lines },
    { weight: 2, arbitrary: fc.tuple(lines, fc.integer({ min: 2, max: 6 })).map(repeat) },
    { weight: 2, arbitrary: other.map((one) => [one]) },
  );
}

/** Repeats the last line. */
function repeat([lines, times]: readonly [readonly string[], number]): string[] {
  return [...lines, ...Array.from({ length: times }, () => lines.at(-1) ?? "")];
}

function row(): fc.Arbitrary<Row> {
  const text = fc.oneof(
    words(6),
    words(60),
    words(60).map((prose) => `${prose}, and "so"\n\`\`\`ts\n${prose}\n\`\`\``),
    words(30).map((prose) => `${prose}\n${prose}`),
    fc.constantFrom("", " x", "~~~", "a, b", "{", "12", "§cols", "§same as above", "null", "ü😀", "`"),
  );
  return fc.record({
    id: fc.integer({ min: 100, max: 999 }).map((id) => `job-${id}`),
    title: text,
    body: text,
    tags: fc.array(fc.record({ name: words(1), value: fc.nat(9) }), { maxLength: 3 }),
    place: fc.record({ city: words(1), zip: fc.constant("1000-001") }),
  });
}

/** Some of the lines, perhaps with one changed. */
function logTurn(): fc.Arbitrary<Turn> {
  return fc
    .record({
      from: fc.nat(30),
      size: fc.integer({ min: 4, max: 120 }),
      changed: fc.nat(60),
      isNumbered: fc.boolean(),
      tool: fc.constantFrom("Bash", "Bash", "Grep", "get_it", "unheard_of"),
    })
    .map(({ from, size, changed, isNumbered, tool }) => ({ log }, at) => {
      const lines = log
        .slice(from, from + size)
        .map((line, index) => (index === changed ? `${line}!` : line));
      const isGutter = isNumbered && changed % 4 === 0;
      return result(
        tool,
        lines.map((line, index) => (isGutter ? `${index + 1}→${line}` : line)).join("\n"),
        at,
      );
    });
}

/** The status of a command, as agents print it. */
const RUN = "Exit code: 0\nWall time: 0.2 seconds\nOutput:\n";
/** The headers of an HTTP response. */
const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";

/** Some of the rows, perhaps with another column, constant or not, and perhaps with more around them. */
function rowsTurn(): fc.Arbitrary<Turn> {
  return fc
    .record({
      from: fc.nat(3),
      size: fc.integer({ min: 2, max: 14 }),
      column: fc.constantFrom("none", "none", "same", "score"),
      around: fc.constantFrom("none", "results", "keys", "lines"),
      lead: fc.constantFrom(
        "",
        "",
        "Found these:\n",
        "Found these:\n\n",
        "```ts\n",
        "1→a\n2→b\n",
        "[x]\n",
        RUN,
        HEAD,
      ),
      style: fc.constantFrom<0 | 2 | 4 | "\t">(0, 0, 2, 4, "\t"),
      tool: fc.constantFrom("get_orders", "get_orders", "Bash", "unheard_of"),
    })
    .map(({ from, size, column, around, lead, style, tool }) => ({ rows }, at) => {
      const some = rows.slice(from, from + size).map((one, index) => {
        if (column === "none") return one;
        return { ...one, [column]: column === "same" ? `the ${at % 2}` : (0.9 - index / 50).toFixed(3) };
      });
      const lines = some.map((one) => JSON.stringify(one)).join("\n");
      if (around === "lines") return result(tool, lead === RUN ? RUN + lines : lines, at);
      const value = {
        none: some,
        results: { total: size, note: WORDS.join(" "), results: some },
        keys: Object.fromEntries(some.map((one) => [String(one.id), one])),
      }[around];
      return result(tool, lead + JSON.stringify(value, null, style), at);
    });
}

/** The log inside a quoted text, or in the model's text. */
function quoteTurn(): fc.Arbitrary<Turn> {
  return fc.tuple(fc.nat(20), fc.boolean()).map(([from, isSaid]) => ({ log }, at) => {
    const text = log.slice(from, from + 40).join("\n");
    if (isSaid) return [{ role: "assistant", content: `It says:\n${text}\nThat is all.` }];
    return result("get_it", JSON.stringify({ code: 0, output: text }), at);
  });
}

function result(name: string, content: string, at: number): ChatMessage[] {
  const call: ToolCall = { id: `call_${at}`, name, arguments: JSON.stringify({ input: "again" }) };
  return [
    { role: "assistant", content: null, toolCalls: [call] },
    { role: "tool", toolCallId: call.id, content },
  ];
}
