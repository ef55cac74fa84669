import { describe, expect, test } from "bun:test";
import { decodeContent } from "./chat/chat-part.ts";
import { decodeContent as decodeResponseContent } from "./responses/decode-content.ts";

const long = (head: string) => head + "a".repeat(8_193 - head.length);

const CHAT = (part: object) => decodeContent([part], "messages[0].content");
const RESPONSE = (part: object) => decodeResponseContent([part], "input[0].content");

/** Ways to say an address, and the field that a refusal names. */
const PLACES: readonly (readonly [string, (url: string) => unknown])[] = [
  ["messages[0].content[0].image_url", (url) => CHAT({ type: "image_url", image_url: url })],
  ["messages[0].content[0].image_url.url", (url) => CHAT({ type: "image_url", image_url: { url } })],
  ["messages[0].content[0].file.file_data", (url) => CHAT({ type: "file", file: { file_data: url } })],
  ["input[0].content[0].image_url", (url) => RESPONSE({ type: "input_image", image_url: url })],
  ["input[0].content[0].file_data", (url) => RESPONSE({ type: "input_file", file_data: url })],
  ["input[0].content[0].file_url", (url) => RESPONSE({ type: "input_file", file_url: url })],
];

describe.each(PLACES)("an address at %s", (field, decode) => {
  test("is taken up to a length, and refused beyond it by its field", () => {
    expect(() => decode(long("https://a/").slice(0, -1))).not.toThrow();
    for (const head of ["https://a/", "HTTP://a/"]) {
      expect(() => decode(long(head))).toThrow(
        `${field}: must be an address of at most 8192 characters, or a data URL`,
      );
    }
  });

  test("that carries its bytes is as long as it likes", () => {
    for (const head of ["data:image/png;base64,", "iVBORw0KGgo"])
      expect(() => decode(long(head))).not.toThrow();
  });
});
