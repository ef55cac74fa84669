import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { makeTestFolder } from "../test-folder.ts";
import { BURSAR, chatStatus, environmentFor } from "./gateway-process.ts";

const TEST_LIMIT_MS = 60_000;

test(
  "a worker serves only health and metrics on its port, and listens nowhere without one",
  async () => {
    const dataDir = makeTestFolder();
    const [shown, hidden] = await Promise.all([startWorker(dataDir, "0"), startWorker(dataDir, "")]);
    try {
      const origin = `http://127.0.0.1:${shown.port}`;
      expect(shown.welcome).toMatchObject({ addresses: null, health: `${origin}/healthz` });
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
      const figures = await (await fetch(`${origin}/metrics`)).text();
      expect(figures).toContain('bursar_scheduled_failures_total{task="audit_ledger"} 0');
      expect(figures).toContain("bursar_ledger_faults");
      expect(await chatStatus(origin, "svc_live_none")).toBe(404);
      expect([hidden.port, hidden.welcome.health]).toEqual([undefined, null]);
    } finally {
      expect(await Promise.all([shown.stop(), hidden.stop()])).toEqual([0, 0]);
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  TEST_LIMIT_MS,
);

/** Ready once its log says so, which is also where its port is found. */
async function startWorker(dataDir: string, PORT: string) {
  const child = Bun.spawn(["node", BURSAR, "serve", "--role", "worker", "--json"], {
    cwd: dataDir,
    env: environmentFor(dataDir, {
      PORT,
      BURSAR_LOG_LEVEL: "info",
      BURSAR_PUBLIC_URL: "https://ai.example.com",
    }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const serving = Promise.withResolvers<{ port?: number }>();
  void (async () => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of child.stderr) {
      text += decoder.decode(piece, { stream: true });
      const line = text.split("\n").find((each) => each.includes('"event":"serving"') && each.endsWith("}"));
      if (line !== undefined) serving.resolve(JSON.parse(line));
    }
    serving.reject(new Error(`the worker ended: ${text}`));
  })();
  const { port } = await serving.promise;
  const welcome = await firstLine(child.stdout);
  return {
    port,
    welcome: JSON.parse(welcome),
    async stop(): Promise<number> {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}

async function firstLine(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of stream) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.slice(0, text.indexOf("\n"));
}
