export function sine(tone: {
  readonly sampleRate: number;
  readonly frequencyHz: number;
  readonly seconds: number;
  readonly amplitude?: number;
}): Float32Array {
  const samples = new Float32Array(Math.round(tone.sampleRate * tone.seconds));
  const step = (2 * Math.PI * tone.frequencyHz) / tone.sampleRate;
  return samples.map((_, at) => Math.sin(at * step) * (tone.amplitude ?? 1));
}

export function rmsOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(samples.length, 1));
}

const BITRATES_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES_V1 = [44_100, 48_000, 32_000];

/** Reads every frame of an MP3 file; throws if they are not contiguous. */
export function readMp3(bytes: Uint8Array): {
  frames: number;
  sampleRate: number;
  channels: number;
  seconds: number;
} {
  let at = 0;
  let frames = 0;
  let sampleRate = 0;
  let channels = 0;
  let perFrame = 0;
  while (at + 4 <= bytes.length) {
    const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
    if (first !== 0xff || (second & 0xe6) !== 0xe2) throw new Error(`no frame at byte ${at}`);
    const isV1 = (second & 0x08) !== 0;
    sampleRate = (RATES_V1[(third >> 2) & 3] ?? 0) / (isV1 ? 1 : 2);
    channels = fourth >> 6 === 3 ? 1 : 2;
    perFrame = isV1 ? 1152 : 576;
    const kilobits = (isV1 ? BITRATES_V1 : BITRATES_V2)[third >> 4] ?? 0;
    at += Math.floor(((perFrame / 8) * kilobits * 1000) / sampleRate) + ((third >> 1) & 1);
    frames++;
  }
  return { frames, sampleRate, channels, seconds: (frames * perFrame) / sampleRate };
}
