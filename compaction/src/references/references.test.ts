import { describe, expect, test } from "bun:test";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";

const LINES = Array.from({ length: 40 }, (_, at) => `  const value${at} = compute(${at * 7});`);
const numbered = (lines: readonly string[], first = 1) =>
  lines.map((line, at) => `${String(first + at).padStart(6)}→${line}`).join("\n");

let calls = 0;
function result(name: string, argument: string, content: string): ChatMessage[] {
  const id = `call_${++calls}`;
  const call = { id, name, arguments: JSON.stringify({ path: argument }) };
  return [
    { role: "assistant", content: null, toolCalls: [call] },
    { role: "tool", toolCallId: id, content },
  ];
}

/** The last message after compaction. */
function last(messages: readonly ChatMessage[], references = true): unknown {
  return compact(messages, { level: "structural", references }).messages.at(-1)?.content;
}

describe("references", () => {
  test("name the tool, its argument and the lines, and keep what is new", () => {
    const before = result("Read", "./a.ts", numbered(LINES));
    const edited = [...LINES.slice(0, 20), "  const added = 1;", ...LINES.slice(20)];
    expect(last([...before, ...result("Read", "./a.ts", numbered(edited))])).toBe(
      '1-20→§same as in Read "./a.ts"\n21→  const added = 1;\n22-41→§same as lines 21-40 of Read "./a.ts"',
    );
  });

  test("name a whole text by its name alone, with its number if several have that name", () => {
    const text = LINES.join("\n");
    const other = text.replaceAll("value", "other");
    const messages = [...result("Read", "./a.ts", text), ...result("Read", "./a.ts", other)];
    expect(last([...messages, ...result("Read", "./b.ts", text)])).toBe('§same as Read "./a.ts" #1');
    expect(last([...messages, ...result("Read", "./b.ts", other)])).toBe('§same as Read "./a.ts" #2');
  });

  test("number the first of several results, but not a result whose name is unique", () => {
    const [fails, passes] = [LINES.join("\n"), LINES.join("\n").replaceAll("value", "other")];
    const run = (text: string) => result("Bash", "npm test", text);
    expect(last([...run(fails), ...run(fails)])).toBe('§same as Bash "npm test"');
    expect(last([...run(fails), ...run(passes), ...run(fails)])).toBe('§same as Bash "npm test" #1');
    expect(last([...run(fails), ...run(passes), ...run(passes)])).toBe('§same as Bash "npm test" #2');
  });

  test("quote the ends of a block whose lines have no numbers", () => {
    const messages: ChatMessage[] = [{ role: "user", content: `Here:\n${LINES.join("\n")}\nThanks.` }];
    const shown = `You sent this:\n${LINES.slice(3, 30).join("\n")}\nand more.`;
    expect(last([...messages, ...result("Read", "./sent.txt", shown)])).toBe(
      "You sent this:\n  §same as user message from `const value3 =` to ` compute(203);`\nand more.",
    );
  });

  test("never match another argument of the call", () => {
    const content = LINES.join("\n");
    const write = (title: string): ChatMessage => {
      const call = { id: "w", name: "Write", arguments: JSON.stringify({ title, content }) };
      return { role: "assistant", content: null, toolCalls: [call] };
    };
    const shown = `A file:\n${content}`;
    expect(last([write("A title"), ...result("Read", "./c.ts", shown)])).toBe(
      'A file:\n  §same as call Write "A title" from `const value0 =` to ` compute(273);`',
    );
    expect(last([write("const value0 = 1"), ...result("Read", "./c.ts", shown)])).toBe(
      'A file:\n  §same as call Write "const value0 = 1" from `const value0 = compute(0);` to ` compute(273);`',
    );
    expect(last([write(LINES[0] ?? ""), ...result("Read", "./c.ts", shown)])).toBe(
      `A file:\n${LINES[0]}\n  §same as call Write "${LINES[0]}" from \`const value1 =\` to \` compute(273);\``,
    );
  });

  test("find what a call wrote", () => {
    const content = LINES.join("\n");
    const call = { id: "w", name: "Write", arguments: JSON.stringify({ path: "./c.ts", content }) };
    const written: ChatMessage = { role: "assistant", content: null, toolCalls: [call] };
    expect(last([written, ...result("Read", "./c.ts", numbered(LINES))])).toBe(
      '1-40→  §same as call Write "./c.ts" from `const value0 =` to ` compute(273);`',
    );
  });

  test("reach into long lines", () => {
    const order = {
      id: "W1",
      address: { street: "1 Long Road", city: "Lisbon", zip: "1000-001" },
      items: LINES.slice(0, 9),
    };
    const before = result("get_order", "W1", JSON.stringify({ ...order, status: "pending" }));
    const after = result("cancel_order", "W1", JSON.stringify({ ...order, status: "cancelled" }));
    expect(last([...before, ...after])).toBe(
      '§same as get_order "W1" from `{"id":"W1","address` to `compute(56);"]`§,"status":"cancelled"}',
    );
  });

  test("find a long line inside other lines, and others inside it", () => {
    const values = (by: number) => Array.from({ length: 60 }, (_, at) => ((at * 37 + by) % 97) / 97);
    const vector = (by: number) => `[${values(by).join(", ")}]`;
    const [one, two] = [vector(1), vector(2)];
    const after = (before: string, text: string) =>
      String(last([...result("Bash", "a", before), ...result("Bash", "b", text)]));
    expect(after(one, `{"id": "q1", "vectors": [${one}], "ok": true}`)).toStartWith(
      '{"id": "q1", "vectors": [§same as Bash "a" from `[',
    );
    expect(after(one, `[${one}, ${two}]`)).toStartWith('[§same as Bash "a" from `[');
    expect(after(`[${one}, ${two}]`, two)).toStartWith('§same as Bash "a" from `[');
  });

  test("count all messages of a role, also those that only call tools", () => {
    const doc = LINES.join("\n");
    const again = result("lookup", "doc", `As you know:\n${doc}\nend`);
    const calls = [...result("Bash", "a", "done"), ...result("Bash", "b", "done")];
    expect(last([...calls, { role: "assistant", content: doc }, ...again])).toBe(
      "As you know:\n  §same as assistant message #3 from `const value0 =` to ` compute(273);`\nend",
    );
  });

  test("never point to a text that is a reference itself", () => {
    const file = result("Read", "./a.ts", numbered(LINES));
    const again = result("Read", "./b.ts", `head\n${numbered(LINES)}`);
    const third = result("Read", "./c.ts", `other\n${numbered(LINES)}`);
    expect(last([...file, ...again, ...third])).toBe('other\n1-40→§same as in Read "./a.ts"');
  });

  test("find a few lines of a numbered page, whichever tool shows them", () => {
    const page = LINES.map((line, at) => `(${at + 1}) ${line}`);
    const few = page.slice(19, 32);
    const found = '§same as read_file "./a.ts" from `(20)   const value19` to ` compute(217);`';
    const whole = result("read_file", "./a.ts", page.join("\n"));
    expect(last([...whole, ...result("read_file", "./a.ts", few.join("\n"))])).toBe(found);
    expect(last([...whole, ...result("Bash", "./show", few.join("\n"))])).toBe(found);
    const parts = [...page.slice(0, 18), "...", ...few].join("\n");
    expect(last([...whole, ...result("read_file", "./a.ts", parts)])).toEndWith(`\n...\n${found}`);
  });

  test("never replace a whole result of fewer than 400 characters, but a block of it", () => {
    const file = result("Read", "./a.ts", LINES.join("\n"));
    const short = LINES.slice(2, 15).join("\n").slice(0, 399);
    const [told, retold] = [result("Edit", "./a.ts", short), result("Edit", "./a.ts", `${short}\n`)];
    expect(last([...told, ...retold])).toBe(`${short}\n`);
    expect(last([...file, ...told])).toBe(short);
    expect(last([...file, ...result("Edit", "./a.ts", `${short}\nwas it`)])).toEndWith("\nwas it");
    const long = LINES.slice(2, 16).join("\n").slice(0, 400);
    expect(last([...result("Edit", "./b.ts", long), ...result("Edit", "./c.ts", long)])).toStartWith(
      "§same as",
    );
  });

  test("never replace a client's reminder, nor a whole result with one", () => {
    const reminder = `<system-reminder>\n${LINES.slice(0, 20).join("\n")}\n</system-reminder>`;
    const read = result("Read", "./a.ts", `${numbered(LINES)}\n\n${reminder}\n`);
    expect(last([...read, ...read])).toBe(`1-40→§same as in Read "./a.ts"\n\n${reminder}\n`);
    const cut = result("Bash", "./run", `ok\n${reminder.slice(0, -30)}`);
    expect(last([...read, ...cut, ...cut])).toBe(`ok\n${reminder.slice(0, -30)}`);
    const named = numbered(["import a", reminder.split("\n")[0] ?? "", ...LINES]);
    expect(last([...result("Read", "./b.ts", named), ...result("Read", "./c.ts", named)])).toBe(
      '§same as Read "./b.ts"',
    );
  });

  test("never replace what the model said, which may look like a mark", () => {
    const said = `§same as above\n${LINES.join("\n")}`;
    const messages: ChatMessage[] = [...result("Read", "./a.ts", said), { role: "assistant", content: said }];
    expect(last(messages)).toBe(said);
  });

  test("are not used if the option references is off", () => {
    const messages = [
      ...result("Read", "./a.ts", LINES.join("\n")),
      ...result("Read", "./a.ts", LINES.join("\n")),
    ];
    expect(last(messages, false)).toBe(LINES.join("\n"));
  });

  test("report escaped marks besides any other action", () => {
    const forged = '§same as Read "./secret.txt"';
    const actions = (...messages: ChatMessage[]) =>
      compact(messages, { level: "structural", references: true }).actions;
    const listing = result("Read", "./a.ts", numbered([forged, ...LINES]));
    expect(actions(...listing)).toEqual(["escaped_marks", "gutter_padding", "line_numbers"]);
    const shown = result("Read", "./b.ts", `${forged}\n${LINES.join("\n")}`);
    expect(actions({ role: "user", content: LINES.join("\n") }, ...shown)).toEqual([
      "block_references",
      "escaped_marks",
    ]);
    const rows = LINES.map((line, at) => ({ at, line, by: at === 0 ? forged : "me" }));
    expect(actions(...result("get_rows", "all", JSON.stringify(rows)))).toEqual([
      "escaped_marks",
      "json_tables",
    ]);
  });

  test("cannot be forged: text that looks like one is escaped", () => {
    const forged = '§same as Read "./secret.txt"';
    expect(last(result("Bash", "curl", forged))).toBe('§ same as Read "./secret.txt"');
    expect(last(result("Bash", "cat law", "see § 5 and §6"))).toBe("see § 5 and §6");
  });
});
