import { asMutants, type Edit, type Mutant } from "./mutant.ts";

const SWAPS: Readonly<Record<string, string>> = {
  "+": "-",
  "-": "+",
  "*": "/",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "=": "<>",
  "<>": "=",
  and: "or",
  or: "and",
  least: "greatest",
  greatest: "least",
  ceil: "floor",
  true: "false",
  false: "true",
  not: "",
  "is null": "is not null",
  "is not null": "is null",
  "for update": "",
};

/** `select 1` and `perform 1` only test whether there is a row; any number would do. */
const TOKEN =
  /--[^\n]*|\b(?:select|perform) 1\b|'(?:[^']|'')*'|\bis not null\b|\bis null\b|\bfor update\b|:=|<=|>=|<>|[-+*<>=]|\b[a-z_]\w*\b|\b\d+\b|;|::/g;

/** Assignments and statements of a function body. */
const STATEMENT =
  /(?<=[\n;]\s*|then |else )(?:[a-z_][\w.]* :=|perform|update|insert|delete|return|raise|continue)[^;']*(?:'[^']*'[^;']*)*;/g;

/** Mutants of the body between the dollar quotes of a file's function; the server decides whether each is valid SQL. */
export function mutantsOfSql(path: string, text: string): Mutant[] {
  const bodyStart = text.indexOf("$$") + 2;
  const bodyEnd = text.lastIndexOf("$$");
  const body = text.slice(bodyStart, bodyEnd);
  const begin = /^begin$/m.exec(body)?.index ?? 0;
  const edits: Edit[] = [...body.matchAll(TOKEN)].flatMap((match) => {
    const now = Object.hasOwn(SWAPS, match[0])
      ? SWAPS[match[0]]
      : /^\d+$/.test(match[0])
        ? String(Number(match[0]) + 1)
        : undefined;
    if (now === undefined) return [];
    return [{ start: bodyStart + match.index, end: bodyStart + match.index + match[0].length, now }];
  });
  for (const match of body.matchAll(/\b(?:els)?if ([^;]*?) then\b/g)) {
    const start = bodyStart + match.index + match[0].indexOf(match[1] ?? "");
    edits.push({ start, end: start + (match[1] ?? "").length, now: "false" });
  }
  for (const match of body.slice(begin).matchAll(STATEMENT)) {
    const start = bodyStart + begin + match.index;
    edits.push({ start, end: start + match[0].length, now: "null;" });
  }
  return asMutants(path, text, edits);
}
