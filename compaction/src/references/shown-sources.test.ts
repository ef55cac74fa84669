import { describe, expect, test } from "bun:test";
import { expand } from "../../expand/expand.ts";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";

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
  (_, at) => `2026-03-04 INFO orders: processed ${at * 7919} of ${at % 7} at 12:00:${at + 10}`,
);
const bash = (lines: readonly string[], argument = "make log") => result("Bash", argument, lines.join("\n"));

describe("folded lines", () => {
  test("are referred to by what differs, as it is shown", () => {
    const [, first] = compact(bash(LOG.slice(0, 20)), OPTIONS).messages;
    expect(first?.content).toStartWith("§each of 20 lines: 2026-03-04 INFO orders: processed …\n0 of 0 at");
    expect(last(...bash(LOG.slice(0, 20)), ...bash([...LOG.slice(5, 20), "and stopped"]))).toBe(
      '§same as Bash "make log" from `39595 of 5 at 12` to `of 5 at 12:00:29`\nand stopped',
    );
  });

  test("are found together with lines before and after them", () => {
    const before = ["$ tail app.log of the server", ...LOG.slice(0, 9), "and this is the end of it"];
    expect(last(...bash(before), ...bash(["again", ...before, "once more"]))).toBe(
      'again\n§same as Bash "make log" from `$ tail app.log` to `is the end of it`\nonce more',
    );
    expect(last(...bash(before), ...bash([...before.slice(0, -2), "other"]))).toBe(
      '§same as Bash "make log" from `$ tail app.log` to `of 0 at 12:00:17`\nother',
    );
  });

  test("are not referred to by words that also appear before them", () => {
    const lines = ["0 of 0 at 12:00:10 is when it began", ...LOG.slice(0, 9)];
    expect(last(...bash(lines), ...bash([...LOG.slice(0, 9), "other"]))).not.toContain("from `0 of 0");
  });

  test("are not referred to by files and messages, which are not folded themselves", () => {
    const log = bash(LOG.slice(0, 20));
    const text = `${LOG.slice(0, 20).join("\n")}\nthe end`;
    expect(last(...log, ...result("Read", "app.log", text))).toBe(text);
    expect(last(...log, ...result("unheard_of", "app.log", text))).toBe(text);
    expect(last(...log, { role: "assistant", content: text })).toBe(text);
    expect(last(...log, ...result("Read", "app.log", text), ...result("Read", "b.log", `${text} of b`))).toBe(
      '§same as Read "app.log" from `2026-03-04 INFO orders: processed 0 of 0 at 12:00:10` to `of 5 at 12:00:29`\nthe end of b',
    );
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
