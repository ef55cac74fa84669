import type { ChatMessage, FilePart } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import { type Fields, fieldsOf } from "../../../wires/index.ts";
import { encodeFile, wordsOf } from "../encode/encode-message.ts";
import type { WireVendor } from "../vendor.ts";
import { isVoid, withoutFields } from "./message-fields.ts";

/** We do not know which fields are the content of any other type: it is passed on unchanged. */
const KINDS: ReadonlySet<unknown> = new Set([
  ...["text", "refusal", "thinking", "reference"],
  ...["image_url", "video_url", "document_url", "input_audio", "file"],
]);

/** The parts of a message in a form that the vendor accepts; the same list if nothing changes. */
export function plainParts(parts: readonly unknown[], vendor: WireVendor): readonly unknown[] {
  const { filePart, partFields } = vendor;
  if (filePart === "file" && partFields === null) return parts;
  return sameOrChanged(parts, (part) => {
    const document = filePart === "file" ? null : documentIn(part);
    if (document !== null) return [encodeFile(document, vendor)];
    if (partFields === null || !isObject(part) || !KINDS.has(part["type"])) return [part];
    // For all of these types the content is in the field named after the type.
    const isKnown = (name: string) => name === "type" || name === part["type"] || partFields.includes(name);
    return [withoutFields(part, (name) => !isKnown(name))];
  });
}

/** Types whose neutral form is text only if they are shown elsewhere. */
const ATTACHED: ReadonlySet<unknown> = new Set(["image_url", "input_audio", "file"]);

/**
 * The parts of a tool's result, with files that have text replaced by it: that text is what we count, and servers
 * accept no such file there. Attachments that follow the result are replaced by their names. The neutral parts are in
 * the same order.
 */
export function resultParts(
  parts: readonly unknown[],
  neutral: Extract<ChatMessage, { role: "tool" }>["content"],
): readonly unknown[] {
  if (typeof neutral === "string") return parts;
  return sameOrChanged(parts, (part, at) => {
    if (!isObject(part) || !ATTACHED.has(part["type"])) return [part];
    const said = neutral[at];
    const words = said?.type === "file" ? wordsOf(said) : said?.type === "text" ? said.text : null;
    if (words === null) return [part];
    const beside = withoutFields(part, (name) => name === part["type"]);
    return [{ ...beside, type: "text", text: words }];
  });
}

/** Fields that some clients copy from a whole turn into the parts of its content; the turn already has them. */
const OF_A_TURN: ReadonlySet<string> = new Set([
  "role",
  "content",
  "tool_calls",
  "reasoning_content",
  "reasoning_details",
  "reasoning",
]);

/** The parts of an assistant turn: its text, and its reasoning only if the vendor accepts it there. */
export function saidParts(
  parts: readonly unknown[],
  { vendor, knowsRefusals }: { readonly vendor: WireVendor; readonly knowsRefusals: boolean },
): readonly unknown[] {
  return sameOrChanged(parts, (part) => {
    if (!isObject(part)) return [part];
    switch (part["type"]) {
      case "refusal":
        return [knowsRefusals ? withoutTurn(part) : { type: "text", text: part["refusal"] }];
      case "text":
        return [withoutTurn(part)];
      case "thinking":
      case "reasoning":
        return thoughtIn(part, vendor);
      default:
        return [part];
    }
  });
}

function withoutTurn(part: Fields): Fields {
  return withoutFields(part, (name, value) => OF_A_TURN.has(name) || isVoid(name, value));
}

function thoughtIn(part: Fields, { reasoningEcho }: WireVendor): readonly unknown[] {
  if (reasoningEcho === "as_given") return [part];
  if (reasoningEcho !== "thinking_parts") return [];
  if (part["type"] === "thinking") return [part];
  const { reasoning, text = reasoning } = part;
  return typeof text === "string" && text !== ""
    ? [{ type: "thinking", thinking: [{ type: "text", text }] }]
    : [];
}

export function isThinking(part: unknown): boolean {
  return isObject(part) && part["type"] === "thinking";
}

function sameOrChanged(
  parts: readonly unknown[],
  change: (part: unknown, at: number) => readonly unknown[],
): readonly unknown[] {
  const changed = parts.flatMap(change);
  return changed.length === parts.length && changed.every((part, at) => part === parts[at]) ? parts : changed;
}

/** A document in the wire's own form, with its data; null for any other part. */
function documentIn(part: unknown): FilePart | null {
  const { type, file } = fieldsOf(part);
  const { filename, file_data: data } = fieldsOf(file);
  if (type !== "file" || typeof data !== "string") return null;
  return { type, data, ...(typeof filename === "string" ? { filename } : {}) };
}
