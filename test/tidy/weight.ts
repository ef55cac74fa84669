import { isTestCode, roomOf, type SourceFile, tree } from "./source-tree.ts";
import { codeOf } from "./tokens.ts";

/** SQL and styles, whose tokens are words and signs; comments do not count. */
const PLAIN = /\.(sql|css)$/;
const COMMENT = /\/\*[\s\S]*?\*\/|--[^\n]*/g;
const TOKEN = /[\w$.]+|'[^']*'|[^\s\w]/g;

/** How many code tokens each part of the product is made of. Comments, blank lines and joined lines change nothing. */
export function weights(files: readonly SourceFile[] = tree): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const file of files) {
    const part = partOf(file.path);
    if (part !== null) sums.set(part, (sums.get(part) ?? 0) + tokenCount(file));
  }
  return sums;
}

/** Null for what does not count: tests, benches, documents, data. */
function partOf(path: string): string | null {
  if (isTestCode(path) || !(PLAIN.test(path) || /\.(tsx?|mjs)$/.test(path))) return null;
  const [top = ""] = path.split("/", 1);
  if (path.startsWith("gateway/src/")) return roomOf(path) === "root" ? "app" : roomOf(path);
  // What databases of the base were made of; nothing new is written there.
  if (path === "gateway/sql/tables-0031.sql") return null;
  if (top === "gateway") return "sql";
  return ["compaction", "sandbox", "console", "scripts"].includes(top) ? top : null;
}

function tokenCount(file: SourceFile): number {
  if (!PLAIN.test(file.path)) return codeOf(file).length;
  return file.text.replaceAll(COMMENT, " ").match(TOKEN)?.length ?? 0;
}
