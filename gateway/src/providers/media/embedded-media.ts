import { randomBytes } from "node:crypto";
import type { KeptFile } from "../../contract/index.ts";
import { StreamedBody } from "../../outbound/index.ts";

/**
 * Files inside JSON, as base64. A string containing one would be copied by everything that touches it (library, JSON
 * writer, network), so a placeholder stands for the file until the body is sent; only then is the file read, piece by
 * piece.
 */
export type EmbeddedMedia = {
  /** Placeholders for one call. */
  open(): Embedding;
  /** The body with the files in place of their placeholders; unchanged if it has none. */
  bodyOf(json: string): string | StreamedBody;
};

export type Embedding = {
  /** A placeholder for the base64 of the file, valid until `close`. */
  readonly base64Of: (file: KeptFile) => string;
  /** A data URI, so that none of our files has to be reachable from outside. */
  readonly dataUriOf: (file: KeptFile) => string;
  close(): void;
};

/** Placeholders are unique and cannot be guessed, so no prompt can name another caller's file. */
const WORD = /bursarfile[0-9a-f]{32}/g;
const newWord = () => `bursarfile${randomBytes(16).toString("hex")}`;

export function createEmbeddedMedia(): EmbeddedMedia {
  const files = new Map<string, KeptFile>();
  return {
    open() {
      const words: string[] = [];
      const base64Of = (file: KeptFile) => {
        const word = newWord();
        words.push(word);
        files.set(word, file);
        return word;
      };
      return {
        base64Of,
        dataUriOf: (file) => `data:${file.mediaType};base64,${base64Of(file)}`,
        close: () => words.forEach((word) => void files.delete(word)),
      };
    },

    bodyOf(json) {
      const parts: Part[] = [];
      let at = 0;
      for (const { 0: word, index } of json.matchAll(WORD)) {
        const file = files.get(word);
        if (file === undefined) continue;
        parts.push(new TextEncoder().encode(json.slice(at, index)), file);
        at = index + word.length;
      }
      if (parts.length === 0) return json;
      parts.push(new TextEncoder().encode(json.slice(at)));
      return streamed(parts);
    },
  };
}

type Part = Uint8Array<ArrayBuffer> | KeptFile;

function streamed(parts: readonly Part[]): StreamedBody {
  const sizeBytes = parts.reduce((sum, part) => sum + sentBytes(part), 0);
  return new StreamedBody(sizeBytes, async function* () {
    for (const part of parts) {
      if (part instanceof Uint8Array) yield part;
      else yield* base64Pieces(part);
    }
  });
}

function sentBytes(part: Part): number {
  return part instanceof Uint8Array ? part.byteLength : Math.ceil(part.sizeBytes / 3) * 4;
}

/** Divisible by three, so that pieces of base64 can be joined. Not smaller: in a bucket, each is a request. */
const PIECE_BYTES = 3 * 256 * 1024;

async function* base64Pieces(file: KeptFile): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for (let at = 0; at < file.sizeBytes; at += PIECE_BYTES) {
    const bytes = await file.read(at, Math.min(PIECE_BYTES, file.sizeBytes - at));
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    yield Buffer.from(text, "latin1");
  }
}
