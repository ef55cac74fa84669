import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withRuntimeEnv } from "../../scripts/runtime-env.mjs";
import { freePort } from "../baselines.ts";
import { benchSettings } from "../gateway.ts";
import { childrenOf, cpuMicros } from "../process-cpu.ts";

const MAIN = join(import.meta.dir, "..", "..", "gateway", "src", "main.ts");

export type ScaleUpstream = {
  readonly port: number;
  /** Most slow calls that ran concurrently since this was last called. */
  slowAtMost(): Promise<number>;
  stop(): Promise<void>;
};

export async function startUpstream(): Promise<ScaleUpstream> {
  const listening = Promise.withResolvers<number>();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "upstream.ts")], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (port: number) => listening.resolve(port),
  });
  const port = await listening.promise;
  return {
    port,
    async slowAtMost() {
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      return ((await answer.json()) as { slowAtMost: number }).slowAtMost;
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

export type ScaleGateway = {
  readonly origin: string;
  /** CPU of all its processes. */
  cpuMicros(): number;
  stop(): Promise<void>;
};

/** `bursar serve --workers N` as shipped, on the data folder of a bench. */
export async function startScaleGateway(input: {
  folder: string;
  upstreamPort: number;
  workers: number;
}): Promise<ScaleGateway> {
  const { folder, workers } = input;
  const port = freePort();
  writeFileSync(join(folder, "bursar.yaml"), benchSettings(input.upstreamPort));
  const child = Bun.spawn([process.execPath, MAIN, "serve", "--workers", String(workers)], {
    cwd: folder,
    env: withRuntimeEnv({
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      PORT: String(port),
      BURSAR_DATA_DIR: folder,
      BURSAR_DEMO: "false",
      BURSAR_SANDBOX: "false",
    }),
    stdout: "pipe",
    stderr: Bun.file(join(folder, "gateway.log")),
  });
  await untilRunning(child.stdout);
  const pids = workers === 1 ? [child.pid] : childrenOf(child.pid);
  return {
    origin: `http://127.0.0.1:${port}`,
    cpuMicros: () => pids.reduce((sum, pid) => sum + cpuMicros(pid), 0),
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

async function untilRunning(output: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("Ctrl-C")) return;
  }
  throw new Error(`the gateway did not start: ${text}`);
}
