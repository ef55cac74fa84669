import { expect, test } from "bun:test";
import fc from "fast-check";
import { box, tinyMp4 } from "../providers/media/media-testing.ts";
import { isoBox, isoPictureTrack } from "./iso-testing.ts";
import { videoHead } from "./video-head.ts";

const UNKNOWN = 0xffffffff;

test("the duration is that of the header, or of the track if the header has none", () => {
  expect(videoHead(video({ length: 2_500 }))?.durationMs).toBe(2_500);
  expect(videoHead(video({ length: 0, tracks: [track({ id: 1, units: 3_000 })] }))?.durationMs).toBe(3_000);
});

test.each([
  ["no duration", video({ length: 0 })],
  ["an unknown duration", video({ length: UNKNOWN })],
  ["empty content", video({ length: 2_500, content: "" })],
  ["no header", box("mdat", Buffer.from("x"))],
  ["a truncated header", video({ length: 2_500 }).subarray(0, -20)],
  ["truncated content", video({ length: 2_500 }).subarray(0, -2)],
  ["too many boxes", Buffer.concat([video({ length: 2_500 }), boxes(140_000)])],
  ["eight zero bytes only", Buffer.alloc(8)],
])("videoHead returns null for a file with %s", (_name, bytes) => {
  expect(videoHead(bytes)).toBeNull();
});

const SMALL = { units: 2_500, width: 854, height: 480 };

test.each([
  ["the sample description", { said: SMALL, width: 1_920, height: 1_080 }, [1_920, 1_080]],
  [
    "the track header",
    { said: { ...SMALL, width: 1_920, height: 1_080 }, width: 1_440, height: 1_080 },
    [1_920, 1_080],
  ],
  [
    "a sample description turned by 90 degrees",
    { said: { ...SMALL, width: 480, height: 854 }, width: 856, height: 480 },
    [856, 480],
  ],
])("the size is that of %s if it is larger", (_name, sizes, [width = 0, height = 0]) => {
  const tracks = [isoPictureTrack({ ...sizes, samples: [[10, 250]] })];
  expect(videoHead(video({ length: 2_500, tracks }))).toMatchObject({ width, height });
});

test("the size is that of the decoded H.264 pictures, whatever the sample description says", () => {
  const large =
    "01640028ffe1001b67640028acd940780227e5c044000003000400000300f03c60c65801000668ebe3cb22c0fdf8f800";
  const ofSamples = isoBox("avcC", Buffer.from(large, "hex"));
  const tracks = [isoPictureTrack({ said: SMALL, width: 854, height: 480, samples: [[10, 250]], ofSamples })];
  expect(videoHead(video({ length: 2_500, tracks }))).toMatchObject({ width: 1_920, height: 1_080 });
});

test("a video with too many bytes of H.264 headers has no size", () => {
  const header = Buffer.concat([Buffer.from([1, 100, 0, 40, 255, 0xe1, 0x80, 0]), Buffer.alloc(0x8000)]);
  const ofSamples = Buffer.concat(Array(3).fill(isoBox("avcC", header)));
  const tracks = [isoPictureTrack({ said: SMALL, width: 854, height: 480, samples: [[10, 250]], ofSamples })];
  expect(videoHead(video({ length: 2_500, tracks }))).toMatchObject({ width: null, height: null });
});

test("a small track does not hide a larger one after it", () => {
  const small = isoPictureTrack({ said: SMALL, width: 854, height: 480, samples: [[10, 250]] });
  const large = isoPictureTrack({ said: SMALL, width: 1_920, height: 1_080, samples: [[10, 250]] });
  expect(videoHead(video({ length: 2_500, tracks: [small, large] }))).toMatchObject({
    width: 1_920,
    height: 1_080,
  });
});

test("the sample description of an audio track gives no size", () => {
  const loud = Buffer.from(
    isoPictureTrack({ said: { units: 2_500, width: 0, height: 0 }, width: 48_000, height: 7, samples: [] })
      .toString("latin1")
      .replace("vide", "soun"),
    "latin1",
  );
  expect(videoHead(video({ length: 2_500, tracks: [loud] }))).toMatchObject({ width: null, height: null });
});

test("trailing bytes after the last box are ignored", () => {
  const whole = video({ length: 2_500 });
  for (const rest of ["\0\0\0\0", "\0\0\0\0\0\0\0\0\0\0\0\0", "trailing words", "\0\0\x01\0free"]) {
    expect(videoHead(Buffer.concat([whole, Buffer.from(rest)]))?.durationMs).toBe(2_500);
  }
});

