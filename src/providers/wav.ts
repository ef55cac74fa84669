/** Sound without compression, as speech services send it: 16 bits, little end first. */
export type PcmFormat = { readonly sampleRate: number; readonly channels: number };

export type Wav = PcmFormat & {
  readonly samples: Uint8Array;
  readonly durationMs: number;
};

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
/** A real file has a handful; more is somebody's trick. */
const MAX_CHUNKS = 64;

/** Null where it is none, or not the plain kind. A length that lies is cut to what is there. */
export function readWav(bytes: Uint8Array): Wav | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 12 || text(view, 0) !== "RIFF" || text(view, 8) !== "WAVE") return null;
  let format: PcmFormat | null = null;
  for (let at = 12, chunks = 0; at + 8 <= bytes.byteLength && chunks < MAX_CHUNKS; chunks += 1) {
    const name = text(view, at);
    const start = at + 8;
    const end = Math.min(start + view.getUint32(at + 4, true), bytes.byteLength);
    if (name === "fmt ") format = formatOf(view, start, end);
    if (name === "data") return format === null ? null : wavOf(format, bytes.subarray(start, end));
    // Chunks begin at even places.
    at = end + ((end - start) % 2);
  }
  return null;
}

/** One file of many pieces of the same sound, in their order. */
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

function formatOf(view: DataView, start: number, end: number): PcmFormat | null {
  if (end - start < 16) return null;
  const isPlain = view.getUint16(start, true) === 1 && view.getUint16(start + 14, true) === 16;
  const channels = view.getUint16(start + 2, true);
  const sampleRate = view.getUint32(start + 4, true);
  return isPlain && channels > 0 && sampleRate > 0 ? { sampleRate, channels } : null;
}

function wavOf(format: PcmFormat, samples: Uint8Array): Wav {
  const frames = Math.floor(samples.byteLength / (format.channels * BYTES_PER_SAMPLE));
  return { ...format, samples, durationMs: Math.round((frames / format.sampleRate) * 1_000) };
}

function text(view: DataView, at: number): string {
  let word = "";
  for (let index = at; index < at + 4; index += 1) word += String.fromCharCode(view.getUint8(index));
  return word;
}
