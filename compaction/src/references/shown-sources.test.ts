import { describe, expect, test } from "bun:test";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";
import { expand } from "../testing/expand-testing.ts";

let calls = 0;
function result(name: string, argument: string, content: string): ChatMessage[] {
  const id = `call_${++calls}`;
  const call = { id, name, arguments: JSON.stringify({ input: argument }) };
  return [
    { role: "assistant", content: null, toolCalls: [call] },
    { role: "tool", toolCallId: id, content },
  ];
}

const OPTIONS = { level: "structural", references: true } as const;

/** The last message after compaction; also checks that it can be expanded again. */
function last(...messages: readonly ChatMessage[]): unknown {
  const { messages: shown } = compact(messages, OPTIONS);
  expect(expand(shown, OPTIONS).at(-1)?.content).toBe(messages.at(-1)?.content as string);
  return shown.at(-1)?.content;
}

const LOG = Array.from(
  { length: 40 },
  (_, at) => `2026-03-04T12:00:${at + 10}Z INFO orders - processed ${at * 7919} of ${at % 7}`,
);
const bash = (lines: readonly string[], argument = "tail app.log") =>
  result("Bash", argument, lines.join("\n"));

describe("folded lines", () => {
  test("are referred to by what differs, as it is shown", () => {
    const [, first] = compact(bash(LOG.slice(0, 20)), OPTIONS).messages;
    expect(first?.content).toStartWith(
      "§each of 20 lines, own words split by |: 2026-03-04T12:00:… INFO orders - processed … of …\n10Z|0|0\n",
    );
    expect(last(...bash(LOG.slice(0, 20)), ...bash([...LOG.slice(5, 20), "and stopped"]))).toBe(
      '§same as Bash "tail app.log" from `15Z|39595|5` to `29Z|150461|5`\nand stopped',
    );
  });

  test("are found together with lines before and after them", () => {
    const before = ["$ tail app.log of the server", ...LOG.slice(0, 9), "and this is the end of it"];
    expect(last(...bash(before), ...bash(["again", ...before, "once more"]))).toBe(
      'again\n§same as Bash "tail app.log" from `$ tail app.log` to `is the end of it`\nonce more',
    );
    expect(last(...bash(before), ...bash([...before.slice(0, -2), "other"]))).toBe(
      '§same as Bash "tail app.log" from `$ tail app.log` to `17Z|55433|0`\nother',
    );
  });

  test("are referred to with repeated lines among them, but repeated lines alone are not", () => {
    const again = Array.from({ length: 6 }, () => "warning: the cache is cold, and will be for a while");
    const lines = [...LOG.slice(0, 4), ...again, ...LOG.slice(4, 8)];
    expect(last(...bash(lines), ...bash([...lines, "other"]))).toBe(
      '§same as Bash "tail app.log" from `2026-03-04T12:00` to `processed 55433 of 0`\nother',
    );
    expect(last(...bash(["start", ...again, "end"]), ...bash([...again, "other"]))).not.toContain("§same");
  });

  test("are referred to as a whole, with the indent that they share", () => {
    const passed = Array.from({ length: 9 }, (_, at) => `    --- PASS: TestParser/case-${at * 37} (0.00s)`);
    expect(last(...bash(passed), ...bash(["=== RUN", ...passed.slice(1), "ok"]))).toBe(
      '=== RUN\n§same as Bash "tail app.log" from `case-37` to `case-296`\nok',
    );
  });

  test("are counted from the first if the last has no unique words", () => {
    const lines = [
      ...LOG.slice(0, 9),
      ...LOG.slice(0, 5).map((line) => line.replace(/processed.*/, "stopped")),
    ];
    expect(last(...bash(lines), ...bash([...lines, "other"]))).toMatch(
      /^§same as Bash "tail app.log" from `10Z\|0\|0`(?:, 14 lines| to `[^`]*14Z[^`]*`)\nother$/,
    );
  });

  test("are not referred to by words that also appear before them", () => {
    const matches = [48, 412, 4001].flatMap((line) =>
      ["a", "b", "c"].map((file) => `pkg/cloud/sync/manager.${file}:${line}:	return projectId`),
    );
    const shown = last(...bash(matches), ...bash(["48 and 412", ...matches]));
    expect(shown).toContain("48 and 412\n");
  });

  test("are not referred to by files and messages, which are not folded themselves", () => {
    const log = bash(LOG.slice(0, 20));
    const text = `${LOG.slice(0, 20).join("\n")}\nthe end`;
    expect(last(...log, ...result("Read", "app.log", text))).toBe(text);
    expect(last(...log, ...result("unheard_of", "app.log", text))).toBe(text);
    expect(last(...log, { role: "assistant", content: text })).toBe(text);
    expect(last(...log, ...result("Read", "app.log", text), ...result("Read", "b.log", `${text} of b`))).toBe(
      '§same as Read "app.log" from `2026-03-04T12:00:10Z INFO orders` to `processed 150461 of 5`\nthe end of b',
    );
  });

  test("are not referred to if the text has numbered lines", () => {
    const lines = LOG.slice(0, 12);
    const text = [" 1→one", " 2→two", " 3→three", " 4→four", " 5→five", " 6→six", ...lines];
    expect(last(...bash(text), ...bash([...lines, "other"]))).not.toContain("§same");
  });
});

const JOBS = Array.from({ length: 12 }, (_, at) => ({
  id: `job-${at * 7}`,
  name: `${["repair", "notice", "deposit"][at % 3]} of ${["garden", "heating"][at % 2]} ${at}`,
  state: at % 5 === 0 ? "done" : "waiting",
  owner: `tenant ${at % 4}`,
}));
const list = (value: unknown, argument = "all") => result("list_jobs", argument, JSON.stringify(value));

