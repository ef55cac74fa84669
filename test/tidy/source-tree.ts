import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT_FOLDERS } from "./house.ts";

export type SourceFile = { readonly path: string; readonly text: string; readonly lineCount: number };

const ROOT = join(import.meta.dir, "..", "..");
/** What git ignores too: installed, generated, or personal files. */
const FOREIGN = /^(node_modules|data|dist|gallery|bursar\.yaml|\.env|\.(?!ci$|gitignore$).*|.*\.log)$/;
const BINARY = /\.(png|jpg|jpeg|webp|gif|ico|woff2?|mp3|mp4|wasm|gz)$/;

/** Every text file of the project, by its path from the root. */
export const tree: readonly SourceFile[] = readTree();

/** TypeScript that runs in the service. */
export const serviceFiles = tree.filter(
  ({ path }) => isService(path) && path.endsWith(".ts") && !isTestCode(path),
);

/** TypeScript that runs in the browser. */
export const consoleFiles = tree.filter(({ path }) => /^console\/.*\.tsx?$/.test(path));

/** TypeScript that only tests run. */
export const testFiles = tree.filter(({ path }) => path.endsWith(".ts") && isTestCode(path));

/** All TypeScript, and the JavaScript that runs before Bun is available. */
export const codeFiles = tree.filter(({ path }) => /\.(tsx?|mjs)$/.test(path));

export function isService(path: string): boolean {
  return /^(gateway|compaction|sandbox)\/src\//.test(path);
}

/** The only way into a room for others. */
export function doorOf(room: string): string {
  if (room === "version") return "gateway/src/version.ts";
  return isPackage(room) ? `${room}/src/index.ts` : `gateway/src/${room}/index.ts`;
}

export function isRoomDoor(path: string): boolean {
  return path === doorOf(roomOf(path));
}

/** The decoder of compaction is written for proofs; whoever wants it may have it, too. */
export function isTestCode(path: string): boolean {
  return /^(test|compaction\/expand)\//.test(path) || /(\.test|\/testing|-testing)\.ts$/.test(path);
}

/**
 * The room that a file belongs to: `ledger` for `gateway/src/ledger/store.ts`, `compaction` for all of that package.
 * Of the files directly in gateway/src, `version.ts` is a room; the others, and folders without a door, are the
 * composition root.
 */
export function roomOf(path: string): string {
  const [top = "", , first = "", second] = path.split("/");
  if (isPackage(top)) return top;
  if (second !== undefined) return ROOT_FOLDERS.includes(first) ? "root" : first;
  return first === "version.ts" ? "version" : "root";
}

/** Packages beside the gateway, each of which is one room. */
function isPackage(room: string): boolean {
  return room === "compaction" || room === "sandbox";
}

export function readProjectFile(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function readTree(): SourceFile[] {
  return readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) => {
    if (FOREIGN.test(entry.name)) return [];
    if (entry.isFile()) return readSource(entry.name);
    if (!entry.isDirectory()) return [];
    return readdirSync(join(ROOT, entry.name), { recursive: true, withFileTypes: true })
      .filter((inner) => inner.isFile() && !inner.parentPath.includes("node_modules"))
      .map((inner) => join(inner.parentPath, inner.name).slice(ROOT.length + 1))
      .flatMap(readSource);
  });
}

function readSource(path: string): SourceFile[] {
  if (BINARY.test(path)) return [];
  const text = readProjectFile(path);
  return [{ path, text, lineCount: text.split("\n").length - 1 }];
}
