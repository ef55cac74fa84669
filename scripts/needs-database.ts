import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whatever works on a test database imports this. */
const TEST_DATABASES = Bun.resolveSync("../gateway/src/db/testing.ts", import.meta.dir);

/** Whether one of the files imports what makes test databases, itself or through what it imports. */
export function needsDatabase(files: readonly string[]): boolean {
  const reached = new Set(files);
  // The set grows while it is walked.
  for (const file of reached) {
    if (file === TEST_DATABASES) return true;
    for (const path of importsOf(file)) reached.add(join(dirname(file), path));
  }
  return false;
}

/** Our own files only, and not those that give nothing but types. */
function importsOf(file: string): string[] {
  const loader = /\.(tsx?)$/.exec(file)?.[1];
  if (loader === undefined) return [];
  try {
    const found = new Bun.Transpiler({ loader: loader as "ts" | "tsx" }).scanImports(readFileSync(file));
    return found.map(({ path }) => path).filter((path) => path.startsWith("."));
  } catch {
    // It is missing or cannot be read: the run will say so.
    return [];
  }
}
