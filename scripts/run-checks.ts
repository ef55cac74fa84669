import { setPriority } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const CHECKS = {
  // One checker: several would each compute the same again, a fifth more CPU beside the lint without saving time.
  types: ["x", "tsc", "--noEmit", "-p", ".", "--checkers", "1"],
  "format and lint": ["x", "biome", "check", "."],
};

/** The compiler is a Go program that runs for seconds: collecting garbage less often saves a fifth of its CPU. */
const FEWER_COLLECTIONS = { GOGC: "400" };

/** Niceness: checks use the CPU that the tests leave. Tests idle a fifth of their time, and some have time limits. */
const GIVING_WAY = 19;

type BesideTests = {
  /** Stopping the tests stops the checks, too. */
  readonly stop: AbortSignal;
};

/**
 * Checks types, format and lint of the whole tree. Silent if all is well; returns the names of the checks that failed.
 * Runs at low priority alongside tests.
 */
export async function runChecks(beside?: BesideTests): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(CHECKS).map(async ([name, args]) => {
      const child = Bun.spawn([process.execPath, ...args], {
        cwd: ROOT,
        env: { ...FEWER_COLLECTIONS, ...process.env },
        stdout: "pipe",
        stderr: "pipe",
        ...(beside && { signal: beside.stop }),
      });
      if (beside) setPriority(child.pid, GIVING_WAY);
      const [stdout, stderr, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { name, failed: code !== 0, output: `${stdout}${stderr}` };
    }),
  );
  for (const { name, failed, output } of outcomes) {
    console.log(failed ? `${output.trimEnd()}\n${name}: failed` : `${name}: ok`);
  }
  return outcomes.filter((outcome) => outcome.failed).map((outcome) => outcome.name);
}