test.each([[true], [false], [null]])("hasSound follows from the tracks: %p", (sound) => {
  expect(videoHead(tinyMp4({ sound }))?.hasSound).toBe(sound);
});

// A header for the first second, and fragments of a second each. A unit is a millisecond.
const SAMPLES = [500, 300, 200];

test.each<[string, { times: boolean; own?: number; all?: number; run: Buffer }]>([
  ["each sample has its own duration", { times: true, run: run({ samples: SAMPLES }) }],
  ["no fragment has a start time", { times: false, run: run({ samples: SAMPLES }) }],
  ["a fragment has one duration for all samples", { times: true, own: 250, run: run({ count: 4 }) }],
  ["the header has one duration for all samples", { times: true, all: 125, run: run({ count: 8 }) }],
])("a fragmented video lasts as long as all of its fragments if %s", (_name, how) => {
  const parts = [1, 2, 3].map((second) => fragment({ start: how.times ? second * 1_000 : null, ...how }));
  const header = { length: 1_000, tracks: [track({ id: 1, units: 1_000 })], all: how.all ?? 0 };
  expect(videoHead(Buffer.concat([video(header), ...parts]))?.durationMs).toBe(4_000);
});

test("a fragmented video lasts as long as its fragments, or as a header that already counts them", () => {
  const parts = [5, 6, 7].map((second) =>
    fragment({ start: second * 1_000, run: run({ samples: SAMPLES }) }),
  );
  const empty = video({ length: 0, tracks: [track({ id: 1, units: 0 })] });
  expect(videoHead(Buffer.concat([empty, ...parts]))?.durationMs).toBe(3_000);
  const knowing = video({ length: 8_000, tracks: [track({ id: 1, units: 8_000 })] });
  expect(videoHead(Buffer.concat([knowing, ...parts]))?.durationMs).toBe(8_000);
});

test.each([
  ["a run with fewer samples than it claims", run({ samples: SAMPLES, count: 9 })],
  ["a truncated run", box("trun", Buffer.alloc(3))],
])("the duration of a fragmented video with %s is unknown", (_name, broken) => {
  const header = video({ length: 1_000, tracks: [track({ id: 1, units: 1_000 })] });
  expect(videoHead(Buffer.concat([header, fragment({ start: 0, run: broken })]))?.durationMs).toBeNull();
});

test("changed or missing bytes give a finite positive duration, or none", () => {
  const header = video({ length: 1_000, tracks: [track({ id: 1, units: 1_000 })] });
  const whole = Buffer.concat([header, fragment({ start: 1_000, run: run({ samples: SAMPLES }) })]);
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(changes, fc.nat(whole.length), (changed, length) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changed) bytes[at] = value;
      const durationMs = videoHead(bytes.subarray(0, length))?.durationMs ?? null;
      expect(durationMs === null || (Number.isFinite(durationMs) && durationMs > 0)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

function video(of: { length: number; tracks?: readonly Buffer[]; content?: string; all?: number }): Buffer {
  const header = words(0, 0, 0, 1_000, of.length);
  const defaults = box("mvex", box("trex", words(0, 1, 1, of.all ?? 0, 0, 0)));
  const inside = [box("mvhd", header), ...(of.tracks ?? []), defaults];
  return Buffer.concat([
    box("moov", Buffer.concat(inside)),
    box("mdat", Buffer.from(of.content ?? "some video")),
  ]);
}

function track({ id, units }: { id: number; units: number }): Buffer {
  const media = box("mdia", box("mdhd", words(0, 0, 0, 1_000, units)));
  return box("trak", Buffer.concat([box("tkhd", words(0, 0, 0, id, 0)), media]));
}

function fragment(of: { start: number | null; run: Buffer; own?: number }): Buffer {
  const header = of.own === undefined ? words(0, 1) : words(0x0b, 1, 0, 0, 1, of.own);
  const time = of.start === null ? [] : [box("tfdt", words(0x01000000, 0, of.start))];
  const moof = box("moof", box("traf", Buffer.concat([box("tfhd", header), ...time, of.run])));
  return Buffer.concat([moof, box("mdat", Buffer.from("more video"))]);
}

function run({
  samples = [],
  count = samples.length,
}: {
  samples?: readonly number[];
  count?: number;
}): Buffer {
  if (samples.length === 0) return box("trun", words(0x05, count, 0, 0));
  return box("trun", words(0x305, count, 0, 0, ...samples.flatMap((units) => [units, 77])));
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

function boxes(count: number): Buffer {
  return Buffer.alloc(count * 8, box("free", Buffer.alloc(0)));
}
