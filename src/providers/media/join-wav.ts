import { sniffMediaType } from "../../kit/index.ts";
import { ProviderFailure } from "../contract.ts";
import { beginsAsMp3 } from "./mp3-length.ts";
import { type PcmFormat, readWav, type Wav, writeWav } from "./wav.ts";

/** Between two voices, so that they do not speak in one breath. */
const PAUSE_MS = 200;

/** One file of several voices. Samples are joined, not files: no decoder has to guess at the seams. */
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
  /** Half a frame would shift all that comes behind it. */
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
 * A part that should be bare samples, and is not: a file, as its own bytes say, would be heard as noise. Samples
 * themselves have no first bytes to be known by, so that of anything else the header is asked: words are no sound.
 */
export function refuseUnlessSamples(bytes: Uint8Array, contentType: string | undefined): void {
  const file = sniffMediaType(bytes);
  // Sound may well begin with the three bytes of a frame, but then no other frame follows where the first one ends.
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
