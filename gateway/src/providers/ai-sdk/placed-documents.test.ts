import { expect, test } from "bun:test";
import type { FilePart } from "../../contract/index.ts";
import { encodeMessages } from "./encode/encode-messages.ts";
import { QUIRKS } from "./testing.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB";

function placed(data: string, mediaType: string): FilePart {
  return { type: "file", mediaType, data, writtenAs: { type: "image", url: data } };
}

function resultOf(content: readonly FilePart[]): unknown {
  const call = { id: "c", name: "look", arguments: "{}" };
  const prompt = encodeMessages(
    [
      { role: "assistant", content: null, toolCalls: [call] },
      { role: "tool", toolCallId: "c", content },
    ],
    QUIRKS,
  );
  return ((prompt[1]?.content ?? []) as { output: unknown }[])[0]?.output;
}

const WORDS = Buffer.from("Words.").toString("base64");

test.each([
  [
    "a note about a document",
    "data:application/pdf;base64,JVBERi0xLjQK",
    "application/pdf",
    "(The tool also returned a file, which this model cannot be shown.)",
  ],
  ["the text of a text file", `data:text/xml;base64,${WORDS}`, "text/xml", "Words."],
])("a tool result with a non-image in an image part becomes %s", (_what, data, mediaType, value) => {
  expect(resultOf([placed(data, mediaType)])).toEqual({ type: "text", value });
});

test.each([
  [
    "an image, though its data URL says PDF",
    "data:application/pdf",
    PNG,
    "image/png",
    { type: "data", data: PNG },
  ],
  ["a document", "data:application/pdf", PNG, "application/pdf", { type: "data", data: PNG }],
  ["a video", "data:video/mp4", PNG, "video/mp4", { type: "data", data: PNG }],
  ["text, without a type in its data URL", "data:", WORDS, "text/plain", { type: "text", text: "Words." }],
])("the content of an image part is sent by its media type: %s", (_what, head, bytes, mediaType, data) => {
  const content = [placed(`${head};base64,${bytes}`, mediaType)];
  expect(encodeMessages([{ role: "user", content }], QUIRKS)).toMatchObject([
    { role: "user", content: [{ type: "file", mediaType, data }] },
  ]);
});
