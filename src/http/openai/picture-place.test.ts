import { expect, test } from "bun:test";
import type { ContentPart } from "../../providers/index.ts";
import { decodeContent as decodeChat } from "./chat/chat-part.ts";
import { MediaAddresses } from "./media-address.ts";
import { partInPicturePlace } from "./picture-place.ts";
import { decodeContent as decodeResponse } from "./responses/decode-content.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB";
const JPEG = "/9j/4AAQSkZJRgABAQAAAQABAAD/";
const GIF = "R0lGODlhAQABAAAAACw=";
const WEBP = "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAA==";
const PDF = "JVBERi0xLjQK";

const placed = (url: string) => partInPicturePlace({ type: "image", url });

test.each([
  ["an address", "https://example.com/a.pdf"],
  ["bytes without any word of what they are", PDF],
  ["a picture, whatever its bytes", `data:image/png;base64,${PDF}`],
  ["one in capitals", "data:IMAGE/HEIC;base64,AAAA"],
  ["one behind a blank", "data: image/heic;base64,AAAA"],
  ["one of no kind in particular", "data:image;base64,AAAA"],
  ["a PNG under a name for anything", `data:application/octet-stream;base64,${PNG}`],
  ["a JPEG under another one", `data:binary/octet-stream;base64,${JPEG}`],
  ["a GIF under no name", `data:;base64,${GIF}`],
  ["a WebP under a name that is none", `data:undefined;base64,${WEBP}`],
])("a picture's place has a picture: %s", (_what, url) => {
  expect(placed(url)).toEqual({ type: "image", url });
});

test.each([
  ["a document", `data:application/pdf;base64,${PDF}`, "application/pdf"],
  ["one in capitals, with a name", `data:Application/PDF;name=x;base64,${PDF}`, "application/pdf"],
  ["one behind blanks", ` \n${`data:application/pdf;base64,${PDF}`}`, "application/pdf"],
  ["one whose head is too long", `data:application/pdf;name=${"x".repeat(2_000)},A`, "application/pdf"],
  ["a text", "data:text/plain,abc", "text/plain"],
  ["a text, since nothing else is said", "data:;base64,YWJj", "text/plain"],
  ["a text that says how it is written", "data:;charset=utf-8,abc", "text/plain"],
  ["a film", "data:video/mp4;base64,AAAA", "video/mp4"],
  ["sound", "data:audio/mpeg;base64,AAAA", "audio/mpeg"],
  ["anything that is no picture", `data:application/octet-stream;base64,${PDF}`, "application/octet-stream"],
  ["letters that look like a picture's bytes", `data:text/plain,${PNG}`, "text/plain"],
  [
    "a picture that another server may read as a document",
    `data:application/pdf;base64,${JPEG}`,
    "image/jpeg",
  ],
])("a picture's place has a file: %s", (_what, data, mediaType) => {
  expect(placed(data)).toEqual({
    type: "file",
    mediaType,
    data,
    writtenAs: { type: "image", url: data },
  });
});

test("both wires look there, in what a user says and in what a tool gave back", () => {
  const url = `data:application/pdf;base64,${PDF}`;
  const file = (image: object): ContentPart => ({
    type: "file",
    mediaType: "application/pdf",
    data: url,
    writtenAs: { type: "image", url, ...image },
  });
  const chat = (image_url: unknown) =>
    decodeChat([{ type: "image_url", image_url }], "content", new MediaAddresses());
  expect(chat(url)).toEqual([file({})]);
  expect(chat({ url, detail: "low" })).toEqual([file({ detail: "low" })]);
  const response = (image_url: unknown) =>
    decodeResponse([{ type: "input_image", image_url }], "output", new MediaAddresses());
  expect(response(url)).toEqual([file({})]);
  expect(response({ url })).toEqual([file({})]);
});
