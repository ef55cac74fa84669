import { inMemory, type KeptFile } from "../../../gateway/src/contract/index.ts";

/**
 * How a job and its file cross a pipe: two lengths, JSON, then the raw bytes that the JSON refers to. Bytes as JSON
 * would be four times as long and block the gateway's event loop.
 */
const HEAD_BYTES = 8;
const MAX_JSON_BYTES = 16 << 20;
/** Three references of 25 MiB fit, and so does the longest video. */
const MAX_BLOB_BYTES = 256 << 20;
const PLACE_KEY = "$bytes";

/** A KeptFile arrives as a GivenFile, with its bytes. */
export function encodeFrame(value: unknown): FramePart[] {
  const blobs: FramePart[] = [];
  let blobBytes = 0;
  const place = (blob: FramePart, sizeBytes: number) => {
    blobs.push(blob);
    blobBytes += sizeBytes;
    return { [PLACE_KEY]: [blobBytes - sizeBytes, sizeBytes] };
  };
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key: string, plain: unknown) {
    // Read from the holder: a Buffer was already converted to a list of numbers before it came here.
    const field = this[key];
    if (field instanceof Uint8Array) return place(field, field.byteLength);
    if (isKept(field)) return { bytes: place(field, field.sizeBytes), mediaType: field.mediaType };
    return plain;
  });
  const json = new TextEncoder().encode(text);
  if (json.byteLength > MAX_JSON_BYTES || blobBytes > MAX_BLOB_BYTES) throw new Error("too large a frame");
  const head = new Uint8Array(HEAD_BYTES);
  const view = new DataView(head.buffer);
  view.setUint32(0, json.byteLength);
  view.setUint32(4, blobBytes);
  return [head, json, ...blobs];
}

type FramePart = Uint8Array | KeptFile;

function isKept(value: unknown): value is KeptFile {
  return typeof value === "object" && value !== null && "read" in value && typeof value.read === "function";
}

const PIECE_BYTES = 1024 * 1024;

/** The pieces to write, in order; a KeptFile is read while it is written. */
export async function* framePieces(parts: readonly FramePart[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const { sizeBytes, read } = part instanceof Uint8Array ? inMemory({ bytes: part, mediaType: "" }) : part;
    for (let at = 0; at < sizeBytes; at += PIECE_BYTES) {
      yield await read(at, Math.min(PIECE_BYTES, sizeBytes - at));
    }
  }
}

type FrameReader = {
  /** Takes a chunk and returns the values that are now complete. Throws if it is not a frame. */
  push(chunk: Uint8Array): unknown[];
};

export function createFrameReader(): FrameReader {
  const head = new Uint8Array(HEAD_BYTES);
  let headBytes = 0;
  let body: Uint8Array | null = null;
  let bodyBytes = 0;

  function openBody(): Uint8Array {
    const view = new DataView(head.buffer);
    const [json, blob] = [view.getUint32(0), view.getUint32(4)];
    if (json === 0 || json > MAX_JSON_BYTES || blob > MAX_BLOB_BYTES) throw new Error("not a frame");
    return new Uint8Array(json + blob);
  }

  function close(whole: Uint8Array): unknown {
    const value = decodeBody(whole, new DataView(head.buffer).getUint32(0));
    [headBytes, body, bodyBytes] = [0, null, 0];
    return value;
  }

  return {
    push(chunk) {
      const values: unknown[] = [];
      for (let at = 0; at < chunk.byteLength; ) {
        if (body === null) {
          const taken = chunk.subarray(at, at + HEAD_BYTES - headBytes);
          head.set(taken, headBytes);
          headBytes += taken.byteLength;
          at += taken.byteLength;
          if (headBytes === HEAD_BYTES) body = openBody();
          continue;
        }
        const taken = chunk.subarray(at, at + body.byteLength - bodyBytes);
        body.set(taken, bodyBytes);
        bodyBytes += taken.byteLength;
        at += taken.byteLength;
        if (bodyBytes === body.byteLength) values.push(close(body));
      }
      return values;
    },
  };
}

function decodeBody(body: Uint8Array, jsonBytes: number): unknown {
  const text = new TextDecoder().decode(body.subarray(0, jsonBytes));
  const blob = body.subarray(jsonBytes);
  return JSON.parse(text, (_key, value: unknown) => {
    const place = typeof value === "object" && value !== null && PLACE_KEY in value ? value[PLACE_KEY] : null;
    if (!Array.isArray(place)) return value;
    const [start, length] = place.map(Number);
    if (start === undefined || length === undefined || start + length > blob.byteLength) {
      throw new Error("bytes outside of their frame");
    }
    return blob.subarray(start, start + length);
  });
}
