import { expect, test } from "bun:test";
import { createCanvas } from "@napi-rs/canvas";
import { paintCaption } from "./caption.ts";

function captionOf(text: string): string | undefined {
  const context = createCanvas(1000, 200).getContext("2d");
  const written: string[] = [];
  context.fillText = (words: string) => void written.push(words);
  paintCaption(context, { width: 1000, height: 200, text, hasText: true, isPale: false });
  return written.at(-1);
}

test("a caption that is too long is cut after a word, or within a single long word", () => {
  expect(captionOf("a cat")).toBe("a cat");
  expect(captionOf("a cat ".repeat(30))).toMatch(/^(?:a cat )+…$|^(?:a cat )+a …$/);
  expect(captionOf("x".repeat(200))).toMatch(/^x{40,199}…$/);
});
