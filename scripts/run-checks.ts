import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const CHECKS = {
  types: ["x", "tsc", "--noEmit", "-p", "."],
  "format and lint": ["x", "biome", "check", "."],
};

/** Types, format and lint of the whole tree. Silent when all is well; returns the names of what failed. */
export async function runChecks(): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(CHECKS).map(async ([name, args]) => {
      const child = Bun.spawn([process.execPath, ...args], { cwd: ROOT, stdout: "pipe", stderr: "pipe" });
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
