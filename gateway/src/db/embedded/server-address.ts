import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { present } from "../../kit/index.ts";
import { ROLE } from "./cluster.ts";
import type { ClusterPaths } from "./cluster-paths.ts";
import { type Postmaster, SOCKET_PORT } from "./lock-file.ts";
import type { ServerSettings } from "./server-settings.ts";

/** `host` is the folder with the server's socket, or 127.0.0.1. */
export type ServerAddress = { readonly host: string; readonly port: number };

/** How to reach a server: over TCP only if a socket is impossible. */
export type Transport = "socket" | "tcp";

/** Kernels limit socket paths to 104 or 108 bytes. */
const MAX_SOCKET_PATH_BYTES = 100;
const ANSWER_TIMEOUT_MS = 1_000;

function socketPath(paths: ClusterPaths): string {
  return join(paths.cluster, `.s.PGSQL.${SOCKET_PORT}`);
}

/** A socket costs a third less CPU per round trip than TCP, and only the folder's owner can reach it. */
export function preferredTransport(paths: ClusterPaths): Transport {
  return Buffer.byteLength(socketPath(paths)) < MAX_SOCKET_PATH_BYTES ? "socket" : "tcp";
}

export function socketAddress(paths: ClusterPaths): ServerAddress {
  return { host: paths.cluster, port: SOCKET_PORT };
}

export function addressOf(paths: ClusterPaths, postmaster: Postmaster): ServerAddress {
  if (!postmaster.listensOnTcp) return socketAddress(paths);
  return { host: "127.0.0.1", port: present(postmaster.port, "the port of a ready server") };
}

export async function listenSettings(paths: ClusterPaths, transport: Transport): Promise<ServerSettings> {
  // Relative to the data directory, the one folder that the database's user can certainly write to.
  if (transport === "socket")
    return { listen_addresses: "", unix_socket_directories: ".", port: SOCKET_PORT };
  return { listen_addresses: "127.0.0.1", unix_socket_directories: "", port: await tcpPort(paths) };
}

/** URL of the `postgres` database, which every server has. */
export function urlOf(address: ServerAddress, password: string): string {
  const host = address.host.startsWith("/") ? encodeURIComponent(address.host) : address.host;
  return `postgres://${ROLE}:${encodeURIComponent(password)}@${host}:${address.port}/postgres`;
}

/** True if something listens on the cluster's socket. */
export function socketAnswers(paths: ClusterPaths): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(paths));
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("connect", () => finish(true));
    socket.on("error", () => finish(false));
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => finish(false));
  });
}

/** The port of the last start if it is free, so that a server that comes back is found at the same address. */
async function tcpPort(paths: ClusterPaths): Promise<number> {
  const file = join(paths.home, "port");
  const saved = readPort(file);
  if (saved !== undefined && (await bindOnce(saved)) !== undefined) return saved;
  const port = present(await bindOnce(0), "a free port of the loopback address");
  writeFileSync(file, String(port), { mode: 0o600 });
  return port;
}

function readPort(file: string): number | undefined {
  try {
    return Number(readFileSync(file, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

/** The port that could be bound, or undefined; 0 asks for any. */
function bindOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on("error", () => resolve(undefined));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      const bound = typeof address === "object" && address !== null ? address.port : undefined;
      probe.close(() => resolve(bound));
    });
  });
}
