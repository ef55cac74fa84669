import { ProviderFailure } from "../contract/index.ts";
import { assert } from "../kit/index.ts";
import { type BodySource, PieceFirst, sourceOf } from "./body-source.ts";
import type { CallGuard } from "./call-guard.ts";
import { secretsOf } from "./call-secrets.ts";
import { bodyFailure, oversizeFailure } from "./failures/network-failure.ts";
import type { Exchange } from "./http1/index.ts";
import type { OutboundResponse } from "./outbound-call.ts";

/** The body of one response, piece by piece, within the timeouts and the size limit of its call. */
export type Body = {
  /** Host and path of the call, for the log. */
  readonly where: string;
  /** Null at the end. Nothing needs to be cleaned up after the end or a throw. */
  read(): Promise<Uint8Array | null>;
  /** The whole body, if it has already arrived in one piece of at most `maxBytes`; never waits. Otherwise null. */
  takeAll(maxBytes: number): Uint8Array<ArrayBuffer> | null;
  /** The next read returns `piece` again, before the rest. Not allowed after the end. */
  putBack(piece: Uint8Array): void;
  /**
   * The answer has announced its end, and no read is pending: after the next read begins, more data is awaited only for
   * a moment, then the body ends as if the connection had been closed. Calling it again restarts that wait.
   */
  expectEnd(): void;
  /** Closes the connection; does nothing after the end. */
  cancel(): void;
  /** Values of this call, such as keys and hosts, that must not be shown to anybody. */
  secrets(): readonly string[];
};

type BodyOptions = {
  readonly guard: CallGuard;
  readonly maxBytes: number;
  /** The request's headers: secrets among them must not come back in a message. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Stored on the response itself: a WeakMap would cost the hot path and the garbage collector more. */
const GUARDED = Symbol("guarded body");
type WithBody = OutboundResponse & { [GUARDED]?: Body };
/** For responses that did not come over the network, so there is nothing to wait for. */
const UNGUARDED: Omit<BodyOptions, "guard"> & { readonly guard: null } = {
  guard: null,
  maxBytes: 64 << 20,
  headers: {},
};

/** Kept beside the response, so that the hot path does not read through a second stream around it. */
export function guardBody(response: Response | Exchange, options: BodyOptions): void {
  (response as WithBody)[GUARDED] = new GuardedBody(response, options);
}

export function bodyOf(response: WithBody): Body {
  const known = response[GUARDED];
  if (known !== undefined) return known;
  const given: unknown = response;
  assert(given instanceof Response, "a body is read from the answer of a call");
  const body = new GuardedBody(given, UNGUARDED);
  response[GUARDED] = body;
  return body;
}

/** `other` is the same response in another form; its holder can end the body, too. */
export function shareBody(response: OutboundResponse, other: Response): void {
  (other as WithBody)[GUARDED] = bodyOf(response);
}

class GuardedBody implements Body {
  readonly #response: Response | Exchange;
  readonly #options: BodyOptions | typeof UNGUARDED;
  #source: BodySource | undefined;
  #totalBytes = 0;
  #isEnded = false;
  /** The wait for the end starts with the next read: a slow reader does not mean that the provider is silent. */
  #isEndExpected = false;
  /** Resolves once no more data is awaited. */
  #expectedEnd: Promise<null> | null = null;

  constructor(response: Response | Exchange, options: BodyOptions | typeof UNGUARDED) {
    this.#response = response;
    this.#options = options;
  }

  get where(): string {
    return this.#options.guard?.where ?? "";
  }

  secrets(): readonly string[] {
    const { guard, headers } = this.#options;
    return guard === null ? [] : secretsOf(guard.host, headers);
  }

  expectEnd(): void {
    this.#isEndExpected = true;
  }

  cancel(): void {
    if (this.#isEnded) return;
    this.#end();
    if (this.#source !== undefined) this.#source.cancel();
    else if (this.#response instanceof Response) void this.#response.body?.cancel().catch(() => {});
    else this.#response.cancel();
  }

  takeAll(limitBytes: number): Uint8Array<ArrayBuffer> | null {
    const response = this.#response;
    if (response instanceof Response || this.#source !== undefined || this.#isEnded) return null;
    const isPlain = !response.headers.has("content-encoding");
    const whole = isPlain ? response.takeWhole(Math.min(limitBytes, this.#options.maxBytes)) : null;
    if (whole !== null) this.#end();
    return whole as Uint8Array<ArrayBuffer> | null;
  }

  async read(): Promise<Uint8Array | null> {
    const { guard, maxBytes } = this.#options;
    if (this.#isEnded) {
      const stopped = guard?.stoppedBy();
      if (stopped) throw stopped.reason;
      return null;
    }
    if (this.#isEndExpected) this.#waitForEnd();
    guard?.waitBegins();
    try {
      this.#source ??= sourceOf(this.#response, this);
      const end = this.#expectedEnd;
      const piece = await (end === null ? this.#source.read() : readUntil(end, this.#source));
      if (piece === null) {
        this.#end();
        return null;
      }
      guard?.waitEnds();
      this.#totalBytes += piece.byteLength;
      if (this.#totalBytes > maxBytes) throw oversizeFailure(`body over ${maxBytes} bytes`, this.where);
      return piece;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  putBack(piece: Uint8Array): void {
    assert(this.#source !== undefined && !this.#isEnded, "what is put back was read");
    this.#totalBytes -= piece.byteLength;
    this.#source = new PieceFirst(piece, this.#source);
  }

  #waitForEnd(): void {
    this.#isEndExpected = false;
    const { promise, resolve } = Promise.withResolvers<null>();
    this.#expectedEnd = promise;
    this.#options.guard?.expectEnd(() => resolve(null));
  }

  #end(): void {
    this.#isEnded = true;
    this.#options.guard?.end();
  }

  #fail(error: unknown): unknown {
    this.cancel();
    if (error instanceof ProviderFailure) return error;
    const stopped = this.#options.guard?.stoppedBy();
    return stopped ? stopped.reason : bodyFailure(error, this.where);
  }
}

/** If both are ready, data wins over the end. */
async function readUntil(end: Promise<null>, source: BodySource): Promise<Uint8Array | null> {
  const piece = await Promise.race([source.read(), end]);
  if (piece === null) source.cancel();
  return piece;
}
