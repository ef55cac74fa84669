/** Uncompressed audio as speech services send it: 16 bits, little-endian. */
export type PcmFormat = { readonly sampleRate: number; readonly channels: number };

export type Wav = PcmFormat & {
  readonly samples: Uint8Array;
  readonly durationMs: number;
};

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
/** A real file has a handful; more is an attack. */
const MAX_CHUNKS = 64;

/** Null if it is not a WAV of plain 16-bit PCM. A length beyond the end of the file is cut to what is there. */
export function readWav(bytes: Uint8Array): Wav | null {
  const chunks = chunksOf(bytes);
  const format = chunks === null ? null : plainFormat(chunks.format);
  if (chunks === null || format === null) return null;
  const frameBytes = format.channels * BYTES_PER_SAMPLE;
  const durationMs = lengthMs(chunks.samples, format.sampleRate * frameBytes, frameBytes);
  return { ...format, samples: chunks.samples, durationMs };
}

/** Duration of a WAV in any encoding. Null: it has no samples. Undefined: the encoding has no fixed rate. */
export function wavLengthMs(bytes: Uint8Array): number | null | undefined {
  const chunks = chunksOf(bytes);
  if (chunks === null) return null;
  const { format, samples } = chunks;
  const frameBytes = format.getUint16(12, true);
  const bytesPerSecond = format.getUint32(4, true) * frameBytes;
  if (bytesPerSecond === 0 || samples.byteLength < frameBytes) return null;
  const isFixed = FIXED_RATES.has(format.getUint16(0, true));
  return isFixed ? lengthMs(samples, bytesPerSecond, frameBytes) : undefined;
}

/** PCM, float, A-law, µ-law, and the extensible header that stands for one of them. */
const FIXED_RATES: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe]);
const FORMAT_BYTES = 16;

type Chunks = { readonly format: DataView; readonly samples: Uint8Array };

function chunksOf(bytes: Uint8Array): Chunks | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 12 || text(view, 0) !== "RIFF" || text(view, 8) !== "WAVE") return null;
  let format: DataView | null = null;
  for (let at = 12, chunks = 0; at + 8 <= bytes.byteLength && chunks < MAX_CHUNKS; chunks += 1) {
    const name = text(view, at);
    const start = at + 8;
    const sizeBytes = view.getUint32(at + 4, true);
    const end = Math.min(start + sizeBytes, bytes.byteLength);
    if (name === "fmt " && end - start >= FORMAT_BYTES) {
      format = new DataView(bytes.buffer, bytes.byteOffset + start, FORMAT_BYTES);
    }
    if (name === "data") {
      // A file that is sent while it is made has 0 for both lengths, followed by the samples.
      const isStream = sizeBytes === 0 && view.getUint32(4, true) + 8 < bytes.byteLength;
      return format && { format, samples: bytes.subarray(start, isStream ? bytes.byteLength : end) };
    }
    // Chunks are aligned to two bytes.
    at = end + ((end - start) % 2);
  }
  return null;
}

/** Joins pieces of the same format into one file. */
export function writeWav({ sampleRate, channels }: PcmFormat, pieces: readonly Uint8Array[]): Uint8Array {
  const sizeBytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const file = new Uint8Array(HEADER_BYTES + sizeBytes);
  const view = new DataView(file.buffer);
  const frameBytes = channels * BYTES_PER_SAMPLE;
  file.set(Buffer.from("RIFF"), 0);
  view.setUint32(4, HEADER_BYTES - 8 + sizeBytes, true);
  file.set(Buffer.from("WAVEfmt "), 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, 8 * BYTES_PER_SAMPLE, true);
  file.set(Buffer.from("data"), 36);
  view.setUint32(40, sizeBytes, true);
  let at = HEADER_BYTES;
  for (const piece of pieces) {
    file.set(piece, at);
    at += piece.byteLength;
  }
  return file;
}

function plainFormat(format: DataView): PcmFormat | null {
  const isPlain = format.getUint16(0, true) === 1 && format.getUint16(14, true) === 8 * BYTES_PER_SAMPLE;
  const channels = format.getUint16(2, true);
  const sampleRate = format.getUint32(4, true);
  return isPlain && channels > 0 && sampleRate > 0 ? { sampleRate, channels } : null;
}

/** Whole frames only. Any audio lasts at least a millisecond, since 0 means none. */
function lengthMs(samples: Uint8Array, bytesPerSecond: number, frameBytes: number): number {
  const whole = samples.byteLength - (samples.byteLength % frameBytes);
  return whole === 0 ? 0 : Math.max(1, Math.round((whole / bytesPerSecond) * 1_000));
}

function text(view: DataView, at: number): string {
  let word = "";
  for (let index = at; index < at + 4; index += 1) word += String.fromCharCode(view.getUint8(index));
  return word;
}
