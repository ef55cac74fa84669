import { unreadableAnswer } from "../contract/index.ts";
import { oversizeFailure } from "./failures/network-failure.ts";
import type { Exchange } from "./http1/index.ts";
import type { OutboundResponse } from "./outbound-call.ts";

/** Delivers a body piece by piece. */
export type BodySource = {
  /** Null at the end. */
  read(): Promise<Uint8Array | null>;
  cancel(): void;
};

/** `where` is read only when something fails: computing it parses a URL. */
type Named = { readonly where: string };

/** A body on one of our own connections is read directly, unless it must be decoded; all others are runtime streams. */
export function sourceOf(response: Response | Exchange, call: Named): BodySource {
  if (response instanceof Response) return new StreamSource(decodedBody(response, call));
  const format = formatOf(response, call);
  if (format === null) return response;
  return new StreamSource(unpacked(streamOf(response), format, call));
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

/** Delivers a piece that was already read, then the rest. */
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

/** For code that needs a standard ReadableStream. A piece is read only when it is asked for. */
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

/** The DOM types, which the compiler checks against, know fewer formats than Bun supports. */
function unpacking(format: Bun.CompressionFormat): DecompressionStream {
  return new DecompressionStream(format as CompressionFormat);
}

/** Answers shrink tenfold, a bomb a thousandfold: reading it would cost seconds before it met any other bound. */
const MOST_SHRUNK = 50;
/** Less is no danger, however it shrinks. */
const HARMLESS_BYTES = 8 << 20;

function unpacked(
  packed: ReadableStream<Uint8Array<ArrayBuffer>>,
  format: Bun.CompressionFormat,
  call: Named,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let packedBytes = 0;
  let bytes = 0;
  const counting = passing((size) => {
    packedBytes += size;
  });
  const bounding = passing((size) => {
    bytes += size;
    if (bytes > HARMLESS_BYTES && bytes > packedBytes * MOST_SHRUNK)
      throw oversizeFailure(`${bytes} bytes unpacked from ${packedBytes}`, call.where);
  });
  return packed.pipeThrough(counting).pipeThrough(unpacking(format)).pipeThrough(bounding);
}

function passing(look: (sizeBytes: number) => void) {
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, pieces) {
      look(piece.byteLength);
      pieces.enqueue(piece);
    },
  });
}

/** Usually the body as it is. If a provider compresses without being asked, it is decompressed at the reader's pace. */
export function decodedBody(response: Response, call: Named): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  const format = formatOf(response, call);
  if (format === null) return response.body;
  return response.body && unpacked(response.body, format, call);
}

/** Null if there is nothing to decode. */
function formatOf(response: OutboundResponse, call: Named): Bun.CompressionFormat | null {
  const encoding = response.headers.get("content-encoding")?.trim().toLowerCase();
  if (encoding === undefined || encoding === "identity" || encoding === "") return null;
  const format = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (format !== undefined) return format;
  throw unreadableAnswer(`${call.where}: content-encoding ${encoding.slice(0, 40)}`);
}
