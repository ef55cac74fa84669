import type { ContentPart } from "../../../../contract/index.ts";
import { invalid, isObject } from "../../../../kit/index.ts";
import { refuseInsideCompanions } from "../../companion-content.ts";
import { partInImagePlace } from "../../image-place.ts";
import { type JsonObject, objectOf, requiredString, stringOf } from "../../json-fields.ts";
import type { MediaAddresses } from "../../media-address.ts";
import { refuseStoredReply } from "../../stored-reply.ts";

const CONTENT_ACCEPTS = "must be a string or a list of parts";
/** Error messages repeat the type of a part, so only what looks like one is accepted. */
const PART_TYPE = /^[\w.-]{1,40}$/;

/** Content of a user message or a tool's result; a string if it is only text. */
export function decodeContent(
  content: unknown,
  at: string,
  addresses: MediaAddresses,
): string | readonly ContentPart[] {
  if (typeof content === "string") return content;
  const parts = partsOf(content, at).map((part, index) => decodePart(part, `${at}[${index}]`, addresses));
  if (parts.every((part) => part.type === "text")) return parts.map(({ text }) => text).join("\n");
  return parts;
}

/** Instructions, which can only be text. */
export function decodeInstructions(content: unknown, at: string, addresses: MediaAddresses): string {
  return textsOf(content, at, addresses).join("\n");
}

/** Text of the model, joined without line breaks: it wrote none between the parts. */
export function decodeSaid(content: unknown, at: string, addresses: MediaAddresses): string {
  return textsOf(content, at, addresses).join("");
}

function textsOf(content: unknown, at: string, addresses: MediaAddresses): readonly string[] {
  if (typeof content === "string") return [content];
  return partsOf(content, at).map((part, index) => {
    const decoded = decodePart(part, `${at}[${index}]`, addresses);
    if (decoded.type === "text") return decoded.text;
    throw invalid(`${at}[${index}].type`, "must be a kind of text: only users send images and files");
  });
}

function partsOf(content: unknown, at: string): readonly unknown[] {
  if (Array.isArray(content)) return content;
  throw invalid(at, CONTENT_ACCEPTS);
}

function decodePart(part: unknown, at: string, addresses: MediaAddresses): ContentPart {
  if (!isObject(part)) throw invalid(at, "must be an object");
  const type = requiredString(part, "type", at);
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
    case "summary_text":
    case "reasoning_text":
      refuseInsideCompanions(part, at, addresses);
      return { type: "text", text: requiredString(part, "text", at) };
    case "refusal":
      refuseInsideCompanions(part, at, addresses);
      return { type: "text", text: requiredString(part, "refusal", at) };
    default:
      refuseStoredReply(part, at, addresses);
      return attachedPart(part, type, at);
  }
}

function attachedPart(part: JsonObject, type: string, at: string): ContentPart {
  switch (type) {
    case "input_image":
      return imagePart(part, at);
    case "input_file":
      return filePart(part, at);
    case "input_audio":
      return audioPart(part, at);
    default:
      if (!PART_TYPE.test(type)) throw invalid(`${at}.type`, "must be a kind of part, such as input_text");
      return { type: "other", name: type };
  }
}

function imagePart(part: JsonObject, at: string): ContentPart {
  const given = part["image_url"] ?? null;
  // Some clients write it as in chat completions.
  const url = isObject(given) ? given["url"] : given;
  if (typeof url !== "string") {
    throw invalid(`${at}.image_url`, "must be an address or a data URL");
  }
  const detail = stringOf(part, "detail", at);
  return partInImagePlace({ type: "image", url, ...(detail === undefined ? {} : { detail }) });
}

function filePart(part: JsonObject, at: string): ContentPart {
  const data = stringOf(part, "file_data", at) ?? stringOf(part, "file_url", at);
  if (data === undefined) throw invalid(`${at}.file_data`, "must be a data URL, or file_url an address");
  const filename = stringOf(part, "filename", at);
  return { type: "file", data, ...(filename === undefined ? {} : { filename }) };
}

function audioPart(part: JsonObject, at: string): ContentPart {
  const audio = objectOf(part, "input_audio", at) ?? part;
  const path = audio === part ? at : `${at}.input_audio`;
  const format = stringOf(audio, "format", path) ?? "wav";
  return { type: "file", data: requiredString(audio, "data", path), mediaType: `audio/${format}` };
}
