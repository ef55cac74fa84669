import { expect, test } from "bun:test";
import { filmHead } from "./film-head.ts";

const UNKNOWN = 0xffffffff;

test("a film is as long as its header says, and as unknown as it says", () => {
  expect(filmHead(film(2_500)).durationMs).toBe(2_500);
  expect(filmHead(film(0)).durationMs).toBeNull();
  expect(filmHead(film(UNKNOWN)).durationMs).toBeNull();
  expect(filmHead(Buffer.alloc(8)).durationMs).toBeNull();
});

/** A film of nothing but the header that says its length, in thousandths of a second. */
function film(length: number): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt32BE(1_000, 12);
  header.writeUInt32BE(length, 16);
  return box("moov", box("mvhd", header));
}

function box(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}
