import { createServer, type Socket } from "node:net";

/** A request as it came over the wire. */
export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Resolves when this request's connection closes. */
  readonly closed: Promise<void>;
};

/** One request and the bare connection to answer it on: nothing here keeps a response valid. */
export type Exchange = {
  readonly request: ReceivedRequest;
  readonly socket: Socket;
  /** False once the client has disconnected. */
  readonly isOpen: boolean;
  write(bytes: string | Uint8Array): void;
  /** Writes and waits until the kernel has taken it; false if the client has disconnected. */
  push(bytes: string | Uint8Array): Promise<boolean>;
  /** A complete response with a correct Content-Length; the connection stays usable. */
  respond(answer: { status?: number; headers?: Record<string, string>; body: string | Uint8Array }): void;
};

export type RawServer = { readonly port: number; readonly connections: number; close(): Promise<void> };

const MAX_REQUEST_BYTES = 64 << 20;

export function startRawServer(answer: (exchange: Exchange) => void | Promise<void>): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    void closed.then(() => sockets.delete(socket));
    serveConnection(socket, closed, answer);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("no port");
      resolve({
        port: address.port,
        get connections() {
          return connections;
        },
        close() {
          for (const socket of sockets) socket.destroy();
          return new Promise((done) => server.close(() => done()));
        },
      });
    });
  });
}

function serveConnection(
  socket: Socket,
  closed: Promise<void>,
  answer: (exchange: Exchange) => void | Promise<void>,
): void {
  let held = Buffer.alloc(0);
  socket.on("data", (piece) => {
    held = Buffer.concat([held, piece]);
    if (held.length > MAX_REQUEST_BYTES) socket.destroy();
    for (let taken = takeRequest(held, closed); taken !== null; taken = takeRequest(held, closed)) {
      held = taken.rest;
      void Promise.resolve(answer(exchangeOn(socket, taken.request))).catch((error) => {
        console.error("the upstream of a test failed", error);
        socket.destroy();
      });
    }
  });
}

function takeRequest(
  held: Buffer,
  closed: Promise<void>,
): { request: ReceivedRequest; rest: Buffer<ArrayBuffer> } | null {
  const headEnd = held.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [requestLine = "", ...lines] = held.subarray(0, headEnd).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const bodyStart = headEnd + 4;
  const bodyEnd = bodyStart + Number(headers["content-length"] ?? 0);
  if (held.length < bodyEnd) return null;
  const [method = "", path = ""] = requestLine.split(" ");
  const text = held.subarray(bodyStart, bodyEnd).toString("utf8");
  return { request: { method, path, headers, text, closed }, rest: Buffer.from(held.subarray(bodyEnd)) };
}

function exchangeOn(socket: Socket, request: ReceivedRequest): Exchange {
  return {
    request,
    socket,
    get isOpen() {
      return !socket.destroyed && socket.writable;
    },
    write(bytes) {
      if (!socket.destroyed) socket.write(bytes);
    },
    push(bytes) {
      if (socket.destroyed || !socket.writable) return Promise.resolve(false);
      return Promise.race([
        new Promise<boolean>((resolve) => socket.write(bytes, (error) => resolve(!error))),
        request.closed.then(() => false),
      ]);
    },
    respond({ status = 200, headers = {}, body }) {
      const bytes = typeof body === "string" ? Buffer.from(body) : body;
      const head = { "content-type": "application/json", "content-length": String(bytes.length), ...headers };
      this.write(Buffer.concat([Buffer.from(headText(status, head)), bytes]));
    },
  };
}

export function headText(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join("")}\r\n`;
}

/** One chunk of a chunked body. */
export function chunked(bytes: string | Uint8Array): Buffer {
  const data = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from("\r\n")]);
}

export const LAST_CHUNK = "0\r\n\r\n";
