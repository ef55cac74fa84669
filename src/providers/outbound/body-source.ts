import { unreadableAnswer } from "../answer-failures.ts";
import type { Exchange } from "./http1/index.ts";
import type { OutboundResponse } from "./outbound-call.ts";

/** Where the pieces of a body come from. */
export type BodySource = {
  /** Null at the end. */
  read(): Promise<Uint8Array | null>;
  cancel(): void;
};

/** Asked for its name only by what goes wrong. */
type Named = { readonly where: string };

/** Of our own connections as it is, unless it must be decoded; else a stream of the runtime. */
export function sourceOf(response: Response | Exchange, call: Named): BodySource {
  if (response instanceof Response) return new StreamSource(decodedBody(response, call));
  const format = formatOf(response, call);
  if (format === null) return response;
  return new StreamSource(streamOf(response).pipeThrough(unpacking(format)));
}

class StreamSource implements BodySource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(stream: ReadableStream<Uint8Array> | null) {
    this.#reader = stream?.getReader();
  }

  async read(): Promise<Uint8Array | null> {
    const piece = await this.#reader?.read();
    return piece === undefined || piece.done ? null : piece.value;
  }

  cancel(): void {
    void this.#reader?.cancel().catch(() => {});
  }
}

/** A piece that was read already, then what follows it. */
export class PieceFirst implements BodySource {
  #piece: Uint8Array | null;
  readonly #rest: BodySource;

  constructor(piece: Uint8Array, rest: BodySource) {
    this.#piece = piece;
    this.#rest = rest;
  }

  read(): Promise<Uint8Array | null> {
    const piece = this.#piece;
    this.#piece = null;
    return piece === null ? this.#rest.read() : Promise.resolve(piece);
  }

  cancel(): void {
    this.#rest.cancel();
  }
}

/** For who wants a stream of the runtime; each piece is read when it is asked for. */
export function streamOf(source: BodySource): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const piece = await source.read();
        if (piece === null) controller.close();
        else controller.enqueue(piece as Uint8Array<ArrayBuffer>);
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
}

const DECODERS: Readonly<Record<string, Bun.CompressionFormat>> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
  br: "brotli",
  zstd: "zstd",
};

/** The names of a browser's own, which the compiler goes by, are fewer than the runtime reads. */
function unpacking(format: Bun.CompressionFormat): DecompressionStream {
  return new DecompressionStream(format as CompressionFormat);
}

/** Nearly always the body as it is; a provider that compresses unasked is decoded at the reader's pace. */
export function decodedBody(response: Response, call: Named): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  const format = formatOf(response, call);
  if (format === null) return response.body;
  return response.body?.pipeThrough(unpacking(format)) ?? null;
}

/** Null where there is nothing to decode. */
function formatOf(response: OutboundResponse, call: Named): Bun.CompressionFormat | null {
  const encoding = response.headers.get("content-encoding")?.trim().toLowerCase();
  if (encoding === undefined || encoding === "identity" || encoding === "") return null;
  const format = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (format !== undefined) return format;
  throw unreadableAnswer(`${call.where}: content-encoding ${encoding.slice(0, 40)}`);
}
