import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffLines, shortenDiff } from "../../gateway/src/cli/line-diff.ts";

const HOW_TO_ACCEPT =
  "If every line of this is meant, accept it with `WRITE_GOLDEN=1 npm test -- test/golden` and commit the file.";

/**
 * Compares with what was recorded under this name. Golden output shows what somebody outside can notice, so that a
 * change that is meant to change nothing shows what it did change.
 */
export function expectGolden(name: string, seen: string): void {
  const file = join(import.meta.dir, `${name}.golden.txt`);
  if (process.env["WRITE_GOLDEN"] === "1") writeFileSync(file, seen);
  const recorded = existsSync(file) ? readFileSync(file, "utf8") : "";
  const difference = differenceOf(recorded, seen);
  if (difference !== null) throw new Error(`${name} is not as recorded.\n${difference}\n${HOW_TO_ACCEPT}`);
}

/** Null if there is none; otherwise the changed lines, with a few around them. */
export function differenceOf(recorded: string, seen: string): string | null {
  if (recorded === seen) return null;
  const lines = shortenDiff(diffLines(recorded, seen));
  return lines.map(({ sign, text }) => `${sign} ${text}`).join("\n");
}

/** JSON with sorted keys, one value per line. */
export function sortedJson(value: unknown): string {
  return `${JSON.stringify(sorted(value), null, 1)}\n`;
}

function sorted(value: unknown): unknown {
  if (value instanceof Map) return sorted(Object.fromEntries(value));
  if (value instanceof Set) return [...value].sort();
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(names.map(([name, inner]) => [name, sorted(inner)]));
}

/** Each line once, in an order that does not depend on where it was found. */
export function sortedLines(lines: Iterable<string>): string {
  return `${[...new Set(lines)].sort().join("\n")}\n`;
}

const ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Replaces ids by the order in which they appear: the first is `<id 1>`, wherever it is repeated. */
export function withNumberedIds(text: string): string {
  const seen = new Map<string, number>();
  return text.replace(ID, (id) => {
    const number = seen.get(id) ?? seen.size + 1;
    seen.set(id, number);
    return `<id ${number}>`;
  });
}
