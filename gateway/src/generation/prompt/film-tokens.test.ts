import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
import { modelFrom } from "../../catalog/testing.ts";
import type { ContentPart, FilePart } from "../../contract/index.ts";
import { isoBox, isoPictureTrack, isoWords } from "../../media/iso-testing.ts";
import { quote } from "../chat-call-testing.ts";

const PER_FILE = 100_000;
const WINDOW = 1_000_000;
const MODEL = modelFrom({
  type: "text",
  credits_per_request: 1,
  price: { input_per_million: 1_000, output_per_million: 1_000 },
  limits: {
    ...{ context_tokens: 200_000, window_tokens: WINDOW, max_output_tokens: 100 },
    ...{ tokens_per_image: 1_000, tokens_per_file: PER_FILE },
  },
});
const BRAND = isoBox("ftyp", Buffer.from("isom\0\0\0\0isom"));

/** An MP4 whose headers say one length, and whose samples, of a second each, another. */
function film(
  seconds: number,
  given: { readonly saidSeconds?: number; readonly brand?: Buffer; readonly more?: Buffer } = {},
): Buffer {
  const { saidSeconds = seconds, brand = BRAND, more = Buffer.alloc(0) } = given;
  const said = { units: saidSeconds * 1_000, width: 64, height: 64 };
  const track = isoPictureTrack({ said, samples: [[seconds, 1_000]], width: 64, height: 64 });
  const header = isoBox("mvhd", isoWords(0, 0, 0, 1_000, saidSeconds * 1_000));
  return Buffer.concat([brand, isoBox("moov", header, track), isoBox("mdat", Buffer.alloc(9)), more]);
}

const quoted = (...content: ContentPart[]) =>
  quote({ messages: [{ role: "user", content }] }, { model: MODEL });
const NOTHING = quoted().paidCall.admission.full;
/** In thousands of tokens, which are credits here. */
const heldFor = (...parts: ContentPart[]) => quoted(...parts).paidCall.admission.full - NOTHING;
const inline = (bytes: Uint8Array, type = "video/mp4"): FilePart => ({
  type: "file",
  data: `data:${type};base64,${Buffer.from(bytes).toString("base64")}`,
});

describe("the hold for a video", () => {
  test("is that of a file, or of its duration if that is more", () => {
    expect(heldFor(inline(film(10)))).toBe(100);
    expect(heldFor(inline(film(333)))).toBe(100);
    expect(heldFor(inline(film(1_000)))).toBe(300);
    expect(heldFor(inline(film(1_000)), inline(film(500)))).toBe(450);
  });

  test("goes by its samples if its headers claim a shorter duration", () => {
    expect(heldFor(inline(film(1_000, { saidSeconds: 1 })))).toBe(300);
  });

  test("goes by its duration under any name, if its bytes are a video", () => {
    const data = film(1_000).toString("base64");
    for (const named of [{}, { filename: "a.mov" }, { mediaType: "video/quicktime" }, { filename: "a" }]) {
      expect(heldFor({ type: "file", data, ...named })).toBe(300);
    }
    const quicktime = isoBox("ftyp", Buffer.from("qt  \0\0\0\0qt  "));
    expect(heldFor(inline(film(1_000, { brand: quicktime }), "video/quicktime"))).toBe(300);
  });

  test.each<[string, ContentPart]>([
    ["of another format", inline(Buffer.from("\x1a\x45\xdf\xa3\x42\x82\x84webm", "latin1"), "video/webm")],
    ["that is not a video", inline(Buffer.from("no film"))],
    ["that is not in base64", { type: "file", data: "data:video/mp4,no film" }],
    ["in fragments, which its headers do not include", inline(film(1, { more: isoBox("moof") }))],
    [
      "in fragments after many boxes",
      inline(film(1, { more: Buffer.concat([...Array(5_000).fill(isoBox("free")), isoBox("moof")]) })),
    ],
    ["that is truncated", inline(film(1).subarray(0, -5))],
    ["after other bytes", inline(Buffer.concat([isoBox("free"), film(1)]))],
    ["by its URL", { type: "file", data: "https://example.com/a.mp4?b" }],
    ["by its URL, with a file name", { type: "file", data: "https://example.com/a", filename: "a.webm" }],
    ["of YouTube", { type: "file", data: "https://www.youtube.com/watch?v=x" }],
    [
      "of YouTube, with an unusual spelling of the URL",
      { type: "file", data: "HTTPS://a@YouTube.com.:443/watch?v=x" },
    ],
    ["of YouTube, with a short URL", { type: "file", data: "https://youtu.be/x", filename: "a.pdf" }],
    ["in a part of another wire", { type: "other", name: "video_url" }],
  ])("covers the model's whole window if its duration is unknown: one %s", (_, part) => {
    // The text beside it takes some of the window.
    expect(heldFor(part)).toBeWithin(998, 1_001);
    expect(heldFor(part, part, inline(film(10)))).toBeWithin(998, 1_001);
  });

  test("is also the amount of input that replaces an implausible report", () => {
    const { attached, mostAttachedTokens } = quoted(inline(film(1_000))).input.counted;
    expect(mostAttachedTokens - attached.tokens).toBeGreaterThan(290_000);
  });
});

test.each<[string, ContentPart]>([
  ["a document", { type: "file", data: "data:application/pdf;base64,JVBERi0=" }],
  ["a document by its URL", { type: "file", data: "https://example.com/youtube.com/a.pdf" }],
  ["TypeScript under a video's type", inline(Buffer.from("export const a = 1;"), "video/mp2t")],
  ["audio", { type: "file", data: "SUQz", mediaType: "audio/mp3" }],
  ["audio in a video's container", inline(film(1_000), "audio/mp4")],
  ["audio by its URL", { type: "file", data: "https://example.com/a.mp3" }],
  ["a part of another wire that is not a video", { type: "other", name: "audio_url" }],
  ["a part of an unknown type", { type: "other", name: "input_text" }],
])("the hold for %s is that of a file", (_, part) => {
  expect(heldFor(part)).toBe(100);
});

test("2,000 videos of a thousand boxes each are quoted within 500 ms", () => {
  const part = inline(film(1, { more: Buffer.concat(Array(1_000).fill(isoBox("free"))) }));
  const parts = Array(2_000).fill(part);
  expect(fastestMs(() => heldFor(...parts), 3, 500)).toBeLessThan(500);
});
