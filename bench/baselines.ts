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

export function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  if (port === undefined) throw new Error("no free port");
  return port;
}
