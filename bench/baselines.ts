import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const SOURCE = join(ROOT, "..", "shared", "bench");
/** Inside the project's own modules, so that the baselines find the libraries that they import. */
const COPY = join(ROOT, "node_modules", ".cache", "bursar-bench");

export type Baseline = { readonly pid: number; readonly port: number; stop(): void };

/** The upstream and the bare proxy that every speed figure is held against; null where they are not at hand. */
export function baselinesAtHand(): boolean {
  return existsSync(join(SOURCE, "upstream.ts"));
}

export async function startBaseline(
  name: "upstream" | "bare-proxy",
  port: number,
  ...args: string[]
): Promise<Baseline> {
  mkdirSync(COPY, { recursive: true });
  copyFileSync(join(SOURCE, `${name}.ts`), join(COPY, `${name}.ts`));
  const child = Bun.spawn([process.execPath, join(COPY, `${name}.ts`), String(port), ...args], {
    stdout: "ignore",
    stderr: "inherit",
  });
  await untilListening(port);
  return { pid: child.pid, port, stop: () => child.kill() };
}

export async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const open = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).then(
      (socket) => {
        socket.end();
        return true;
      },
      () => false,
    );
    if (open) return;
    await Bun.sleep(25);
  }
  throw new Error(`nothing listens on port ${port}`);
}

export function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  if (port === undefined) throw new Error("no free port");
  return port;
}
