import { assert, type StopSignal } from "../../kit/index.ts";
import { STALE_CONNECTION_MS } from "../failures/stale-connection.ts";
import { framingOf } from "./answer-framing.ts";
import { type AnswerHead, AnswerHeaders, parseHead } from "./answer-head.ts";
import { BadAnswer } from "./bad-answer.ts";
import { type Connection, type ConnectionUser, connectionLost } from "./connection.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import type { Framing } from "./framing.ts";
import type { Pieces } from "./request-bytes.ts";
import type { Target } from "./target.ts";

/** Status line and headers together. */
const MOST_HEAD_BYTES = 64 << 10;
/** Most heads end within this; searching a string is faster than searching bytes. */
const USUAL_HEAD_BYTES = 2 << 10;
/**
 * All interim (1xx) responses together. Some servers send them the whole time they work, so that no proxy drops the
 * connection. They extend no deadline.
 */
const MOST_INTERIM_BYTES = 64 << 10;
/** Bytes that may wait for a reader before we stop reading from the provider. */
const MOST_QUEUED_BYTES = 64 << 10;
/** Most of the queued bytes that one read returns: whatever a reader makes of them is larger than they were. */
const MOST_JOINED_BYTES = 16 << 10;
/**
 * A read of at least this is the only one in its turn of the event loop: the runtime hands over up to five megabytes in
 * one turn, and a reader of all of them at once would hold up everybody else.
 */
const TURN_BYTES = 64 << 10;
const NO_HEADERS = new AnswerHeaders("");
const REQUEST_TIMEOUT = 408;
const HEAD_END = "\r\n\r\n";
const BEGINNING = "HTTP/1.";
const CR = 13;
const LF = 10;

/** One request and its response. */
export class Exchange implements ConnectionUser {
  status = 0;
  headers = NO_HEADERS;
  /** Some of the request may have gone out. */
  isSent = false;
  readonly #pool: ConnectionPool;
  readonly #target: Target;
  readonly #signal: StopSignal;
  readonly #isSentOnce: boolean;
  readonly #startedMs = performance.now();
  readonly #opened = Promise.withResolvers<this>();
  /** Kept until the response begins: on a stale connection it may have to be sent again. */
  #request: Pieces | null;
  #connection: Connection | null = null;
  #held: Buffer | null = null;
  #interimBytes = 0;
  #framing: Framing | null = null;
  #isKeptAlive = true;
  #pieces: Uint8Array[] = [];
  #queuedBytes = 0;
  #waiting: PromiseWithResolvers<Uint8Array | null> | null = null;
  /** Until the next turn of the event loop, nothing more is handed out. */
  #isResting = false;
  #isOver = false;
  #failure: { readonly error: unknown } | null = null;

