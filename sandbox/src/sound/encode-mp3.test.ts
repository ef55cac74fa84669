import { describe, expect, test } from "bun:test";
import { createMp3Encoder } from "./encode-mp3.ts";
import { readMp3, sine } from "./testing.ts";

describe("an MP3 file", () => {
  test.each([
    [24_000, 1, 64],
    [44_100, 2, 192],
  ] as const)(
    "of %d Hz and %d channels has whole frames and the length of its input",
    async (sampleRate, channels, bitrate) => {
      const encoder = await createMp3Encoder({ sampleRate, channels, bitrate });
      const tone = sine({ sampleRate, frequencyHz: 440, seconds: 2.5, amplitude: 0.5 });
      for (let piece = 0; piece < 2; piece++) encoder.add(channels === 1 ? [tone] : [tone, tone]);
      const { bytes, durationMs } = encoder.finish();
      expect(durationMs).toBe(5000);
      const read = readMp3(bytes);
      expect(read).toMatchObject({ sampleRate, channels });
      expect(Math.abs(read.seconds - 5)).toBeLessThan(0.12);
    },
  );
});
