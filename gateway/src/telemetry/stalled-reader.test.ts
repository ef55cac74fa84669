import { expect, test } from "bun:test";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LINES = 5_000;
/** Logs far more than a pipe and the sink hold, then says that it is alive, and ends with its input. */
const PROGRAM = `
  import { createLog, logWritten } from ${JSON.stringify(join(import.meta.dir, "index.ts"))};
  const log = createLog({ level: "info", keyPrefix: "svc_live_" });
  for (let i = 0; i < ${LINES}; i++) log.info("line", { i, filler: "x".repeat(500) });
  log.error("urgent");
  setTimeout(() => console.log("alive"), 60);
  for await (const _ of process.stdin);
  await logWritten();
  process.exit(7);
`;

/** Its stderr is a blocking pipe, as from a shell, which is read only when the test asks. */
async function startTalking() {
  const folder = mkdtempSync(join(tmpdir(), "bursar-pipe-"));
  const pipe = join(folder, "pipe");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  // Opened for both reading and writing, so that neither side waits for the other to open it.
  const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const command = ["sh", "-c", 'exec "$0" -e "$1" 2>"$2"', process.execPath, PROGRAM, pipe];
  const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe" });
  const said = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  expect((await said.read()).value).toBe("alive\n");
  return {
    child,
    pipe,
    remove() {
      child.kill("SIGKILL");
      closeSync(reader);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test("a stalled log reader does not stop the process or its end", async () => {
  const talking = await startTalking();
  await talking.child.stdin.end();
  expect(await talking.child.exited).toBe(7);
  talking.remove();
});

test("a log reader that comes back finds whole lines and the number of missed ones", async () => {
  const talking = await startTalking();
  const reading = Bun.spawn(["cat", talking.pipe], { stdout: "pipe" });
  await talking.child.stdin.end();
  expect(await talking.child.exited).toBe(7);
  talking.remove();
  const lines = (await new Response(reading.stdout).text()).trimEnd().split("\n");
  const parsed = lines.map((line) => JSON.parse(line) as { event: string; lines?: number });
  const missed = parsed.reduce((sum, { lines = 0 }) => sum + lines, 0);
  const seen = parsed.filter(({ event }) => event !== "log_lines_dropped").length;
  expect(missed).toBeGreaterThan(0);
  expect(seen + missed).toBe(LINES + 1);
});
