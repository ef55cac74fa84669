import { expect, test } from "bun:test";
import { join } from "node:path";
import { EmbeddedPostgresError, UnreachableDatabaseError } from "../../db/index.ts";
import { startedUnlessStopped } from "./stop-signals.ts";

const MODULE = join(import.meta.dir, "stop-signals.ts");
const PROGRAM = `
  import { stopSignal } from ${JSON.stringify(MODULE)};
  const stopped = stopSignal();
  process.stdin.on("end", () => process.exit(0)).resume();
  console.log("up");
  console.log(await stopped);
`;

/** A process that waits for its signal, and then for its input to end, like one that drains. */
async function startWaiting() {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], { stdin: "pipe", stdout: "pipe" });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  expect((await lines.read()).value).toBe("up\n");
  return { child, line: async () => (await lines.read()).value };
}

test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)(
  "%s starts a drain, and further signals do not end the process",
  async (signal) => {
    const { child, line } = await startWaiting();
    child.kill(signal);
    expect(await line()).toBe(`${signal}\n`);
    // The same request, passed on by a terminal, a package runner and a supervisor.
    for (const again of ["SIGTERM", "SIGINT", "SIGHUP"] as const) child.kill(again);
    child.stdin.end();
    expect(await child.exited).toBe(0);
  },
);

/** A start that fails because a program in the same process group ends, as initdb does. */
const STARTING = `
  import { spawn } from "node:child_process";
  import { EmbeddedPostgresError } from ${JSON.stringify(join(import.meta.dir, "..", "..", "db", "index.ts"))};
  import { startedUnlessStopped, stopSignal } from ${JSON.stringify(MODULE)};
  const stopped = stopSignal();
  const initdb = spawn("sleep", ["60"]);
  const start = new Promise((_, reject) =>
    initdb.on("exit", () => reject(new EmbeddedPostgresError("initdb failed"))),
  );
  initdb.on("spawn", () => console.log("up"));
  process.exit(await startedUnlessStopped(stopped, start));
`;

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGQUIT", 131],
] as const)(
  "%s to the process group while the database is created ends quietly with %d",
  async (signal, code) => {
    // Its own process group, as a shell makes for each command.
    const child = Bun.spawn([process.execPath, "-e", STARTING], {
      detached: true,
      stdout: "pipe",
      stderr: "pipe",
    });
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    expect((await lines.read()).value).toBe("up\n");
    process.kill(-child.pid, signal);
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([code, ""]);
  },
);

test("a start stopped while it waits for the database ends with 143, not with an error", async () => {
  const away = Promise.reject(new UnreachableDatabaseError("cannot be reached"));
  expect(await startedUnlessStopped(Promise.resolve("SIGTERM"), away)).toBe(143);
});

test("a failed start is reported if nobody stopped it, and so is any other failure", async () => {
  const never = new Promise<NodeJS.Signals>(() => {});
  const broken = new EmbeddedPostgresError("initdb failed");
  await expect(startedUnlessStopped(never, Promise.reject(broken))).rejects.toBe(broken);
  const other = new Error("wrong setting");
  await expect(startedUnlessStopped(Promise.resolve("SIGTERM"), Promise.reject(other))).rejects.toBe(other);
});