  constructor(input: {
    pool: ConnectionPool;
    target: Target;
    request: Pieces;
    isSentOnce: boolean | undefined;
    signal: StopSignal;
  }) {
    this.#pool = input.pool;
    this.#target = input.target;
    this.#request = input.request;
    this.#signal = input.signal;
    this.#isSentOnce = input.isSentOnce ?? false;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Resolves to this exchange when the headers have arrived. */
  start(): Promise<this> {
    this.#signal.addEventListener("abort", this);
    const connection = this.#isSentOnce ? null : this.#pool.take(this.#target);
    if (connection === null) void this.#startAnew();
    else this.#startOn(connection);
    return this.#opened.promise;
  }

  /** The next bytes of the body, as they arrive; null at the end. Only one read at a time. */
  read(): Promise<Uint8Array | null> {
    const isQueued = this.#pieces.length > 0;
    if (isQueued && !this.#isResting) return Promise.resolve(this.#takeQueued());
    if (!isQueued && this.#failure !== null) return Promise.reject(this.#failure.error);
    if (!isQueued && this.#isOver) return Promise.resolve(null);
    assert(this.#waiting === null, "a body has one reader");
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** The whole body, if it has already arrived in one piece within the limit. */
  takeWhole(maxBytes: number): Uint8Array | null {
    const isThere = this.#isOver && this.#pieces.length === 1 && this.#queuedBytes <= maxBytes;
    if (!isThere) return null;
    this.#queuedBytes = 0;
    return this.#pieces.pop() as Uint8Array;
  }

  /** Closes the connection, unless the response is complete. */
  cancel(): void {
    this.#pieces = [];
    this.#fail(new Error("nobody reads on"));
  }

  /** Called when the signal aborts: data that has already arrived is dropped. */
  handleEvent(): void {
    this.#pieces = [];
    this.#fail(this.#signal.reason);
  }

  received(bytes: Uint8Array): void {
    const rest = this.#framing === null ? this.#takeHead(bytes) : bytes;
    if (rest !== null) this.#takeBody(rest);
  }

  ended(error: Error | null): void {
    const connection = this.#connection;
    this.#connection = null;
    if (error === null && this.#framing?.mayEndHere) this.#end();
    else if (connection?.isReused && this.#isUntouched() && !(error instanceof BadAnswer))
      void this.#startAnew();
    else this.#fail(error ?? connectionLost());
  }

  /** Nothing has come back, and too little time has passed for the provider to have begun. */
  #isUntouched(): boolean {
    return this.#request !== null && this.#held === null && this.#isSoon();
  }

  #isSoon(): boolean {
    return performance.now() - this.#startedMs < STALE_CONNECTION_MS;
  }

  /**
   * A server that closes an idle connection may say so with a 408 (RFC 9110, 15.5.9) while our request is on its way:
   * it has not read the request, just as if it had closed silently.
   */
  #isClosedIdle(head: AnswerHead): boolean {
    const isStale = this.#connection?.isReused === true && this.#interimBytes === 0 && this.#isSoon();
    return isStale && (head.isHttp10 || saysClose(head));
  }

  #leaveAndStartAnew(): void {
    this.#connection?.close();
    this.#connection = null;
    this.#held = null;
    void this.#startAnew();
  }

  async #startAnew(): Promise<void> {
    try {
      // Throws if the connection cannot even be tried: no host, or an unreadable certificate.
      const connection = this.#pool.open(this.#target);
      // From here on, a failure closes the connection, even if it is still opening.
      this.#connection = connection;
      await connection.untilOpen();
      if (this.#failure === null) this.#startOn(connection);
    } catch (error) {
      this.#fail(error);
    }
  }

  #startOn(connection: Connection): void {
    this.#connection = connection;
    this.isSent = true;
    connection.start(this, this.#request as Pieces);
  }

  /** The bytes after the head; null while the head is incomplete. */
  #takeHead(bytes: Uint8Array): Uint8Array | null {
    let held = this.#held === null ? asBuffer(bytes) : Buffer.concat([this.#held, bytes]);
    let seenBytes = this.#held?.byteLength ?? 0;
    for (;;) {
      const text = held.toString("latin1", 0, USUAL_HEAD_BYTES);
      const soon = text.indexOf(HEAD_END);
      const end = soon < 0 && held.byteLength > USUAL_HEAD_BYTES ? held.indexOf(HEAD_END) : soon;
      if (end < 0) {
        if (held.byteLength > MOST_HEAD_BYTES) throw new BadAnswer("headers without an end");
        // Refuse at once what can never become a head: its sender considers it complete, and we would wait in vain.
        if (!BEGINNING.startsWith(text.slice(0, BEGINNING.length))) throw new BadAnswer("no status line");
        if (hasLoneLf(held, seenBytes)) throw new BadAnswer("a head whose lines end early");
        this.#held = held;
        return null;
      }
      if (end > MOST_HEAD_BYTES) throw new BadAnswer("headers too long");
      const head = parseHead(end === soon ? text.slice(0, end) : held.toString("latin1", 0, end));
      held = held.subarray(end + HEAD_END.length);
      seenBytes = 0;
      if (head.status === REQUEST_TIMEOUT && this.#isClosedIdle(head)) {
        this.#leaveAndStartAnew();
        return null;
      }
      if (head.status >= 200) {
        this.#open(head);
        return held;
      }
      this.#interimBytes += end + HEAD_END.length;
      if (head.status === 101 || this.#interimBytes > MOST_INTERIM_BYTES)
        throw new BadAnswer(`an answer of ${head.status}`);
    }
  }

  #open(head: AnswerHead): void {
    const { headers } = head;
    this.#framing = framingOf(head);
    this.#held = null;
    this.#request = null;
    this.status = head.status;
    this.headers = headers;
    const isSaidTwice = head.coding !== null && head.length !== null;
    this.#isKeptAlive = !head.isHttp10 && !saysClose(head) && !isSaidTwice;
    this.#opened.resolve(this);
  }

  #takeBody(bytes: Uint8Array): void {
    const framing = this.#framing as Framing;
    const piece = framing.take(bytes);
    if (framing.isOver) this.#finish(framing);
    if (piece.byteLength > 0) this.#hand(piece);
    if (this.#isOver) this.#hand(null);
  }

  #hand(piece: Uint8Array | null): void {
    const waiting = this.#waiting;
    if (piece === null) {
      // What is queued comes before the end.
      if (this.#pieces.length > 0) return;
      this.#waiting = null;
      waiting?.resolve(null);
    } else if (waiting !== null && !this.#isResting) {
      this.#waiting = null;
      if (piece.byteLength >= TURN_BYTES) this.#rest();
      waiting.resolve(piece);
    } else {
      this.#pieces.push(piece);
      this.#queuedBytes += piece.byteLength;
      if (this.#queuedBytes >= MOST_QUEUED_BYTES) this.#connection?.pause();
    }
  }

  #rest(): void {
    this.#isResting = true;
    setImmediate(() => {
      this.#isResting = false;
      const waiting = this.#waiting;
      if (waiting === null || this.#pieces.length === 0) return;
      this.#waiting = null;
      waiting.resolve(this.#takeQueued());
    });
  }

  #takeQueued(): Uint8Array {
    let count = 0;
    let bytes = 0;
    // The first piece is always taken, whatever its size.
    for (const { byteLength } of this.#pieces) {
      bytes += byteLength;
      if (count > 0 && bytes > MOST_JOINED_BYTES) break;
      count++;
    }
    const [first, ...more] = this.#pieces.splice(0, count) as [Uint8Array, ...Uint8Array[]];
    const piece = more.length === 0 ? first : Buffer.concat([first, ...more]);
    this.#queuedBytes -= piece.byteLength;
    if (this.#queuedBytes === 0) this.#connection?.resume();
    if (piece.byteLength >= TURN_BYTES) this.#rest();
    return piece;
  }

  /** The body is complete: the connection is free, whether or not the body has been read. */
  #finish({ hasSurplus }: Framing): void {
    const connection = this.#connection;
    this.#connection = null;
    this.#isOver = true;
    this.#signal.removeEventListener("abort", this);
    if (connection === null) return;
    if (this.#isKeptAlive && !hasSurplus) this.#pool.give(connection);
    else connection.close();
  }

  /** For a body that ends with its connection. */
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#signal.removeEventListener("abort", this);
    this.#hand(null);
  }

  #fail(error: unknown): void {
    if (this.#isOver || this.#failure !== null) return;
    this.#failure = { error };
    this.#request = null;
    this.#signal.removeEventListener("abort", this);
    this.#connection?.close();
    this.#connection = null;
    this.#opened.reject(error);
    // What is queued comes first.
    if (this.#pieces.length > 0) return;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.reject(error);
  }
}

function saysClose({ headers }: AnswerHead): boolean {
  return headers.get("connection")?.toLowerCase().includes("close") ?? false;
}

function hasLoneLf(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at - 1] !== CR) return true;
  }
  return false;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
