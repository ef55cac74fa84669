import { connect, type Socket } from "node:net";
import { join } from "node:path";

/** A host that silently drops every new connection, like a firewall or a dead route. For tests of connect timeouts. */
type UnreachableUpstream = { readonly baseUrl: string; close(): void };

/** More than any listener's backlog. */
const MOST_CONNECTIONS = 2_000;
const SETTLE_MS = 50;
/** Even on a busy machine, a connection that is not open by now was dropped. */
const SILENT_MS = 600;

/**
 * A process that listens and never accepts: once its backlog is full, the kernel drops new connections. Null if the
 * kernel accepts them nevertheless, so that this cannot be tested on the machine.
 */
export async function startUnreachableUpstream(): Promise<UnreachableUpstream | null> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "frozen-listener.ts")], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value).trim());
  const sockets: Socket[] = [];
  const close = () => {
    for (const socket of sockets) socket.destroy();
    child.kill("SIGKILL");
  };
  while (sockets.length < MOST_CONNECTIONS) {
    const round = await Promise.all(Array.from({ length: 100 }, () => knock(port, SETTLE_MS)));
    sockets.push(...round.map(({ socket }) => socket));
    if (round.every(({ isOpen }) => isOpen)) continue;
    const last = await knock(port, SILENT_MS);
    sockets.push(last.socket);
    if (!last.isOpen) return { baseUrl: `http://127.0.0.1:${port}/v1`, close };
  }
  close();
  return null;
}

function knock(port: number, limitMs: number): Promise<{ socket: Socket; isOpen: boolean }> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const timer = setTimeout(() => resolve({ socket, isOpen: false }), limitMs);
    socket.on("error", () => {});
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve({ socket, isOpen: true });
    });
  });
}
