import { AppError, failpoint, newId, nothingAtPath } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { App } from "./app.ts";
import type { Connection } from "./context.ts";
import { openToPages } from "./cross-origin.ts";
import { createIdleGuard, IDLE_SECONDS } from "./idle-guard.ts";
import { nativeError } from "./native/errors.ts";

export type RunningServer = {
  /** The actual port; the system chooses one if port 0 was requested. */
  readonly port: number;
  /**
   * Closes the port and idle connections, waits for running requests, closing their connections one by one, and cuts
   * what is left after the grace period. False if something had to be cut.
   */
  stop(graceMs: number): Promise<boolean>;
};

type ServerOptions = {
  readonly host: string;
  readonly port: number;
  /** Several processes share one port; the system distributes connections among them. */
  readonly sharedPort?: boolean;
  /** Called once the port is known, before the first request is answered. */
  createApp(port: number): App;
  readonly log: Log;
};

/** Our own limits answer with an envelope; the server's limit would only close the connection. */
const NO_SERVER_LIMIT_BYTES = Number.MAX_SAFE_INTEGER;

/** How often a stopping server checks whether anything still runs. */
const LOOK_EVERY_MS = 10;
/** How long connections may take to close when nothing runs any more; only incomplete requests keep them open. */
const CLOSING_MS = 1_000;

const FIRST_REFUSED_STATUS = 400;
const EVENT_STREAM = "text/event-stream";

/** The reply is already out of our hands: nothing that happens here changes it. */
function failpointAfterReply(log: Log): void {
  try {
    failpoint("after_reply")?.catch((error: unknown) => log.warn("after_reply", { error }));
  } catch (error) {
    log.warn("after_reply", { error });
  }
}

export function startServer(options: ServerOptions): RunningServer {
  const { log } = options;
  const connection: Connection = {
    peerAddress: (request) => server.requestIP(request)?.address ?? null,
    streamEnded: (request) => idle.end(request),
  };
  const idle = createIdleGuard((request, seconds) => server.timeout(request, seconds));
  let isStopping = false;
  // Assigned before control returns to the event loop, and no request can arrive earlier.
  let app: App;

  async function answer(request: Request): Promise<Response> {
    idle.begin(request);
    const response = await app.fetch(request, connection);
    if (response.status >= FIRST_REFUSED_STATUS) await app.takeUnread(request, response, connection);
    if (response.headers.get("content-type")?.startsWith(EVENT_STREAM)) idle.spare(request);
    else idle.end(request);
    // The runtime closes it then anyway; this way its client knows not to send the next request on it.
    if (isStopping) response.headers.set("connection", "close");
    failpointAfterReply(log);
    return response;
  }

  const server: Bun.Server<undefined> = Bun.serve({
    hostname: options.host,
    port: options.port,
    reusePort: options.sharedPort ?? false,
    // For connections between two requests. Headers that never end are also cut by the server, after a fixed time that
    // we cannot set; slow bodies and calls have limits of our own.
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: NO_SERVER_LIMIT_BYTES,
    development: false,
    fetch: (request) => app.refuseOverload(request) ?? answer(request),
    error(error) {
      const requestId = newId();
      // Only library files are sent by the server itself; this one was deleted just before it could be sent.
      if (error.code === "ENOENT") return openToPages(nativeError(nothingAtPath(), requestId));
      log.error("server_error", { request_id: requestId, error });
      return nativeError(new AppError("internal_error", "Something went wrong on our side."), requestId);
    },
  });
  const port = server.port ?? options.port;
  app = options.createApp(port);

  async function runOut(isLate: () => boolean): Promise<true> {
    const stopped = server.stop();
    while (server.pendingRequests > 0 && !isLate()) await Bun.sleep(LOOK_EVERY_MS);
    await Promise.race([stopped, Bun.sleep(CLOSING_MS)]);
    return true;
  }

  return {
    port,
    async stop(graceMs) {
      isStopping = true;
      let isLate = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => {
          isLate = true;
          resolve(false);
        }, graceMs);
      });
      const finished = await Promise.race([runOut(() => isLate), late]);
      clearTimeout(timer);
      await server.stop(true);
      idle.stop();
      return finished;
    },
  };
}
