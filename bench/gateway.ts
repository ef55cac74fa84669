import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withRuntimeEnv } from "../scripts/runtime-env.mjs";
import { freePort, untilListening } from "./baselines.ts";
import { benchFolder, postgresPid } from "./bench-database.ts";

const MAIN = join(import.meta.dir, "..", "gateway", "src", "main.ts");

export type BenchGateway = {
  readonly origin: string;
  readonly pid: number;
  /** The main process of the embedded PostgreSQL. */
  readonly postgresPid: number;
  readonly key: string;
  readonly folder: string;
  stop(): Promise<void>;
};

/** A gateway as shipped, billing on, with one model on the given upstream and limits out of reach. */
export async function startBenchGateway(
  upstreamPort: number,
  more: MoreSettings = {},
): Promise<BenchGateway> {
  const folder = benchFolder();
  const port = freePort();
  writeFileSync(join(folder, "bursar.yaml"), benchSettings(upstreamPort, more));
  const child = Bun.spawn([process.execPath, MAIN, "serve"], {
    cwd: folder,
    env: withRuntimeEnv({
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      PORT: String(port),
      BURSAR_DATA_DIR: join(folder, "data"),
    }),
    stdout: "pipe",
    stderr: Bun.file(join(folder, "log")),
  });
  const key = await keyFrom(child.stdout);
  await untilListening(port);
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid,
    postgresPid: postgresPid(join(folder, "data")),
    key,
    folder,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lines of YAML that are appended to the default entries. */
type MoreSettings = { readonly providers?: string; readonly models?: string };

/** One model on the upstream, and limits out of reach. */
export function benchSettings(
  upstreamPort: number,
  { providers = "", models = "" }: MoreSettings = {},
): string {
  return `
providers:
  bench: { kind: openai-wire, base_url: "http://127.0.0.1:${upstreamPort}/v1" }${providers}
models:
  - id: bench-chat
    name: Bench
    type: text
    targets: [{ provider: bench, model: m }]
    credits_per_request: 1
    price: { input_per_million: 100, output_per_million: 400 }
    limits: { context_tokens: 128000, max_output_tokens: 8192 }${models}
plans:
  pro: { monthly_credits: 1000000000, requests_per_minute: 1000000, in_flight: 100000 }
`;
}

async function keyFrom(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const key = /svc_live_[0-9A-Za-z]{43}/.exec(text)?.[0];
    if (key !== undefined && text.includes("Ctrl-C")) return key;
  }
  throw new Error(`the gateway did not start: ${text}`);
}
