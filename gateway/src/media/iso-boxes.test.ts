import { expect, test } from "bun:test";
import { imageSize } from "./image-size.ts";
import { isoBoxesAt } from "./iso-boxes.ts";
import { isoBox as box } from "./iso-testing.ts";
import { mediaDurationMs } from "./media-duration.ts";
import { sniffMediaType } from "./media-type.ts";

const brand = (name: string) => box("ftyp", Buffer.from(`${name}\0\0\0\0${name}`, "latin1"));
const many = (count: number, made: Buffer) => Array<Buffer>(count).fill(made);

/** As many nested boxes as fit into the largest accepted file: three million. */
const CROWD = many(760, box("trak"));
const CROWDED_VIDEO = Buffer.concat([brand("isom"), ...many(4_000, box("moov", ...CROWD))]);
const CROWDED_PICTURE = Buffer.concat([
  brand("avif"),
  ...many(4_000, box("meta", Buffer.alloc(4), ...CROWD)),
]);

test("a file of three million boxes takes less than a second", () => {
  const started = process.cpuUsage();
  expect(sniffMediaType(CROWDED_VIDEO)).toBe("video/mp4");
  expect(mediaDurationMs(CROWDED_VIDEO, "video/mp4")).toBeNull();
  expect(imageSize(CROWDED_PICTURE)).toBeNull();
  const { user, system } = process.cpuUsage(started);
  // Includes whatever else this process does meanwhile; examining every box took ten seconds.
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

test("a video with too many boxes in its tracks has no duration", () => {
  const header = Buffer.alloc(20);
  header.writeUInt32BE(1_000, 12);
  header.writeUInt32BE(1_000, 16);
  const crowded = many(500, box("trak", box("mdia", ...many(1_000, box("free")))));
  const video = Buffer.concat([brand("isom"), box("moov", box("mvhd", header), ...crowded)]);
  expect(mediaDurationMs(video, "video/mp4")).toBeNull();
});

test("a picture with more boxes than the limit has no size", () => {
  const extent = (width: number) => {
    const body = Buffer.alloc(12);
    body.writeUInt32BE(width, 4);
    body.writeUInt32BE(width, 8);
    return box("ispe", body);
  };
  const picture = (...between: Buffer[]) =>
    Buffer.concat([
      brand("avif"),
      box("meta", Buffer.alloc(4), box("iprp", box("ipco", extent(16), ...between, extent(60_000)))),
    ]);
  expect(imageSize(picture())).toEqual({ width: 60_000, height: 60_000 });
  expect(imageSize(picture(...many(5_000, box("free"))))).toBeNull();
});

test("a false box size ends the search, in the short and the long form", () => {
  const lying = Buffer.concat([brand("isom"), box("moov")]);
  for (const size of [7, 2, 9_999, 0xffffffff]) {
    lying.writeUInt32BE(size, lying.length - 8);
    expect(isoBoxesAt(lying, ["moov"])).toEqual([]);
  }
  const long = Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from("moov"), Buffer.alloc(8, 0xff)]);
  expect(isoBoxesAt(long, ["moov"])).toEqual([]);
});
