import fc from "fast-check";
import type { ChatMessage, ContentPart, ToolCall } from "../message.ts";

/**
 * Conversations like those of agents: files read repeatedly, lists, logs, echoes, and text that looks like our marks.
 */
export function conversations(): fc.Arbitrary<ChatMessage[]> {
  return fc
    .tuple(
      fc.array(fileLine(), { minLength: 30, maxLength: 60 }),
      fc.array(turn(), { minLength: 1, maxLength: 8 }),
    )
    .map(([file, turns]) => [
      { role: "system", content: `You are careful.\n${file.slice(0, 12).join("\n")}` } as const,
      ...turns.flatMap((make, at) => make(file, at)),
    ]);
}

type Turn = (file: readonly string[], at: number) => ChatMessage[];

const FENCES = [
  "```",
  "```ts",
  "  ```py",
  "~~~",
  "```json",
  "````",
  "````ts",
  "   ~~~~py",
  "~~~~",
  "     ```",
  "```ts\x1b[m",
  "```\x1b[m",
  "<system-reminder>",
  "</system-reminder>",
];
const WORDS = [
  "value",
  "return",
  "if (open)",
  "const total =",
  "§same as above",
  "count",
  "→",
  "'it'",
  '"so"',
  "\\n",
];

function fileLine(): fc.Arbitrary<string> {
  const words = fc.array(fc.constantFrom(...WORDS, "x1", "42", "{", "}", ";"), { maxLength: 9 });
  const code = fc
    .tuple(fc.constantFrom("", "  ", "\t", "\t\t"), words)
    .map(([indent, line]) => indent + line.join(" "));
  return fc.oneof({ weight: 30, arbitrary: code }, { weight: 1, arbitrary: fc.constantFrom(...FENCES) });
}

function turn(): fc.Arbitrary<Turn> {
  return fc.oneof(
    fileTurn(),
    mapTurn(),
    jsonTurn(),
    shellTurn(),
    echoTurn(),
    wildTurn(),
    sameTurn(),
    partsTurn(),
    twinTurn(),
  );
}

/** A tool result, preceded by its call. */
function result(name: string, argument: string | object, content: string, at: number): ChatMessage[] {
  const input = typeof argument === "string" ? { input: argument } : argument;
  const call: ToolCall = { id: `call_${at}`, name, arguments: JSON.stringify(input) };
  return [
    { role: "assistant", content: null, toolCalls: [call], reasoning: [{ text: content.slice(0, 300) }] },
    { role: "tool", toolCallId: call.id, content },
  ];
}

/** A range of the file, with or without a gutter, perhaps with a line changed. */
function fileTurn(): fc.Arbitrary<Turn> {
  return fc
    .record({
      from: fc.nat(20),
      size: fc.integer({ min: 5, max: 60 }),
      shift: fc.constantFrom(1, 1, 4, 996),
      sign: fc.constantFrom("→", "\t", "|", ":", ": ", " | ", "  ", ""),
      isPadded: fc.boolean(),
      changed: fc.nat(60),
      tool: fc.constantFrom("Read", "Bash", "unheard_of"),
    })
    .map(({ from, size, shift, sign, isPadded, changed, tool }) => (file, at) => {
      const lines = file
        .slice(from, from + size)
        .map((line, index) => (index === changed ? `${line}!` : line));
      const numbered = lines.map((line, index) => {
        const number = String(from + index + shift);
        return sign === "" ? line : (isPadded ? number.padStart(6) : number) + sign + line;
      });
      return result(tool, "./src/main.ts", numbered.join("\n"), at);
    });
}

/** Numbers that are no line numbers, in indented code. */
function mapTurn(): fc.Arbitrary<Turn> {
  return fc
    .record({
      first: fc.constantFrom(1, 7, 95, 400),
      size: fc.integer({ min: 3, max: 20 }),
      sign: fc.constantFrom(": ", " "),
      indent: fc.constantFrom("", "  ", "        "),
      head: fc.constantFrom("codes:", "  ⎿  Updated codes.yaml"),
      tool: fc.constantFrom("Read", "Bash", "unheard_of"),
    })
    .map(({ first, size, sign, indent, head, tool }) => (file, at) => {
      const keys = file.slice(0, size).map((line, key) => `${indent}${first + key}${sign}${line.trim()}`);
      return result(tool, "./codes.yaml", `${head}\n${keys.join("\n")}`, at);
    });
}

