import { expect, test } from "bun:test";
import type { ContentPart } from "../../providers/index.ts";
import { decodeContent as decodeChat } from "./chat/chat-part.ts";
import { partInImagePlace } from "./image-place.ts";
import { MediaAddresses } from "./media-address.ts";
import { decodeContent as decodeResponse } from "./responses/decode-content.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB";
const JPEG = "/9j/4AAQSkZJRgABAQAAAQABAAD/";
const GIF = "R0lGODlhAQABAAAAACw=";
const WEBP = "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAA==";
const HEIC = "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZg==";
const BMP = "Qk2+aI95uB+K/Ns35mE2gdItCl4Am3CeEXvw";
/** Its first kilobyte ends inside a character. */
const LONG_LETTERS = Buffer.from(`a${"€".repeat(2_000)}`).toString("base64");
const PDF = "JVBERi0xLjQK";

const placed = (url: string) => partInImagePlace({ type: "image", url });

test.each([
  ["an address", "https://example.com/a.pdf"],
  ["bytes without any word of what they are", PDF],
  ["a picture, whatever its bytes", `data:image/png;base64,${PDF}`],
  ["one in capitals", "data:IMAGE/HEIC;base64,AAAA"],
  ["one behind a blank", "data: image/heic;base64,AAAA"],
  ["one of no kind in particular", "data:image;base64,AAAA"],
  ["a PNG under a name for anything", `data:application/octet-stream;base64,${PNG}`],
  ["a JPEG under another one", `data:binary/octet-stream;base64,${JPEG}`],
  ["one that we do not know under such a name", `data:application/octet-stream;base64,${HEIC}`],
  ...["img/png", "images/png", "application/png", "*/*", "null/null", "application/unknown"].map(
    (name) => [`a PNG under a name that nobody reads, ${name}`, `data:${name};base64,${PNG}`] as const,
  ),
  ["a GIF under no name", `data:;base64,${GIF}`],
  ["one whose first bytes are letters", `data:;base64,${btoa("GIF89a and so on")}`],
  ["a picture of a kind that we do not know, under no name", `data:;base64,${HEIC}`],
  ["one that is no letters from its start", `data:;base64,${BMP}`],
  ["a document under no name", `data:;base64,${PDF}`],
  ["nothing at all", "data:"],
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
  ["a text in long letters", `data:;base64,${LONG_LETTERS}`, "text/plain"],
  ["a text that says how it is written", "data:;charset=utf-8,abc", "text/plain"],
  ["a film", "data:video/mp4;base64,AAAA", "video/mp4"],
  ["sound", "data:audio/mpeg;base64,AAAA", "audio/mpeg"],
  ["a record", "data:application/json;base64,e30=", "application/json"],
  ["a document of an older word processor", "data:application/msword;base64,AAAA", "application/msword"],
  ["a table", "data:application/vnd.ms-excel;base64,AAAA", "application/vnd.ms-excel"],
  ["a program", "data:application/x-javascript;base64,YWJj", "application/x-javascript"],
  ["a document under its older name", `data:application/x-pdf;base64,${PDF}`, "application/x-pdf"],
  ["a text between tags", "data:application/xml;base64,PGEvPg==", "application/xml"],
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
