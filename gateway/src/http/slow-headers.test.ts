import { afterEach, expect, spyOn, test } from "bun:test";
import { connect } from "node:net";
import { silentLog } from "../telemetry/index.ts";
import { IDLE_SECONDS } from "./idle-guard.ts";
import { type RunningServer, startServer } from "./server.ts";
import { createEdge, USAGE_PATH } from "./testing.ts";

const DRIP_MS = 50;
/** The runtime takes twelve seconds, which no setting of ours can shorten. */
const hasTime = process.env["BURSAR_TEST_LONG"] === "1" || process.env["BURSAR_TEST_ATTACKS"] === "1";

let server: RunningServer | null = null;
afterEach(async () => {
  await server?.stop(0);
  server = null;
});

function start(): RunningServer {
  const edge = createEdge();
  server = startServer({ host: "127.0.0.1", port: 0, log: silentLog, createApp: () => edge.app });
  return server;
}

test("the HTTP server is started with the idle timeout of the idle guard", () => {
  const serve = spyOn(Bun, "serve");
  try {
    start();
    expect(serve.mock.calls.map(([options]) => options)).toMatchObject([{ idleTimeout: IDLE_SECONDS }]);
  } finally {
    serve.mockRestore();
  }
});

/** Resolves with everything that was answered once the server has closed the connection. */
function drip(port: number, first: string, again: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, "127.0.0.1", () => socket.write(first));
  const timer = setInterval(() => socket.write(again), DRIP_MS);
  let answered = "";
  socket.on("data", (bytes) => {
    answered += bytes.toString("latin1");
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    clearInterval(timer);
    resolve(answered);
  });
  return promise;
}

if (!hasTime) console.log("slow headers: waits for seconds, run by npm test -- --long and npm run attacks");

test.skipIf(!hasTime)(
  "headers that arrive byte by byte without end are cut, without a response",
  async () => {
    const { port } = start();
    const begun = `GET ${USAGE_PATH} HTTP/1.1\r\nHost: edge.test\r\nX-Long: `;
    const all = [drip(port, "GET /", "a"), drip(port, begun, "a")];
    expect(await Promise.all(all)).toEqual(["", ""]);
  },
);
