import { expect, test } from "bun:test";
import fc from "fast-check";
import { inMemory } from "../../contract/index.ts";
import { StreamedBody } from "../../outbound/index.ts";
import { createEmbeddedMedia } from "./embedded-media.ts";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const fileOf = (bytes: Uint8Array) => inMemory({ bytes, mediaType: "image/png" });

async function sent(body: string | StreamedBody): Promise<string> {
  if (!(body instanceof StreamedBody)) return body;
  const whole = Buffer.concat(await Array.fromAsync(body.pieces()));
  expect(body.sizeBytes).toBe(whole.byteLength);
  return whole.toString();
}

test("the body is the JSON with the files' base64 in it, byte for byte, each time it is read", async () => {
  const files = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(files, fc.string({ unit: "binary" }), async (given, prompt) => {
      const media = createEmbeddedMedia();
      const { base64Of, dataUriOf } = media.open();
      const body = media.bodyOf(
        JSON.stringify({
          prompt,
          data: given.map((bytes) => base64Of(fileOf(bytes))),
          urls: given.map((bytes) => dataUriOf(fileOf(bytes))),
        }),
      );
      const plain = JSON.stringify({
        prompt,
        data: given.map(base64),
        urls: given.map((bytes) => `data:image/png;base64,${base64(bytes)}`),
      });
      expect(await sent(body)).toBe(plain);
      expect(await sent(body)).toBe(plain);
    }),
    { numRuns: 25 },
  );
});

test("a large file is read in pieces of less than 1 MB, and only when the body is sent", async () => {
  const bytes = new Uint8Array(2_000_001).map((_, at) => (at * 7) % 256);
  const media = createEmbeddedMedia();
  const asked: number[] = [];
  const file = fileOf(bytes);
  const read = (start: number, length: number) => {
    asked.push(length);
    return file.read(start, length);
  };
  const body = media.bodyOf(`"${media.open().base64Of({ ...file, read })}"`);
  expect(asked).toEqual([]);
  expect(await sent(body)).toBe(`"${base64(bytes)}"`);
  expect(Math.max(...asked)).toBeLessThan(1_000_000);
});

test("a body without files, or with placeholders of no open file, is sent unchanged", () => {
  const media = createEmbeddedMedia();
  const embedding = media.open();
  const word = embedding.base64Of(fileOf(new Uint8Array(3)));
  embedding.close();
  for (const json of [`"hello"`, `"bursarfile${"0".repeat(32)}"`, `"${word}"`])
    expect(media.bodyOf(json)).toBe(json);
  const other = createEmbeddedMedia()
    .open()
    .base64Of(fileOf(new Uint8Array(3)));
  expect(media.bodyOf(other)).toBe(other);
});
