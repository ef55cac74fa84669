import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One test of a run; `group` is its describe block. */
export type TestedCase = { readonly group: string; readonly name: string; readonly passed: boolean };

type TestedRun = {
  readonly cases: readonly TestedCase[];
  readonly seconds: number;
  readonly ok: boolean;
};

const TEST = join(import.meta.dir, "..", "test.ts");

/** Runs tests in their long form on their own PostgreSQL, and returns the outcome of each. */
export async function runTested(
  paths: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<TestedRun> {
  const folder = mkdtempSync(join(tmpdir(), "bursar-tested-"));
  const report = join(folder, "report.xml");
  const startedMs = performance.now();
  const runner = Bun.spawn(
    [process.execPath, TEST, "--long", ...paths, "--reporter=junit", `--reporter-outfile=${report}`],
    { env: { ...process.env, ...environment }, stdio: ["ignore", "inherit", "inherit"] },
  );
  try {
    const ok = (await runner.exited) === 0;
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    return { cases: casesIn(readFileSync(report, "utf8")), seconds, ok };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const CASE = /<testcase name="([^"]*)" classname="([^"]*)"[^>]*?(\/>|>([\s\S]*?)<\/testcase>)/g;

function casesIn(xml: string): TestedCase[] {
  return [...xml.matchAll(CASE)].map(([, name = "", group = "", , body = ""]) => ({
    name: plain(name),
    group: plain(group),
    passed: !/<(failure|error|skipped)/.test(body),
  }));
}

function plain(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
