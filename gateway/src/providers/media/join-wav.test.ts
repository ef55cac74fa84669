import { expect, test } from "bun:test";
import { readWav } from "../../media/wav.ts";
import { joinWav } from "./join-wav.ts";
import { silentWav } from "./media-testing.ts";

test("parts of one sample rate are joined into one file, with 200 ms of silence between them", () => {
  const joined = readWav(joinWav([silentWav(100), silentWav(300)], "wav"));
  expect(joined).toMatchObject({ sampleRate: 24_000, channels: 1, durationMs: 600 });
});

test("parts of different sample rates are refused: the second would play too fast or too slow", () => {
  expect(() => joinWav([silentWav(100, 24_000), silentWav(100, 44_000)], "wav")).toThrow(
    expect.objectContaining({ kind: "unavailable" }),
  );
});

test.each([
  ["a WAV without samples", [silentWav(100), silentWav(0)], "wav"],
  ["raw but empty", [new Uint8Array(480), new Uint8Array(0)], { sampleRate: 24_000, channels: 1 }],
] as const)("a part that is %s is refused: one voice would be missing", (_name, parts, format) => {
  expect(() => joinWav(parts, format)).toThrow(expect.objectContaining({ kind: "unavailable" }));
});

test("a part that ends in an incomplete frame does not shift the voice after it", () => {
  const format = { sampleRate: 24_000, channels: 2 };
  const voice = new Uint8Array([1, 2, 3, 4]);
  for (const more of [1, 2, 3]) {
    const cut = new Uint8Array([...voice, ...Array(more).fill(9)]);
    const samples = readWav(joinWav([cut, voice], format))?.samples ?? new Uint8Array();
    expect([samples.byteLength % 4, ...samples.slice(-4)]).toEqual([0, ...voice]);
    expect(samples.includes(9)).toBe(false);
  }
});
