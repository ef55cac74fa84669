import { expect, test } from "bun:test";
import { readProjectFile, type SourceFile, serviceFiles } from "./source-tree.ts";
import { codeOf, type Token } from "./tokens.ts";
import { expectNone, type Violation } from "./violation.ts";

const PAGE = "docs/observe.md";

/** The cells of every row whose first cell is a name in backquotes. */
function rowsOf(markdown: string): string[][] {
  return markdown
    .split("\n")
    .filter((line) => /^\| `\w+` \|/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.replaceAll("`", "").trim()),
    );
}

const rows = rowsOf(readProjectFile(PAGE));
const isMetric = ([name = ""]: readonly string[]) => name.startsWith("bursar_");

/** The strings in the first list after `at`, within the call that begins there. */
function listAfter(code: readonly Token[], at: number): string {
  let depth = 0;
  const found: string[] = [];
  let isInList = false;
  for (const { kind, text } of code.slice(at)) {
    if (kind === "sign" && /^[([{]$/.test(text)) depth++;
    if (kind === "sign" && /^[)\]}]$/.test(text)) depth--;
    if (depth === 0 || (isInList && text === "]")) break;
    if (isInList && kind === "string") found.push(text);
    isInList ||= kind === "sign" && text === "[";
  }
  return found.join(", ");
}

/** Each metric as `name type labels`. */
function metricsOf(file: SourceFile): string[] {
  const code = codeOf(file);
  return code.flatMap(({ kind, text }, at) => {
    const [before, open] = [code[at - 2]?.text ?? "", code[at - 1]?.text];
    if (kind !== "string" || open !== "(" || !/^(counter|gauge|histogram)$/.test(before)) return [];
    return [`${text} ${before} ${listAfter(code, at - 1)}`.trim()];
  });
}

const LEVELS = /^(warn|error)$/;

/** Where the event is a variable: the level, and what precedes the strings that it can be. */
const GIVEN_BY_OTHERS = [
  {
    by: "gateway/src/app/serving/node-differences.ts",
    level: "warn",
    in: /ledger\/lease\/node-differences/,
    behind: "event :",
  },
  {
    by: "gateway/src/app/serving/before-first-call.ts",
    level: "warn",
    in: /src\/app\/(serving\/|services\.ts)/,
    behind: "log ,",
  },
  {
    by: "gateway/src/app/serving/supervised-worker.ts",
    level: "error",
    in: /supervised-worker/,
    behind: "of ,",
  },
  {
    by: "gateway/src/app/serving/supervised-worker.ts",
    level: "error",
    in: /supervised-worker/,
    behind: "child ,",
  },
] as const;

/** Each event logged as a warning or an error, as `event level`. */
function eventsOf(file: SourceFile): string[] {
  const code = codeOf(file);
  const given = GIVEN_BY_OTHERS.filter((one) => one.in.test(file.path));
  return code.flatMap(({ kind, text }, at) => {
    if (kind !== "string") return [];
    const [third, second, first] = [code[at - 3]?.text, code[at - 2]?.text ?? "", code[at - 1]?.text];
    if (/^\??\.$/.test(third ?? "") && LEVELS.test(second) && first === "(") return [`${text} ${second}`];
    return given
      .filter(({ behind }) => behind === `${second} ${first}`)
      .map(({ level }) => `${text} ${level}`);
  });
}

/** Places where a log call gets an event that is not a string literal. */
function variableEventsOf(file: SourceFile): Violation[] {
  const code = codeOf(file);
  return code.flatMap(({ text, line }, at) => {
    const isCall = text === "log" && code[at + 1]?.text === "." && LEVELS.test(code[at + 2]?.text ?? "");
    const isGiven = GIVEN_BY_OTHERS.some(({ by }) => by === file.path);
    if (!isCall || code[at + 4]?.kind === "string" || isGiven) return [];
    return [{ path: file.path, line, what: `log.${code[at + 2]?.text}(${code[at + 4]?.text}` }];
  });
}

const sorted = (all: readonly string[]) => [...new Set(all)].sort();

test("docs/observe.md lists exactly the metrics that are served, with type and labels", () => {
  const listed = rows.filter(isMetric).map(([name, type, labels]) => `${name} ${type} ${labels}`.trim());
  expect(sorted(listed)).toEqual(sorted(serviceFiles.flatMap(metricsOf)));
});

test("docs/observe.md lists exactly the events logged as warnings and errors, with their level", () => {
  const listed = rows.filter((row) => !isMetric(row)).map(([event, level]) => `${event} ${level}`);
  expect(sorted(listed)).toEqual(sorted(serviceFiles.flatMap(eventsOf)));
  expect(listed.length).toBe(new Set(listed).size);
});

test("every warning and error is logged with a literal event name", () => {
  expectNone(serviceFiles.flatMap(variableEventsOf), "Write the event there, as a string.");
});

test("docs/observe.md marks exactly the metrics that docs/operate.md raises alarms on", () => {
  const [, watch = ""] = readProjectFile("docs/operate.md").split("| alarm when | it means |");
  const conditions = watch
    .split("\n\n")[0]
    ?.split("\n")
    .map((line) => line.split(" | ")[0] ?? "");
  const alarming = [...(conditions?.join(" ").matchAll(/bursar_\w+/g) ?? [])].map(([name]) => name);
  const marked = rows.filter((row) => isMetric(row) && row[4] === "yes").map(([name = ""]) => name);
  expect(sorted(marked)).toEqual(sorted(alarming));
});
