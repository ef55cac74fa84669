import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { makeTestFolder } from "../test-folder.ts";
import { BURSAR, environmentFor } from "./gateway-process.ts";

const TEST_LIMIT_MS = 60_000;

test(
  "a gateway whose output is closed still serves, and logs once that output was lost",
  async () => {
    const dataDir = makeTestFolder();
    const child = Bun.spawn(["node", BURSAR, "serve"], {
      cwd: dataDir,
      env: environmentFor(dataDir, { BURSAR_LOG_LEVEL: "info" }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    try {
      await child.stdout.cancel();
      const lines = linesOf(child.stderr);
      const { port } = await lines.find("serving");
      const { error } = await lines.find("output_lost");
      expect(error).toContain("EPIPE");
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
      child.kill("SIGTERM");
      expect([await child.exited, lines.count("output_lost"), lines.count("unhandled_error")]).toEqual([
        0, 1, 0,
      ]);
    } finally {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

type Line = { readonly event: string; readonly port?: number; readonly error?: string };

/** Collects the lines of a log as it is written. */
function linesOf(log: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const lines: Line[] = [];
  let isOver = false;
  void (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const piece of log) {
      const parts = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) if (part.startsWith("{")) lines.push(JSON.parse(part));
    }
    isOver = true;
  })();
  return {
    async find(event: string): Promise<Line> {
      for (;;) {
        const found = lines.find((line) => line.event === event);
        if (found !== undefined) return found;
        if (isOver) throw new Error(`no ${event} in ${JSON.stringify(lines)}`);
        await Bun.sleep(10);
      }
    },
    count: (event: string) => lines.filter((line) => line.event === event).length,
  };
}
