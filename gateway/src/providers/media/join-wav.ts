import { ProviderFailure } from "../../contract/index.ts";
import {
  beginsAsMp3,
  type PcmFormat,
  readWav,
  sniffMediaType,
  type Wav,
  writeWav,
} from "../../media/index.ts";

/** Silence between two voices. */
const PAUSE_MS = 200;

/** Joins several voices into one file. Joins samples rather than files, so no decoder has to guess at the seams. */
export function joinWav(parts: readonly Uint8Array[], format: PcmFormat | "wav"): Uint8Array {
  const sounds = parts.map((part) => (format === "wav" ? wavOf(part) : { ...format, samples: part }));
  const [first] = sounds;
  if (first === undefined) throw unjoinable("no part came");
  const isOneKind = sounds.every(
    ({ sampleRate, channels }) => sampleRate === first.sampleRate && channels === first.channels,
  );
  if (!isOneKind) throw unjoinable("parts of different rates");
  const frameBytes = first.channels * 2;
  if (sounds.some(({ samples }) => samples.byteLength < frameBytes))
    throw unjoinable("a part without samples");
  /** Half a frame would shift all samples after it. */
  const whole = sounds.map(({ samples }) =>
    samples.subarray(0, samples.byteLength - (samples.byteLength % frameBytes)),
  );
  const pause = new Uint8Array(Math.round((first.sampleRate * PAUSE_MS) / 1_000) * frameBytes);
  return writeWav(
    first,
    whole.flatMap((samples, at) => (at === 0 ? [samples] : [pause, samples])),
  );
}

/**
 * Throws if a part that should be raw samples is not. A file, recognised by its magic bytes, would be heard as noise.
 * Raw samples have no magic bytes, so text is recognised by the content type.
 */
export function refuseUnlessSamples(bytes: Uint8Array, contentType: string | undefined): void {
  const file = sniffMediaType(bytes);
  // Samples may happen to begin like an MP3 frame, but then no other frame follows where that one ends.
  const isFile = file === "audio/mpeg" ? beginsAsMp3(bytes) : file !== null;
  if (isFile) throw unjoinable(`a part of ${file} where samples were asked for`);
  if (contentType !== undefined && /^\s*text\/|json|xml/i.test(contentType)) {
    throw unjoinable(`a part of ${contentType.slice(0, 100)}`);
  }
}

function wavOf(part: Uint8Array): Wav {
  const wav = readWav(part);
  if (wav === null) throw unjoinable("a part that is no plain WAV");
  return wav;
}

export function unjoinable(internal: string): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider sent sound that we cannot join.", {
    internal,
    targetHealth: "up",
  });
}
