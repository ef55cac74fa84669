import { join } from "node:path";

type Baseline = { readonly pid: number; readonly port: number; stop(): Promise<void> };

/**
 * The upstream and the proxies that every speed figure is compared with, each in its own process. The first two do the
 * work of the reference programs with which targets were once stated; called in turns, in all eight scenarios of
 * `bench/peers`, the two pairs cost the same CPU per call within the noise of a busy machine.
 */
export async function startBaseline(
  name: "upstream" | "bare-proxy" | "billed-proxy",
  ...args: string[]
): Promise<Baseline> {
  const port = freePort();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), String(port), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await untilListening(port);
  return {
    pid: child.pid,
    port,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

export async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
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

/**
 * Below the ports that systems give to whoever asks for any, and to outgoing connections: once it is free, nothing else
 * that runs here takes it before its owner does, nor after its owner has left it.
 */
const FREE_PORTS = { from: 10_000, below: 32_000 };
const MOST_TRIES = 100;

export function freePort(): number {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const port = FREE_PORTS.from + Math.floor(Math.random() * (FREE_PORTS.below - FREE_PORTS.from));
    try {
      Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() }).stop(true);
      return port;
    } catch {
      // Taken: another one is free.
    }
  }
  throw new Error("no free port");
}
