import { describe, expect, test } from "bun:test";
import { compact } from "../compact.ts";
import { expand } from "../testing/expand-testing.ts";

const CODE = [
  "import { open } from 'fs';",
  "",
  "export class Pump {",
  "  constructor(public readonly speed: number) {",
  "    this.speed = speed;",
  "  }",
  "",
  "  /** Litres an hour. */",
  "  flow(): number {",
  "    return this.speed * 60;",
  "  }",
  "}",
];

type Style = (line: string, number: number) => string;
const STYLES: Readonly<Record<string, Style>> = {
  "12:": (line, number) => `${number}:${line}`,
  "12: ": (line, number) => `${number}: ${line}`,
  "L12: ": (line, number) => `L${number}: ${line}`,
  "12 | ": (line, number) => `${number} | ${line}`,
  "00012| ": (line, number) => `${String(number).padStart(5, "0")}| ${line}`,
  "12 → ": (line, number) => `${number} → ${line}`,
};

/** Only a reader's calls name a file. */
function reads(name: string, texts: readonly string[]) {
  const input = name === "read_file" ? { path: "src/pump.ts" } : { about: "pumps" };
  return texts.flatMap((content, at) => [
    {
      role: "assistant" as const,
      content: null,
      toolCalls: [{ id: `${at}`, name, arguments: JSON.stringify(input) }],
    },
    { role: "tool" as const, toolCallId: `${at}`, content },
  ]);
}

function shown(name: string, ...texts: readonly string[]): string {
  const messages = reads(name, texts);
  const options = { level: "structural", references: true } as const;
  const { messages: compacted } = compact(messages, options);
  const untrimmed = (text: unknown) => String(text).replaceAll(/^((?:L?\d+)(?: ?[|→]|:)) $/gm, "$1");
  for (const [at, message] of expand(compacted, options).entries())
    expect(untrimmed(message.content)).toBe(untrimmed(messages[at]?.content));
  return String(compacted.at(-1)?.content);
}

const numbered = (style: Style, lines: readonly string[], first = 1) =>
  lines.map((line, at) => style(line, first + at)).join("\n");

describe.each(Object.entries(STYLES))("a gutter like %j", (name, style) => {
  test("is thinned, and the header shows how the numbers are written", () => {
    const lines = shown("read_file", numbered(style, [...CODE, ...CODE])).split("\n");
    const like = style("", 1);
    expect(lines.slice(0, 6)).toEqual([
      `§lines 1-24, every 5th numbered like "${like}"`,
      ...CODE.slice(0, 4),
      style(CODE[4] as string, 5),
    ]);
  });

  test("is seen through: lines that moved are a reference", () => {
    const long = [...CODE, ...CODE.map((line) => line.replaceAll("Pump", "Tank"))];
    const moved = ["// A pump.", ...long];
    const last = shown("read_file", numbered(style, long), numbered(style, moved));
    const [from, to] = [style("", 2), style("", 25)].map((gutter) => /^L?\d+/.exec(gutter)?.[0]);
    const sign = name.replace(/^L?\d+/, "");
    expect(last).toEndWith(`${from}-${to}${sign}§same as lines 1-24 of read_file "src/pump.ts"`);
  });

  test("stays in what a shell or a service prints", () => {
    const text = numbered(style, [...CODE, ...CODE]);
    expect(shown("bash", text)).not.toContain("§lines");
    expect(shown("get_report", text)).not.toContain("§lines");
  });
});

const rows = (of: (at: number) => string) => Array.from({ length: 14 }, (_, at) => of(at + 1)).join("\n");

