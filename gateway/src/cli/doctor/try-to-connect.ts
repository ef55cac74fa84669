import { connect } from "node:net";

const ANSWER_TIMEOUT_MS = 3_000;

/** Connects and sends nothing; null if accepted. Sockets take an IPv6 address without the brackets of a URL. */
export function tryToConnect({ hostname, port }: { hostname: string; port: number }): Promise<Error | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port });
    const finish = (problem: Error | null) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(problem);
    };
    // The socket's own timeout starts only after the name is resolved.
    const limit = setTimeout(() => finish(new Error("no answer in time")), ANSWER_TIMEOUT_MS);
    socket.once("connect", () => finish(null));
    socket.on("error", finish);
  });
}