describe("rows of a table", () => {
  test("are referred to under the same head", () => {
    const changed = JOBS.with(1, { id: "job-7", name: "notice", state: "done", owner: "tenant 1" });
    expect(last(...list(JOBS), ...list(changed))).toBe(
      '{"§cols":["id","name","state","owner"]\njob-0,repair of garden 0,done,tenant 0\n' +
        'job-7,notice,done,tenant 1\n§same as list_jobs "all" from `job-14,deposit` to `of heating 11,waiting,tenant 3`\n}',
    );
  });

  test("are not referred to under another head, where they would mean something else", () => {
    const others = JOBS.map((job) => ({ ...job, place: "Lisbon" }));
    expect(last(...list(JOBS), ...list(others))).not.toContain("§same");
  });

  test("are referred to with their head, but a head never without rows", () => {
    const value = { page: 1, jobs: JOBS };
    expect(last(...list(value), ...list({ ...value, next: 2 }))).toBe(
      '§same as list_jobs "all" from `{"page":1,"jobs` to `of heating 11,waiting,tenant 3`\n},"next":2}',
    );
    const others = JOBS.map((job, at) => ({ ...job, id: `other-${at}` }));
    const wide = (jobs: typeof JOBS) => jobs.map((job) => ({ ...job, ...Object.fromEntries(WIDE) }));
    expect(last(...list(wide(JOBS)), ...list(wide(others)))).toStartWith('{"§cols":["id","name"');
  });

  test("refer to a long cell that came before", () => {
    const prose = (at: number) =>
      `${at} ${"the tenant pays the rent by the end of the month ".repeat(6)}${at}`;
    const found = (first: number) =>
      Array.from({ length: 4 }, (_, at) => ({
        id: `doc-${first + at}`,
        text: prose(first + at),
        score: 9 - at,
      }));
    const others = found(2).map((one) => ({ ...one, id: `other-${one.id}` }));
    expect(last(...list(found(0), "rent"), ...list(others, "month"))).toContain(
      '\nother-doc-2,§same as list_jobs "rent" from `2 the tenant pays` to `of the month 2`§,9\n',
    );
  });

  test("that are references themselves are not referred to", () => {
    const more = (count: number) => [...JOBS, ...JOBS.slice(0, count).map((job) => ({ ...job, owner: "x" }))];
    const shown = last(...list(JOBS), ...list(more(2), "more"), ...list(more(5), "most"));
    expect(shown).toContain('§same as list_jobs "all"');
    expect(shown).not.toContain('"more" from `{');
  });

  test("with a fence in a programming language are not replaced by references", () => {
    const code = `\`\`\`ts\n${LOG.slice(0, 6).join("\n")}\n\`\`\``;
    const rows = JOBS.slice(0, 4).map((job) => ({ ...job, code }));
    const other = rows.map((job) => ({ ...job, code: `${code}\n` }));
    const shown = last(...list([...rows, ...other]), ...list([...rows.slice(1), ...other], "again"));
    expect(shown).not.toContain("§same");
  });

  test("of an indented result are referred to as a whole", () => {
    const indented = () => result("list_jobs", "all", JSON.stringify(JOBS, null, 2));
    const { messages } = compact([...indented(), ...indented()], OPTIONS);
    expect(messages.at(-1)?.content).toBe('§same as list_jobs "all"');
  });
});

const WIDE = Array.from({ length: 20 }, (_, at) => [`a column with number ${at}`, at] as const);

describe("indented JSON", () => {
  const indented = (name: string, indent: string | number, jobs: readonly object[] = JOBS) =>
    result(name, "gh api jobs", `${JSON.stringify(jobs, null, indent)}\n`);

  test.each([
    [2, "2 blanks"],
    [4, "4 blanks"],
    ["\t", "a tab"],
  ])("of a shell becomes a table that says how it was indented: %j", (indent, how) => {
    expect(last(...indented("Bash", indent))).toStartWith(
      `§indented by ${how}\n{"§cols":["id","name","state","owner"]\njob-0,repair of garden 0,done,tenant 0\n`,
    );
    expect(last(...indented("Bash", indent))).toEndWith("\n}\n");
  });

  test("becomes a table in a fence, and stays unchanged in what may be a file", () => {
    for (const name of ["Read", "unheard_of"]) {
      const messages = indented(name, 2);
      expect(compact(messages, OPTIONS).messages).toBe(messages);
    }
    const content = `Look:\n\`\`\`\n${JSON.stringify(JOBS, null, 2)}\n\`\`\`\n`;
    const messages: ChatMessage[] = [{ role: "user", content }];
    const { messages: shown } = compact(messages, { ...OPTIONS, fences: true });
    expect(shown[0]?.content).toStartWith('Look:\n```\n§indented by 2 blanks\n{"§cols":["id",');
    expect(expand(shown, { ...OPTIONS, fences: true })).toEqual(messages);
  });

  test("refers to rows of another indent, and keeps its own", () => {
    const others = [{ id: "job-x", name: "new", state: "done", owner: "nobody" }, ...JOBS];
    expect(last(...list(JOBS), ...indented("Bash", 4, others))).toBe(
      '§indented by 4 blanks\n{"§cols":["id","name","state","owner"]\njob-x,new,done,nobody\n' +
        '§same as list_jobs "all" from `job-0,repair of` to `of heating 11,waiting,tenant 3`\n}\n',
    );
  });
});
