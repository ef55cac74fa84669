import type { Socket, SocketHandler } from "bun";
import { assert } from "../../kit/index.ts";
import type { Pieces } from "./request-bytes.ts";
import type { Target } from "./target.ts";

/** The exchange that a connection currently serves. */
export type ConnectionUser = {
  /** Throws if the bytes are not a valid response: then the connection is closed. */
  received(bytes: Uint8Array): void;
  /** Nothing more will arrive. `error` is null if the provider closed the connection properly. */
  ended(error: Error | null): void;
};

export type ConnectionOptions = {
  /** Called when the connection ends while idle. */
  readonly onIdleEnd: (connection: Connection) => void;
  /** The certificate authority to trust; the runtime's own list if absent. */
  readonly ca?: string | undefined;
};

/** TCP keep-alive, to tell a provider that is still thinking from a network that has gone away. */
const PROBE_AFTER_MS = 60_000;

/**
 * One connection to a provider, for one request at a time. It keeps the process alive only while a request is running.
 */
export class Connection {
  /** It has carried a request before, so the provider may have closed it since. */
  isReused = false;
  idleSinceMs = 0;
  readonly target: Target;
  readonly #onIdleEnd: (connection: Connection) => void;
  #socket: Socket<Connection> | null = null;
  #opening: PromiseWithResolvers<void> | null = Promise.withResolvers<void>();
  #isClosed = false;
  #user: ConnectionUser | null = null;
  #unsent: Pieces | null = null;
  #isPaused = false;

  static open(target: Target, { onIdleEnd, ca }: ConnectionOptions): Connection {
    const connection = new Connection(target, onIdleEnd);
    const { hostname, port, serverName } = target;
    // The promise of `connect` resolves before the TLS handshake; the handlers know when the connection is usable.
    Bun.connect({
      ...{ hostname, port, data: connection, socket: HANDLERS },
      ...(serverName === null
        ? {}
        : { tls: { serverName, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) } }),
    }).catch((error: unknown) => connection.ended(error));
    return connection;
  }

  private constructor(target: Target, onIdleEnd: (connection: Connection) => void) {
    this.target = target;
    this.#onIdleEnd = onIdleEnd;
  }

  /** Resolves when the connection can be used; rejects if it fails or is closed before. */
  async untilOpen(): Promise<void> {
    await this.#opening?.promise;
  }

  /** Connected and everything sent, so another request may follow. */
  get isFree(): boolean {
    return this.#socket !== null && this.#unsent === null;
  }

  start(user: ConnectionUser, request: Pieces): void {
    assert(this.#user === null && this.#socket !== null, "a connection carries one request at a time");
    this.#user = user;
    if (this.isReused) this.#socket.ref();
    this.#write(request);
  }

  /** The response is complete: the connection is free for another request. */
  rest(): void {
    this.resume();
    this.#user = null;
    this.isReused = true;
    this.#socket?.unref();
  }

  /** May be called at any time: a connection that is still opening is closed as soon as it has a socket. */
  close(): void {
    const opening = this.#opening;
    this.#opening = null;
    this.#isClosed = true;
    this.#user = null;
    this.#socket?.terminate();
    this.#socket = null;
    opening?.reject(connectionLost());
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket?.resume();
  }

  opened(socket: Socket<Connection>): void {
    if (this.#isClosed) {
      socket.terminate();
      return;
    }
    this.#socket = socket;
    socket.setKeepAlive(true, PROBE_AFTER_MS);
    if (this.target.serverName === null) this.#isReady();
  }

  shookHands(isTrusted: boolean, error: Error | null): void {
    if (isTrusted && error === null) this.#isReady();
    else this.ended(error ?? new Error("the handshake failed"));
  }

  received(bytes: Uint8Array): void {
    const user = this.#user;
    if (user === null) {
      // Nothing was requested: whatever this is, the next response must not begin with it.
      this.close();
      this.#onIdleEnd(this);
      return;
    }
    try {
      user.received(bytes);
    } catch (error) {
      this.close();
      user.ended(error instanceof Error ? error : new Error(String(error)));
    }
  }

  drained(): void {
    const pieces = this.#unsent;
    this.#unsent = null;
    if (pieces !== null) this.#write(pieces);
  }

  /** `cause` is null if the provider closed the connection properly. */
  ended(cause: unknown): void {
    const user = this.#user;
    const opening = this.#opening;
    this.#opening = null;
    this.close();
    if (opening !== null) opening.reject(cause ?? connectionLost());
    else if (user !== null) user.ended(cause === null ? null : connectionLost());
    else this.#onIdleEnd(this);
  }

  #isReady(): void {
    this.#opening?.resolve();
    this.#opening = null;
  }

  #write(pieces: Pieces): void {
    for (const [at, piece] of pieces.entries()) {
      const sentBytes = this.#socket?.write(piece) ?? 0;
      // Usually all of it is sent at once: comparing lengths avoids encoding a text a second time.
      if (sentBytes === Buffer.byteLength(piece)) continue;
      const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
      this.#unsent = [bytes.subarray(Math.max(0, sentBytes)), ...pieces.slice(at + 1)];
      return;
    }
  }
}

/** Shared by all connections; the socket's `data` is the connection. */
const HANDLERS: SocketHandler<Connection> = {
  open: (socket) => socket.data.opened(socket),
  handshake: (socket, isTrusted, error) => socket.data.shookHands(isTrusted, error),
  data: (socket, bytes) => socket.data.received(bytes),
  drain: (socket) => socket.data.drained(),
  end: (socket) => socket.data.ended(null),
  close: (socket) => socket.data.ended(connectionLost()),
  error: (socket, error) => socket.data.ended(error),
  connectError: () => {},
};

export function connectionLost(): Error {
  return Object.assign(new Error("the connection was lost"), { code: "ECONNRESET" });
}
