import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";
import { expand } from "../testing/expand-testing.ts";
import { scanJsonLines } from "./json-lines.ts";

const OPTIONS = { level: "structural", references: true } as const;
const LOG = Array.from({ length: 30 }, (_, at) => ({
  level: at % 9 === 0 ? "warn" : "info",
  message: "request completed",
  path: `/v1/items/${at * 7}`,
  took: at * 3.5,
}));
const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");

let calls = 0;
function result(name: string, content: string): ChatMessage[] {
  const call = { id: `call_${++calls}`, name, arguments: '{"command":"kubectl logs web"}' };
  return [
    { role: "assistant", content: null, toolCalls: [call] },
    { role: "tool", toolCallId: call.id, content },
  ];
}

/** The last message after compaction; also checks that all messages can be expanded again. */
function last(...messages: readonly ChatMessage[]): unknown {
  const { messages: shown } = compact(messages, OPTIONS);
  expect(expand(shown, OPTIONS)).toEqual([...messages]);
  return shown.at(-1)?.content;
}

describe("lines of JSON", () => {
  const head = '{"§cols":["level",{"message=":"request completed"},"path","took"]\nwarn,/v1/items/0,0\n';

  test("become one table", () => {
    expect(last(...result("Bash", lines(LOG)))).toStartWith(`§json lines\n${head}`);
    expect(last(...result("get_log", `${lines(LOG)}\n`))).toEndWith("info,/v1/items/203,101.5\n}\n");
    const spaced = lines(LOG).replaceAll(/("(?:[^"\\]|\\.)*")|[,:]/g, (sign, text) => text ?? `${sign} `);
    expect(last(...result("Bash", spaced))).toStartWith(
      '§json lines\n{"§cols": ["level", {"message=": "request completed"}, "path", "took"]\nwarn,',
    );
  });

  test("become a table after a line that introduces them, but not after one of another style", () => {
    expect(last(...result("Bash", `Output:\n${lines(LOG)}`))).toStartWith(`Output:\n§json lines\n${head}`);
    const text = `{"level": "info"}\n${lines(LOG)}`;
    expect(last(...result("Bash", text))).not.toContain("§json");
  });

  test("refer to rows that came before", () => {
    const more = [...LOG.slice(10), { level: "warn", message: "request completed", path: "/", took: 1 }];
    expect(last(...result("Bash", lines(LOG)), ...result("Bash", lines(more)))).toBe(
      '§json lines\n{"§cols":["level",{"message=":"request completed"},"path","took"]\n' +
        '§same as Bash "kubectl logs web" from `info,/v1/items/70,35` to `items/203,101.5`\nwarn,/,1\n}',
    );
  });

  test("stay unchanged in what may be a file", () => {
    for (const name of ["Read", "unheard_of"]) expect(last(...result(name, lines(LOG)))).toBe(lines(LOG));
  });

  test.each([
    '{"a":1}',
    '{"a":1}\n',
    '{"a":1}\n{"a":2},{"a":3}',
    '{"a":[1\n2]}\n{"a":1}',
    '{"a":1\n{"a":1}',
    '{"a":[1\n2]},{"a":1}',
    '{"a":1}\n\n{"a":2}',
    '{"a":1}\n{"a":2}\n\n',
    '{"a":1}\n{"a": 2}',
    '{"a":1} \n{"a":2}',
    '{"a":1}\n {"a":2}',
    '{"a":1}\r\n{"a":2}',
    '{"a":1}\n{"a":2}\n[3]',
    '{"a":1}\n{"a":2}\nDone.',
    '{\n"a":1}\n{"a":2}',
  ])("are not recognized if they could not be written again exactly: %j", (text) => {
    expect(scanJsonLines(text)).toBeNull();
  });

  test("that are recognized can be written again exactly", () => {
    const part = fc.constantFrom(
      '{"a":1}',
      '{"a":[1',
      "2]}",
      "\n",
      ",",
      " ",
      "{}",
      '{"a":"\\n"}',
      "}",
      '{"a":1}\n',
      "{}\n",
    );
    let recognized = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        const text = parts.join("");
        const found = scanJsonLines(text);
        if (found === null) return;
        recognized++;
        const members = JSON.parse(found.tape.text) as object[];
        expect(members.map((one) => JSON.stringify(one)).join("\n") + found.rest).toBe(text);
      }),
      { numRuns: 3_000 },
    );
    expect(recognized).toBeGreaterThan(0);
  });
});
