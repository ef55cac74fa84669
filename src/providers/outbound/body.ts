import { assert } from "../../kit/index.ts";
import { ProviderFailure } from "../contract.ts";
import type { CallGuard } from "./call-guard.ts";
import { bodyFailure, oversizeFailure } from "./network-failure.ts";
import type { OutboundResponse } from "./outbound-call.ts";

/** The body of one answer, piece by piece, within the timeouts and the bound of its call. */
export type Body = {
  readonly host: string;
  /** Null at the end. After a throw or the end there is nothing to clean up. */
  read(): Promise<Uint8Array | null>;
  /** All of it at once where its length is announced and within `maxBytes`; null where it must be read by pieces. */
  readAll(maxBytes: number): Promise<Uint8Array<ArrayBuffer>> | null;
  /** Closes the connection; does nothing after the end. */
  cancel(): void;
  /** What this call must not show to anybody. */
  secrets(): readonly string[];
};

export type BodyOptions = {
  readonly guard: CallGuard;
  readonly maxBytes: number;
  readonly secrets: () => readonly string[];
};

const bodies = new WeakMap<OutboundResponse, Body>();
/** For answers that did not come over the network, so there is nothing to wait for. */
const UNGUARDED_MAX_BYTES = 64 << 20;

/** Kept beside the response, so that the hot path reads Bun's own stream without a second one around it. */
export function guardBody(response: Response, options: BodyOptions): void {
  bodies.set(response, createBody(response, options));
}

export function bodyOf(response: OutboundResponse): Body {
  const known = bodies.get(response);
  if (known !== undefined) return known;
  assert(response instanceof Response, "a body is read from the answer of a call");
  const body = createBody(response, { guard: null, maxBytes: UNGUARDED_MAX_BYTES, secrets: () => [] });
  bodies.set(response, body);
  return body;
}

function createBody(
  response: Response,
  options: Omit<BodyOptions, "guard"> & { readonly guard: CallGuard | null },
): Body {
  const { guard, maxBytes } = options;
  const host = guard?.host ?? "";
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let totalBytes = 0;
  let isEnded = false;

  function end(): void {
    isEnded = true;
    guard?.end();
  }

  function cancel(): void {
    if (isEnded) return;
    end();
    void (reader ?? response.body)?.cancel().catch(() => {});
  }

  function fail(error: unknown): unknown {
    cancel();
    if (error instanceof ProviderFailure) return error;
    const stopped = guard?.stoppedBy();
    return stopped ? stopped.reason : bodyFailure(error, host);
  }

  async function readAnnounced(): Promise<Uint8Array<ArrayBuffer>> {
    guard?.waitBegins();
    try {
      const bytes = await response.bytes();
      end();
      return bytes;
    } catch (error) {
      throw fail(error);
    }
  }

  return {
    host,
    secrets: options.secrets,
    cancel,
    readAll(limitBytes) {
      const announced = Number(response.headers.get("content-length") ?? Number.NaN);
      const isPlain =
        announced <= Math.min(limitBytes, maxBytes) && !response.headers.has("content-encoding");
      return isPlain && reader === undefined && !isEnded ? readAnnounced() : null;
    },
    async read() {
      if (isEnded) {
        const stopped = guard?.stoppedBy();
        if (stopped) throw stopped.reason;
        return null;
      }
      guard?.waitBegins();
      try {
        reader ??= decodedBody(response, host)?.getReader();
        const piece = await reader?.read();
        if (piece === undefined || piece.done) {
          end();
          return null;
        }
        guard?.waitEnds();
        totalBytes += piece.value.byteLength;
        if (totalBytes > maxBytes) throw oversizeFailure(`body over ${maxBytes} bytes`, host);
        return piece.value;
      } catch (error) {
        throw fail(error);
      }
    },
  };
}

const DECODERS: Readonly<Record<string, CompressionFormat>> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
};

/** Nearly always the body as it is; a provider that compresses unasked is decoded at the reader's pace. */
function decodedBody(response: Response, host: string): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  const encoding = response.headers.get("content-encoding");
  if (encoding === null || encoding === "identity" || encoding === "") return response.body;
  const format = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (format === undefined) {
    throw new ProviderFailure("unavailable", "The model's provider sent an answer that we cannot read.", {
      internal: `${host}: content-encoding ${encoding.slice(0, 40)}`,
    });
  }
  return response.body?.pipeThrough(new DecompressionStream(format)) ?? null;
}
