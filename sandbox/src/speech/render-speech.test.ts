import { describe, expect, test } from "bun:test";
import type { SpokenLine } from "../../../gateway/src/contract/index.ts";
import { RenderRefusal } from "../media/render-refusal.ts";
import { CEILING } from "../sound/level.ts";
import { loudnessLufs } from "../sound/loudness.ts";
import { peakOf } from "../sound/pcm.ts";
import { readMp3, rmsOf } from "../sound/testing.ts";
import { MAX_SPEECH_CHARACTERS, renderSpeech, SPEECH_SAMPLE_RATE, speak, spokenMs } from "./render-speech.ts";
import { readAloud } from "./text/read-aloud.ts";
import { VOICES } from "./voices.ts";

const TEXT = "The quick brown fox jumps over the lazy dog, and nobody minds.";

async function heard(lines: readonly SpokenLine[], speed = 1): Promise<Float32Array> {
  const pieces: number[] = [];
  for await (const piece of speak(lines, speed)) for (const sample of piece) pieces.push(sample);
  return Float32Array.from(pieces);
}

const secondsOf = (samples: Float32Array) => samples.length / SPEECH_SAMPLE_RATE;
const pcmOf = (samples: Float32Array) => ({ sampleRate: SPEECH_SAMPLE_RATE, channels: [samples] as const });

