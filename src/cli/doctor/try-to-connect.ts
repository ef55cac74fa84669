import { connect } from "node:net";

const ANSWER_TIMEOUT_MS = 3_000;

/** A connection and nothing on it; null where somebody took it. A socket's host has no brackets, as one in an address may. */
export function tryToConnect({ hostname, port }: { hostname: string; port: number }): Promise<Error | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port });
    const finish = (problem: Error | null) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(problem);
    };
    // The socket's own limit begins only when the name was found.
    const limit = setTimeout(() => finish(new Error("no answer in time")), ANSWER_TIMEOUT_MS);
    socket.once("connect", () => finish(null));
    socket.on("error", finish);
  });
}
