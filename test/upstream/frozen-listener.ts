import { writeSync } from "node:fs";
import { createServer } from "node:net";

/** Listens, prints its port, and then blocks without ever accepting. Run as a process by `unreachable-upstream.ts`. */
const server = createServer();
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  writeSync(1, `${address.port}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  process.exit(0);
});
