import { assert } from "../../kit/index.ts";
import { ProviderFailure } from "../contract.ts";
import { type BodySource, PieceFirst, sourceOf } from "./body-source.ts";
import type { CallGuard } from "./call-guard.ts";
import { secretsOf } from "./call-secrets.ts";
import type { Exchange } from "./http1/index.ts";
import { bodyFailure, oversizeFailure } from "./network-failure.ts";
import type { OutboundResponse } from "./outbound-call.ts";

/** The body of one answer, piece by piece, within the timeouts and the bound of its call. */
export type Body = {
  /** Host and path of the call, for the log. */
  readonly where: string;
  /** Null at the end. After a throw or the end there is nothing to clean up. */
  read(): Promise<Uint8Array | null>;
  /** All of it where it is there already, in one piece and within `maxBytes`: nothing is waited for. */
  takeAll(maxBytes: number): Uint8Array<ArrayBuffer> | null;
  /** What was read last comes again, before what follows it; not after the end. */
  putBack(piece: Uint8Array): void;
  /**
   * The answer has said its end, and nobody is reading now: what does not come within a moment of the next read is not
   * waited for, and the body ends as if its connection had been closed. Asked again, it waits anew.
   */
  expectEnd(): void;
  /** Closes the connection; does nothing after the end. */
  cancel(): void;
  /** What this call must not show to anybody. */
  secrets(): readonly string[];
};

type BodyOptions = {
  readonly guard: CallGuard;
  readonly maxBytes: number;
  /** Of the call: what of them is secret must not come back in a message. */
  readonly headers: Readonly<Record<string, string>>;
};

/** On the response itself: a table of weak references would cost the hot path more, and the collector too. */
const GUARDED = Symbol("guarded body");
type WithBody = OutboundResponse & { [GUARDED]?: Body };
/** For answers that did not come over the network, so there is nothing to wait for. */
const UNGUARDED: Omit<BodyOptions, "guard"> & { readonly guard: null } = {
  guard: null,
  maxBytes: 64 << 20,
  headers: {},
};

/** Kept beside the response, so that the hot path reads what comes without a second stream around it. */
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

/** Another form of the same answer: whoever holds that may end the body, too. */
export function shareBody(response: OutboundResponse, other: Response): void {
  (other as WithBody)[GUARDED] = bodyOf(response);
}

class GuardedBody implements Body {
  readonly #response: Response | Exchange;
  readonly #options: BodyOptions | typeof UNGUARDED;
  #source: BodySource | undefined;
  #totalBytes = 0;
  #isEnded = false;
  /** What comes behind the end is waited for from the next read on: a slow reader is no silence of the provider's. */
  #isEndExpected = false;
  /** Fulfilled when what may still come is no longer waited for. */
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

/** What has come goes before the end. */
async function readUntil(end: Promise<null>, source: BodySource): Promise<Uint8Array | null> {
  const piece = await Promise.race([source.read(), end]);
  if (piece === null) source.cancel();
  return piece;
}