function jsonTurn(): fc.Arbitrary<Turn> {
  const scalar = fc.oneof(
    fc.constantFrom(
      "open",
      "closed",
      "a, b",
      "12",
      "true",
      "",
      " x",
      "`",
      "§cols",
      "§key",
      "…",
      "1e5",
      "ü😀",
    ),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const row = fc.record({
    id: fc.integer({ min: 1000, max: 9999 }).map(String),
    state: scalar,
    place: fc.record({ city: scalar, country: fc.constant("PL") }),
    note: fc.option(scalar, { nil: undefined, freq: 3 }),
    "kind=": fc.option(scalar, { nil: undefined }),
    tags: fc.array(fc.record({ name: scalar, value: scalar }), { maxLength: 3 }),
  });
  const rows = fc.array(row, { minLength: 1, maxLength: 9 });
  return fc
    .record({
      rows,
      isKeyed: fc.boolean(),
      style: fc.constantFrom<0 | 2 | ", ">(0, 2, ", "),
      tool: fc.constantFrom("get_orders", "Bash", "unheard_of"),
    })
    .map(({ rows, isKeyed, style, tool }) => (_, at) => {
      const value = isKeyed
        ? Object.fromEntries(rows.map((row) => [row.id, row]))
        : { rows, count: rows.length };
      return result(tool, "orders", writeJson(value, style), at);
    });
}

/** Compact, indented, or with a space after every comma and colon. */
function writeJson(value: unknown, style: 0 | 2 | ", "): string {
  if (style !== ", ") return JSON.stringify(value, null, style);
  const compact = JSON.stringify(value);
  return compact.replaceAll(/("(?:[^"\\]|\\.)*")|[,:]/g, (sign, text) => text ?? `${sign} `);
}

/** Log entries of one form, except for the text of some. */
function logLine(): fc.Arbitrary<string> {
  return fc
    .record({
      second: fc.integer({ min: 10, max: 59 }),
      job: fc.nat(900),
      word: fc.constantFrom("", "", "done", "a|b;", "… ", "§each", "§", "|;~^¦", "\r", "in  2 parts"),
      blanks: fc.constantFrom(" ", " ", " ", "   ", "\t"),
    })
    .map(
      ({ second, job, word, blanks }) =>
        `Nov 17 02:10:${second} web-01${blanks}worker[${job}]: finished a job of ${job % 7} rows ${word}`,
    );
}

function shellTurn(): fc.Arbitrary<Turn> {
  const line = fc.oneof(
    fc.nat(9).map((part) => `/srv/somebody/project/packages/part-${part}/index.ts`),
    fc
      .nat(9)
      .map((part) => ["a", "b", "c", "d"].map((name) => `/srv/project/part-${part}/${name}.ts`).join("\n")),
    fc
      .array(fc.tuple(fc.constantFrom(":", "-"), fc.nat(99)), { maxLength: 5 })
      .map((found) => found.map(([sign, at]) => `src/a-7-b/c.ts${sign}${at}${sign}  go(${at});`).join("\n")),
    fc.nat(99).map((number) => `src/long/path/of/a/file.ts:${number}:  return ${number};`),
    fc.array(logLine(), { minLength: 1, maxLength: 9 }).map((entries) => entries.join("\n")),
    fc.constantFrom(
      "warning: the same again and again",
      "",
      "--",
      "§each of 3 lines: a…b",
      "§repeated 2 more",
    ),
    fc.nat(9).map((part) => `\x1b[32mPASS\x1b[0m test ${part} of \x1b[1mall\x1b[0m`),
    fc
      .nat(9)
      .map((part) => `web-${part}\x1b[6C10\x1b[4C20\x1b[2;20Hdisk${part}\x1b[20G7\x1b[8Dback\x1b[1Aup`),
    fc.nat(9).map((part) => `\x1b[32mM\x1b[m\x1b[31mM\x1b[m part-${part}.go`),
    fc.nat(9).map((part) => `timeout: \x1b[31m3${part}\x1b[m\x1b[32m60\x1b[m, \x1b[1;34mfoo\x1b[1mbar`),
    fc
      .nat(9)
      .map(
        (part) =>
          `\x1b[1mdiff --git a b\x1b[m\n@@ -1,2 +1,2 @@\nkeep\x1b[m\nmay \x1b[31mnot ${part}\x1b[m\x1b[32mever\x1b[m go`,
      ),
    fc.nat(9).map((part) => `\x1b]8;;https://example.org/${part}\x1b\\the page\x1b]8;;\x1b\\ of ${part}`),
    fc.nat(9).map((part) => `[=    ] 1\x1b[1G[==   ] 5\x1b[2K\x1b[G[=====] ${part} of 9`),
    fc.nat(9).map((part) => `10 %\r50 %\r100 % of ${part}`),
    fc.nat(9).map((part) => `${part} %\r20 %\r30 %\r5${part} %\r55 %\r100 % of all`),
    fc.nat(9).map((part) => `${part},12 %\r${part},13 %\r${part},14 %\r${part},15 %\r${part},16 % of it`),
    fc.nat(9).map((rows) => Array.from({ length: rows }, (_, row) => `row ${row} done`).join("\r")),
    fc.nat(9).map((part) => `${part},12,3\r${part},13,4\r${part},14,12\r${part},15,a longer record`),
    fc.constantFrom(...FENCES),
    fc.constantFrom("\x1b", "\x1b]0;never closed", "\x1b[", "a\rlonger\rb", "\r"),
  );
  return fc
    .tuple(
      fc.array(fc.tuple(line, fc.nat(6)), { maxLength: 12 }),
      fc.constantFrom("Bash", "Grep", "unheard_of"),
    )
    .map(([lines, tool]) => (_, at) => {
      const text = lines.flatMap(([said, times]) => Array.from({ length: times }, () => said)).join("\n");
      return result(tool, "npm test", text, at);
    });
}

/** The model repeats a part of the file in its text or a call, plainly or in quotes. */
function echoTurn(): fc.Arbitrary<Turn> {
  return fc
    .tuple(
      fc.nat(20),
      fc.integer({ min: 8, max: 40 }),
      fc.constantFrom("plain", "'", '"', "call", "tag", "signed"),
    )
    .map(([from, size, how]) => (file, at) => {
      const text = file.slice(from, from + size).join("\n");
      if (how === "call") {
        const call = {
          id: `call_${at}`,
          name: "Write",
          arguments: JSON.stringify({ path: "a.ts", content: text }),
        };
        return [{ role: "assistant", content: "", toolCalls: [call] }];
      }
      if (how === "tag") return [{ role: "assistant", content: `<edit>\n${text}\n§same as it\n</edit>` }];
      if (how === "signed") {
        return [
          { role: "assistant", content: text, reasoning: [{ text: "Hm.", signature: "a/reasoning:b" }] },
        ];
      }
      const quoted = text
        .replaceAll("\\", "\\\\")
        .replaceAll("\n", "\\n")
        .replaceAll("\t", "\\t")
        .replaceAll(how, `\\${how}`);
      const content =
        how === "plain"
          ? `Here it is:\n${text}\nDone.`
          : `Calling [{${how}code${how}: ${how}${quoted}${how}}]`;
      return [{ role: "assistant", content }];
    });
}

/** The same call with the same result. */
function sameTurn(): fc.Arbitrary<Turn> {
  const answer = Array.from({ length: 12 }, (_, at) => `${"-".repeat(at)} item ${at * 37} of the list`).join(
    "\n",
  );
  const asked = fc.constantFrom<string | object>(
    "list",
    { pattern: "item" },
    { pattern: "item", path: "src" },
    { path: "test", pattern: "item" },
  );
  return fc.tuple(fc.constantFrom("Bash", "unheard_of"), asked, fc.nat(2)).map(
    ([tool, argument, more]) =>
      (_, at) =>
        result(tool, argument, answer + "\n".repeat(more), at),
  );
}

/** The file in several text parts, perhaps with an image between them. */
function partsTurn(): fc.Arbitrary<Turn> {
  return fc
    .tuple(fc.nat(30), fc.constantFrom("tool", "user"), fc.boolean(), fc.constantFrom("Read", "Bash"))
    .map(([cut, role, hasImage, tool]) => (file, at) => {
      const part = (lines: readonly string[]): ContentPart => ({ type: "text", text: lines.join("\n") });
      const image: ContentPart = { type: "image", url: "data:image/png;base64,AA==" };
      const content = [part(file.slice(0, cut)), ...(hasImage ? [image] : []), part(file.slice(cut, 36))];
      if (role === "user") return [{ role: "user", content }];
      const [call, answer] = result(tool, "all", "", at);
      return [call as ChatMessage, { ...(answer as ChatMessage & { role: "tool" }), content }];
    });
}

/** Two calls of one turn with the same id, and perhaps an extra result. */
function twinTurn(): fc.Arbitrary<Turn> {
  const tool = fc.constantFrom("Read", "Bash", "get_it");
  return fc.tuple(tool, tool, fc.nat(20), fc.boolean()).map(([one, two, from, isMore]) => (file, at) => {
    const id = `call_${at}`;
    const call = (name: string): ToolCall => ({ id, name, arguments: JSON.stringify({ input: name + at }) });
    const toolCalls = [call(one), call(two)];
    const said = [file.slice(from, from + 9), file.slice(0, 12), ...(isMore ? [file.slice(9, 15)] : [])];
    const results = said.map((lines) => {
      const content = lines.map((line) => `{"a": ${JSON.stringify(line)}}`).join("\n");
      return { role: "tool", toolCallId: id, content: `[${content.replaceAll("\n", ",\n")}]` } as const;
    });
    return [{ role: "assistant", content: null, toolCalls }, ...results];
  });
}

function wildTurn(): fc.Arbitrary<Turn> {
  const signs = fc.string({ unit: fc.constantFrom(..."a1 \n\t→§\\\"'`{}[],:…", "same as ", "lines ") });
  const text = fc.oneof(
    signs,
    fc.string({ unit: "binary" }),
    signs.map((part) => part.repeat(20)),
  );
  return fc
    .tuple(text, text, fc.constantFrom("Read", "Bash", "get_it", "unheard_of"))
    .map(([user, wild, tool]) => {
      return (_, at) => [{ role: "user", content: user }, ...result(tool, user, wild, at)];
    });
}