describe("speech", () => {
  test.each(VOICES.map(({ name }) => name))(
    "%s speaks at the common loudness, without clipping or offset, and with silent ends",
    async (voice) => {
      const samples = await heard([{ voice, text: TEXT }]);
      expect(secondsOf(samples)).toBeGreaterThan(3);
      expect(secondsOf(samples)).toBeLessThan(6.5);
      expect(Math.abs(loudnessLufs(pcmOf(samples)) + 16)).toBeLessThan(1.5);
      expect(peakOf(pcmOf(samples))).toBeLessThanOrEqual(CEILING * 1.001);
      expect(Math.abs(samples.reduce((sum, sample) => sum + sample, 0) / samples.length)).toBeLessThan(0.001);
      expect(rmsOf(samples.subarray(0, 1200))).toBe(0);
      expect(rmsOf(samples.subarray(-2400))).toBe(0);
    },
  );

  test("double speed takes half the time, and half speed takes double", async () => {
    const [slow, plain, fast] = await Promise.all(
      [0.5, 1, 2].map((speed) => heard([{ voice: "ben", text: TEXT }], speed)),
    );
    const fixed = 0.37;
    const length = (samples: Float32Array | undefined) => secondsOf(samples ?? new Float32Array()) - fixed;
    expect(length(slow) / length(plain)).toBeCloseTo(2, 0);
    expect(length(plain) / length(fast)).toBeCloseTo(2, 0);
  });

  test("speakers are equally loud and differ in pitch", async () => {
    const lines = ["ava", "max", "daisy"].map((voice) => ({ voice, text: TEXT }));
    const spoken = await Promise.all(lines.map((line) => heard([line])));
    const levels = spoken.map((samples) => loudnessLufs(pcmOf(samples)));
    expect(Math.max(...levels) - Math.min(...levels)).toBeLessThan(1);
    const [ava = 0, max = 0, daisy = 0] = spoken.map(pitchHzOf);
    expect(ava).toBeWithin(160, 195);
    expect(max).toBeWithin(80, 115);
    expect(daisy).toBeWithin(200, 240);
  });

  test("a dialogue lasts as long as its lines and the pauses between them", async () => {
    const one = await heard([{ voice: "ava", text: "Hello there." }]);
    const two = await heard([{ voice: "ben", text: "Good morning." }]);
    const both = await heard([
      { voice: "ava", text: "Hello there." },
      { voice: "ben", text: "Good morning." },
    ]);
    expect(secondsOf(both)).toBeCloseTo(secondsOf(one) + secondsOf(two) - 0.37 + 0.32, 1);
  });

  test("text that cannot be read is not silent", async () => {
    for (const text of ["🎉", "สวัสดี"])
      expect(rmsOf(await heard([{ voice: null, text }]))).toBeGreaterThan(0.02);
  });

  test("an unknown voice and a text beyond the character limit are refused", async () => {
    await expect(heard([{ voice: "nobody", text: TEXT }])).rejects.toBeInstanceOf(RenderRefusal);
    const book = "a".repeat(MAX_SPEECH_CHARACTERS + 1);
    await expect(heard([{ voice: null, text: book }])).rejects.toBeInstanceOf(RenderRefusal);
  });

  test("a text that takes more than 20 minutes is refused before any of it is spoken", async () => {
    const texts = [
      ["1234567890".repeat(500), 1],
      ["W".repeat(MAX_SPEECH_CHARACTERS), 0.25],
      ["a. ".repeat(MAX_SPEECH_CHARACTERS / 3), 0.25],
      ["a\n\n".repeat(MAX_SPEECH_CHARACTERS / 3), 0.25],
    ] as const;
    for (const [text, speed] of texts) {
      const first = speak([{ voice: null, text }], speed).next();
      expect(await first.catch((error: unknown) => error)).toMatchObject({
        publicMessage: expect.stringMatching(
          /^The sandbox speaks for at most 20 minutes, and this takes about \d+: /,
        ),
      });
    }
  });

  test("an ordinary text of the maximum length is spoken even slowly, and one of figures at half of it", async () => {
    const longest = (text: string) => text.repeat(MAX_SPEECH_CHARACTERS).slice(0, MAX_SPEECH_CHARACTERS);
    const figures = longest("On 3 May 2024 they paid $1,234.50 for 12 kg of it. ");
    for (const [text, speed] of [
      [longest(`${TEXT} `), 0.35],
      [figures.slice(MAX_SPEECH_CHARACTERS / 2), 1],
    ] as const) {
      expect((await speak([{ voice: null, text }], speed).next()).done).toBe(false);
    }
  });

  test.each([
    ["plain words", TEXT.repeat(2)],
    ["letters", "w ".repeat(20)],
    ["spelled words", "wwwww xqzjk ".repeat(5)],
    ["short sentences", "Yes. Oh? ".repeat(8)],
    ["lists", "a, an, the, ".repeat(8)],
    ["signs", "& + = 7% ".repeat(4)],
  ])("the estimated duration is near the real one: %s", async (_what, text) => {
    const heardMs = secondsOf(await heard([{ voice: "ben", text }], 2)) * 1000;
    expect(spokenMs(readAloud(text)) / 2 / heardMs).toBeWithin(0.7, 1.5);
  });

  test("the same request gives the same file, with its true duration", async () => {
    const job = { kind: "speech", request: { lines: [{ voice: "clara", text: TEXT }], speed: 1.1 } } as const;
    const [one, two] = [await renderSpeech(job), await renderSpeech(job)];
    expect(one.bytes).toEqual(two.bytes);
    expect(one.mediaType).toBe("audio/mpeg");
    const { seconds, channels, sampleRate } = readMp3(one.bytes);
    expect({ channels, sampleRate }).toEqual({ channels: 1, sampleRate: SPEECH_SAMPLE_RATE });
    expect(Math.abs(seconds - (one.durationMs ?? 0) / 1000)).toBeLessThan(0.15);
  });
});

/** The median pitch of all voiced stretches, by autocorrelation. */
function pitchHzOf(samples: Float32Array): number {
  const size = 1200;
  const loud = rmsOf(samples);
  const pitches: number[] = [];
  for (let from = 0; from + size * 2 <= samples.length; from += size * 2) {
    const stretch = samples.subarray(from, from + size * 2);
    if (rmsOf(stretch) < loud) continue;
    let best = 0;
    let bestLag = 0;
    for (let lag = 75; lag < 330; lag++) {
      let sum = 0;
      for (let at = 0; at < size; at++) sum += (stretch[at] ?? 0) * (stretch[at + lag] ?? 0);
      if (sum > best) [best, bestLag] = [sum, lag];
    }
    if (bestLag > 0) pitches.push(SPEECH_SAMPLE_RATE / bestLag);
  }
  return pitches.toSorted((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 0;
}
