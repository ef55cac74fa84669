import type { Socket, SocketHandler } from "bun";
import { assert } from "../../../kit/index.ts";
import type { Target } from "./target.ts";

/** Whoever a connection carries a request for. */
export type ConnectionUser = {
  /** Throws where the bytes are no answer: then the connection is closed. */
  received(bytes: Uint8Array): void;
  /** Nothing more will come: the provider has said so, where there is no error. */
  ended(error: Error | null): void;
};

export type ConnectionOptions = {
  /** Told when it ends while it carries nothing. */
  readonly onIdleEnd: (connection: Connection) => void;
  /** Who signs certificates; all that the runtime knows where it is absent. */
  readonly ca?: string | undefined;
};

/** Probes that tell a provider that thinks from a network that has gone away. */
const PROBE_AFTER_MS = 60_000;

/**
 * One connection to a provider, for one request at a time. It keeps the process alive only while it carries one.
 */
export class Connection {
  /** It has carried a request before, so the provider may have closed it meanwhile. */
  isReused = false;
  idleSinceMs = 0;
  readonly target: Target;
  readonly #onIdleEnd: (connection: Connection) => void;
  #socket: Socket<Connection> | null = null;
  #opening: PromiseWithResolvers<void> | null = Promise.withResolvers<void>();
  #isClosed = false;
  #user: ConnectionUser | null = null;
  #unsent: Uint8Array | null = null;
  #isPaused = false;

  static open(target: Target, { onIdleEnd, ca }: ConnectionOptions): Connection {
    const connection = new Connection(target, onIdleEnd);
    const { hostname, port, serverName } = target;
    // Its promise tells of the socket before the handshake; the handlers tell when it may be used.
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

  /** Until it can be used; fails where it never can, and where it is closed meanwhile. */
  async untilOpen(): Promise<void> {
    await this.#opening?.promise;
  }

  /** It is open and everything is sent, so another request may follow. */
  get isFree(): boolean {
    return this.#socket !== null && this.#unsent === null;
  }

  start(user: ConnectionUser, request: string | Uint8Array): void {
    assert(this.#user === null && this.#socket !== null, "a connection carries one request at a time");
    this.#user = user;
    if (this.isReused) this.#socket.ref();
    this.#write(request);
  }

  /** The request is answered in full: the connection is free for another one. */
  rest(): void {
    this.resume();
    this.#user = null;
    this.isReused = true;
    this.#socket?.unref();
  }

  /** At any time: one that is still being opened is closed as soon as there is something to close. */
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
      // Nobody has asked for anything: whatever it is, the next answer must not begin with it.
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
    const bytes = this.#unsent;
    this.#unsent = null;
    if (bytes !== null) this.#write(bytes);
  }

  /** `cause` is null where the provider has ended it as one should. */
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

  #write(request: string | Uint8Array): void {
    const sentBytes = this.#socket?.write(request) ?? 0;
    // Of a text no more than this is known without a look at it: what fits is sent whole, and most does.
    if (typeof request === "string" && sentBytes === Buffer.byteLength(request)) return;
    const bytes = typeof request === "string" ? Buffer.from(request) : request;
    if (sentBytes < bytes.byteLength) this.#unsent = bytes.subarray(Math.max(0, sentBytes));
  }
}

/** Shared by all: what belongs to one connection stands in its socket's data. */
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
