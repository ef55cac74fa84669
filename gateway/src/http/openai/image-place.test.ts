import { expect, test } from "bun:test";
import type { ContentPart } from "../../contract/index.ts";
import { decodeContent as decodeChat } from "./chat/chat-part.ts";
import { partInImagePlace } from "./image-place.ts";
import { MediaAddresses } from "./media-address.ts";
import { decodeContent as decodeResponse } from "./responses/decode/decode-content.ts";

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
  ["a URL", "https://example.com/a.pdf"],
  ["base64 without a type", PDF],
  ["an image type, whatever the bytes", `data:image/png;base64,${PDF}`],
  ["an image type in capitals", "data:IMAGE/HEIC;base64,AAAA"],
  ["an image type after a space", "data: image/heic;base64,AAAA"],
  ["an image type without a subtype", "data:image;base64,AAAA"],
  ["a PNG as octet-stream", `data:application/octet-stream;base64,${PNG}`],
  ["a JPEG as binary/octet-stream", `data:binary/octet-stream;base64,${JPEG}`],
  ["an unrecognised image as octet-stream", `data:application/octet-stream;base64,${HEIC}`],
  ...["img/png", "images/png", "application/png", "*/*", "null/null", "application/unknown"].map(
    (name) => [`a PNG with the unusual type ${name}`, `data:${name};base64,${PNG}`] as const,
  ),
  ["a GIF without a type", `data:;base64,${GIF}`],
  ["a GIF without a type, whose bytes are text", `data:;base64,${btoa("GIF89a and so on")}`],
  ["an unrecognised image without a type", `data:;base64,${HEIC}`],
  ["a BMP without a type", `data:;base64,${BMP}`],
  ["a PDF without a type", `data:;base64,${PDF}`],
  ["an empty data URL", "data:"],
  ["a WebP with the type undefined", `data:undefined;base64,${WEBP}`],
])("an image part stays an image: %s", (_what, url) => {
  expect(placed(url)).toEqual({ type: "image", url });
});

test.each([
  ["a PDF", `data:application/pdf;base64,${PDF}`, "application/pdf"],
  ["a PDF type in capitals, with a name", `data:Application/PDF;name=x;base64,${PDF}`, "application/pdf"],
  ["a PDF after whitespace", ` \n${`data:application/pdf;base64,${PDF}`}`, "application/pdf"],
  ["a PDF with a very long header", `data:application/pdf;name=${"x".repeat(2_000)},A`, "application/pdf"],
  ["a text", "data:text/plain,abc", "text/plain"],
  ["a text without a type", "data:;base64,YWJj", "text/plain"],
  ["a text of multi-byte characters without a type", `data:;base64,${LONG_LETTERS}`, "text/plain"],
  ["a text with only a charset", "data:;charset=utf-8,abc", "text/plain"],
  ["a video", "data:video/mp4;base64,AAAA", "video/mp4"],
  ["audio", "data:audio/mpeg;base64,AAAA", "audio/mpeg"],
  ["JSON", "data:application/json;base64,e30=", "application/json"],
  ["a Word document", "data:application/msword;base64,AAAA", "application/msword"],
  ["a spreadsheet", "data:application/vnd.ms-excel;base64,AAAA", "application/vnd.ms-excel"],
  ["JavaScript", "data:application/x-javascript;base64,YWJj", "application/x-javascript"],
  ["a PDF with an older type", `data:application/x-pdf;base64,${PDF}`, "application/x-pdf"],
  ["XML", "data:application/xml;base64,PGEvPg==", "application/xml"],
  ["a text that looks like base64 of a PNG", `data:text/plain,${PNG}`, "text/plain"],
  ["a JPEG declared as a PDF", `data:application/pdf;base64,${JPEG}`, "image/jpeg"],
])("an image part becomes a file: %s", (_what, data, mediaType) => {
  expect(placed(data)).toEqual({
    type: "file",
    mediaType,
    data,
    writtenAs: { type: "image", url: data },
  });
});

test("chat completions and responses both turn such image parts into files", () => {
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
