import { expect, test } from "bun:test";
import type { Asset, OpenAsset } from "../../../assets/index.ts";
import type { ImageOutcome, Paid } from "../../../generation/index.ts";
import { credits, newId, ZERO_CREDITS } from "../../../kit/index.ts";
import { createPieceStreams } from "../../piece-streams.ts";
import { RATE } from "../../testing.ts";
import { imagesReply } from "./images-reply.ts";

const SIZE_BYTES = 2_000_001;
const picture = Buffer.alloc(SIZE_BYTES, "any bytes at all");

/** A library that counts the bytes read from its store: each is in memory or has gone out to the reader. */
function watchedLibrary() {
  let readBytes = 0;
  const opened: OpenAsset = {
    asset: { sizeBytes: SIZE_BYTES } as Asset,
    blobOf: () => null,
    async read(start, length) {
      readBytes += length;
      return Uint8Array.from(picture.subarray(start, start + length));
    },
  };
  const open = async () => opened;
  return { open, openSurely: open, readBytes: () => readBytes };
}

const paid: Paid<ImageOutcome> = {
  requestId: newId(),
  replayed: false,
  outcome: {
    model: "pictures",
    images: Array.from({ length: 10 }, () => ({
      id: newId(),
      urlToken: "t",
      mediaType: "image/png" as const,
    })),
  },
  creditsCharged: credits(50),
  balance: { subscription: ZERO_CREDITS, anytime: credits(1) },
  rate: RATE,
};

function reply(library: ReturnType<typeof watchedLibrary>, stallMs: number): Promise<Response> {
  const streams = createPieceStreams({ stallMs, mostOpen: 0 });
  return imagesReply(newId(), paid, { shows: "b64_json", publicUrl: "http://x", library, streams });
}

test("ten images are streamed completely in base64, although their size is not a multiple of three", async () => {
  const { data, credits_charged } = (await (await reply(watchedLibrary(), 60_000)).json()) as {
    data: { b64_json: string }[];
    credits_charged: number;
  };
  expect([data.length, credits_charged]).toEqual([10, 50]);
  for (const { b64_json } of data) expect(Buffer.from(b64_json, "base64").equals(picture)).toBe(true);
});

test("a reader that stops keeps at most one piece of one image in memory, and its stream is ended", async () => {
  const library = watchedLibrary();
  const reader = ((await reply(library, 20)).body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.read();
  await expect(reader.closed).rejects.toThrow("stopped reading");
  expect(library.readBytes()).toBeLessThanOrEqual(1 << 20);
});
