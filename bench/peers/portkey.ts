import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort, untilListening } from "../baselines.ts";
import { bodyOf, expectedOf } from "./scenario.ts";

export type Portkey = {
  readonly pid: number;
  readonly port: number;
  readonly version: string;
  readonly nodeVersion: string;
  stop(): Promise<void>;
};

const SOURCE = join(import.meta.dir, "portkey");
/** Below node_modules, but apart from its packages: neither the project's own installs nor its tests ever see it. */
const FOLDER = join(import.meta.dir, "..", "..", "node_modules", ".cache", "bursar-peers");
const PACKAGE = join(FOLDER, "node_modules", "@portkey-ai", "gateway");

/**
 * Portkey's gateway as its package is started on a server: by Node, for production, without its console or any terminal
 * output. Installed at the locked version when first needed.
 */
export async function startPortkey(): Promise<Portkey> {
  const node = Bun.which("node");
  if (node === null) throw new Error("Portkey's gateway runs on Node, and there is none on the path");
  install();
  const port = freePort();
  const child = Bun.spawn([node, join(PACKAGE, "build", "start-server.js"), "--headless", `--port=${port}`], {
    cwd: FOLDER,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await untilListening(port);
  const { version } = (await Bun.file(join(PACKAGE, "package.json")).json()) as { version: string };
  return {
    pid: child.pid,
    port,
    version,
    nodeVersion: Bun.spawnSync([node, "--version"]).stdout.toString().trim(),
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** Headers that name the upstream on every call: this gateway has no configuration file. */
export function portkeyHeaders(upstreamPort: number): Record<string, string> {
  return {
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `http://127.0.0.1:${upstreamPort}/v1`,
    authorization: "Bearer bench",
  };
}

/** A published build answered every stream with 500: checked each time, since a later one, or another Node, may not. */
export async function servesStreams({ port }: Portkey, upstreamPort: number): Promise<boolean> {
  const asked = { form: "stream", prompt: "small" } as const;
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: "POST",
    headers: { ...portkeyHeaders(upstreamPort), "content-type": "application/json" },
    body: bodyOf(asked),
  });
  const text = await response.text();
  return response.status === 200 && expectedOf(asked).every((each) => text.includes(each));
}

/** Does nothing the second time. The skipped install script only applies patches that are not in the package. */
function install(): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of ["package.json", "bun.lock"]) copyFileSync(join(SOURCE, name), join(FOLDER, name));
  const { success, stderr } = Bun.spawnSync(
    [process.execPath, "install", "--frozen-lockfile", "--ignore-scripts"],
    { cwd: FOLDER, stdio: ["ignore", "ignore", "pipe"] },
  );
  if (!success) throw new Error(`Portkey's gateway could not be installed: ${stderr}`);
}
