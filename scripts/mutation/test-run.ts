import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Area } from "./areas.ts";

/** A mutant that loops forever counts as noticed when it is killed; a slow machine must not look like one. */
const LEAST_TIMEOUT_MS = 30_000;
const TIMEOUT_FACTOR = 6;

type TestRun = { readonly passed: boolean; readonly ms: number; readonly output: string };

/** The groups of tests for a file, its own test first. */
export function testsOf(root: string, area: Area, path: string): string[][] {
  const own = path.replace(/\.ts$/, ".test.ts");
  const groups = own !== path && existsSync(join(root, own)) ? [[own]] : [];
  return [...groups, ...area.tests.map((group) => group.filter((each) => each !== own))].filter(
    (group) => group.length > 0,
  );
}

/** Stops at the first failing test. */
export async function runTests(input: {
  folder: string;
  tests: readonly string[];
  databaseUrl: string;
  usualMs: number;
}): Promise<TestRun> {
  const begun = performance.now();
  const child = Bun.spawn(
    [process.execPath, "test", "--bail", "--timeout=30000", ...input.tests.map((test) => `./${test}`)],
    {
      cwd: input.folder,
      env: { ...process.env, BURSAR_TEST_DATABASE_URL: input.databaseUrl },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      timeout: Math.ceil(Math.max(LEAST_TIMEOUT_MS, input.usualMs * TIMEOUT_FACTOR)),
      killSignal: "SIGKILL",
    },
  );
  const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  return { passed: code === 0, ms: performance.now() - begun, output };
}
