import { connect, type Socket } from "node:net";
import { join } from "node:path";

/** A host that drops every new connection attempt without a word, as a firewall or a dead route does. */
export type UnreachableUpstream = { readonly baseUrl: string; close(): void };

/** More than any listener's queue of connections that nobody accepts. */
const MOST_CONNECTIONS = 2_000;
const SETTLE_MS = 50;
/** On a busy machine an open door may be slow: who is silent for this long is closed. */
const SILENT_MS = 600;

/**
 * Made of a process that listens and then never accepts: once its queue is full, the kernel stays silent.
 * Null where the kernel answers all the same, so the machine cannot play this part.
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