test.each([
  ["numeric keys of a map", rows((at) => `${at}: "the message number ${at}"`)],
  ["right-aligned keys of a map", rows((at) => `${String(at).padStart(4)}: 'message number ${at}',`)],
  ["keys whose values follow", rows((at) => `${at}:\n  name: item number ${at}`)],
  ["rows of a query", ` id | name\n----+------\n${rows((at) => ` ${at} |     ${at * 7} | name of ${at}`)}`],
  ["one column of a query", ` id | sum\n----+-----\n${rows((at) => ` ${at} | ${"".padStart(at % 3)}${at}`)}`],
  ["records with zeros", rows((at) => `${String(at).padStart(5, "0")}|the name of ${at}|${at * 3}`)],
  ["what a program counts", `0: a\n${rows((at) => `${at}: ${at % 3 ? " " : "x"}`)}`],
  ["items of a list", rows((at) => `${at}. the item number ${at}\n`)],
  ["times", rows((at) => `${at}:30 a talk\n`)],
])("%s are no gutter", (_, text) => {
  for (const tool of ["read_file", "unheard_of"]) expect(shown(tool, text)).not.toContain("§lines");
});

test("numbers stay where a blank after the colon may be indentation", () => {
  const inside = CODE.slice(3, 11)
    .flatMap((line) => [line, line])
    .filter((line) => line !== "");
  for (const style of ["12:", "12: "]) {
    const text = numbered(STYLES[style] as Style, [...inside, ...inside]);
    expect(shown("read_file", text)).toBe(text);
  }
});

test("numbers stay where a line itself begins like one", () => {
  for (const [name, style] of Object.entries(STYLES)) {
    const text = numbered(style, [...CODE, ...CODE].with(6, `  ${style("x", 7)}`));
    expect([name, shown("read_file", text)]).toEqual([name, text]);
  }
});

test.each([
  ["a map whose values are aligned", (at: number) => `    ${`${at}:`.padEnd(4)}'the name of ${at}',`],
  ["a map without some values", (at: number) => `  ${at}:${at % 3 ? ` value ${at}` : ""}`],
])("the indentation of %s stays", (_, of) => {
  const text = `names:\n${rows(of)}`;
  for (const tool of ["read_file", "unheard_of"]) {
    expect(shown(tool, text)).toBe(text);
    const { messages } = compact(reads(tool, [text]), { level: "safe", references: true });
    expect(messages[1]?.content).toBe(text);
  }
});

test("the first line below the header has no number, even if what precedes the header is a reference", () => {
  const said = CODE.map((line) => line.replaceAll("speed", "weight")).join("\n");
  for (const [name, style] of Object.entries(STYLES)) {
    const last = shown("read_file", said, `${said}\n${numbered(style, [...CODE, ...CODE])}`);
    expect([name, last]).toEqual([name, expect.stringContaining(`"\n${CODE[0]}\n`)]);
  }
});

test("numbers name no lines of a result in which other lines begin with the same ones", () => {
  const list = CODE.map((_, at) => `the item ${at}`);
  for (const [name, style] of Object.entries(STYLES)) {
    const both = [...numbered(style, list).split("\n"), "", ...numbered(style, CODE).split("\n")].join("\n");
    const last = shown("read_file", both, numbered(style, ["// A pump.", ...CODE]));
    expect([name, last]).not.toEqual([name, expect.stringContaining("same as lines 1-")]);
  }
});

test("lines whose numbers are suddenly written in another way are no part of the same gutter", () => {
  const ways: readonly (readonly [Style, Style])[] = [
    [(line, number) => `0${number}: ${line}`, (line, number) => `0${number}: ${line}`],
    [STYLES["12 | "] as Style, STYLES["12 → "] as Style],
    [STYLES["12: "] as Style, STYLES["L12: "] as Style],
  ];
  const lines = [...CODE, ...CODE];
  for (const [before, from10] of ways) {
    const text = lines.map((line, at) => (at < 9 ? before : from10)(line, at + 1)).join("\n");
    expect(shown("read_file", text)).toBe(text);
  }
});

test("padding before such numbers is removed at safe", () => {
  const text = CODE.map((line, at) => `${String(at + 1).padStart(8)} | ${line}`).join("\n");
  const { messages } = compact(reads("read_file", [text]), { level: "safe", references: true });
  expect(messages[1]?.content).toBe(numbered(STYLES["12 | "] as Style, CODE));
});
