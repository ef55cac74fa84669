import { expect, test } from "bun:test";
import { join } from "node:path";

const MODULE = join(import.meta.dir, "stop-signals.ts");
const PROGRAM = `
  import { stopSignal } from ${JSON.stringify(MODULE)};
  const stopped = stopSignal();
  process.stdin.on("end", () => process.exit(0)).resume();
  console.log("up");
  console.log(await stopped);
`;

/** A process that waits for its signal, and then for its input to end, as one that drains would. */
async function startWaiting() {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], { stdin: "pipe", stdout: "pipe" });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  expect((await lines.read()).value).toBe("up\n");
  return { child, line: async () => (await lines.read()).value };
}

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s begins a drain, once", async (signal) => {
  const { child, line } = await startWaiting();
  child.kill(signal);
  expect(await line()).toBe(`${signal}\n`);
  // The same wish, passed on by a terminal, a package runner and a supervisor.
  for (const again of ["SIGTERM", "SIGINT", "SIGHUP"] as const) child.kill(again);
  child.stdin.end();
  expect(await child.exited).toBe(0);
});
