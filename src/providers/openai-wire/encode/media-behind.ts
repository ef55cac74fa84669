import { readDataUrl } from "../../../kit/index.ts";
import type { ChatMessage, ContentPart, FilePart, ImagePart } from "../../contract.ts";
import { textOfFile } from "../../file-text.ts";
import { fileTypeByName } from "../../type-by-name.ts";
import type { Fields } from "../wire-fields.ts";
import { encodeMessage, nameOf } from "./encode-message.ts";
import type { EncodeTarget } from "./encode-target.ts";

type Result = Extract<ChatMessage, { role: "tool" }>;
type Attachment = ImagePart | FilePart;

/** Mistral's, whose templates refuse it at whatever server: "Unexpected role 'user' after role 'tool'". */
const NO_USER_BEHIND_RESULT = /[sx]tral/i;

const OPENING: ContentPart = { type: "text", text: "Attached to the tool results above:" };

/**
 * Each message as `encode` writes it. Where a server takes pictures from users alone, results have words alone, and
 * what else they had follows in a user's message: behind the last result of the turn, since nothing may stand between a
 * turn that calls and what came of it. Of messages that `isResult` denies nothing is taken.
 */
export function encodeEach(
  messages: readonly ChatMessage[],
  target: EncodeTarget,
  encode: (message: ChatMessage, at: number) => Fields,
  isResult: (at: number) => boolean = () => true,
): readonly Fields[] {
  const isPlaced = target.vendor.resultMedia === "behind" && !NO_USER_BEHIND_RESULT.test(target.model);
  if (!isPlaced || !messages.some(hasAttachments)) return messages.map(encode);
  const encoded: Fields[] = [];
  let turn: Result[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== "tool" || !isResult(at)) {
      encoded.push(encode(message, at));
      continue;
    }
    turn.push(message);
    const isLast = messages[at + 1]?.role !== "tool" || !isResult(at + 1);
    if (!isLast) continue;
    const first = at + 1 - turn.length;
    const { results, behind } = placedBehind(turn);
    for (const [index, result] of results.entries()) encoded.push(encode(result, first + index));
    if (behind !== null) encoded.push(encodeMessage(behind, target));
    turn = [];
  }
  return encoded;
}

function hasAttachments({ role, content }: ChatMessage): boolean {
  return role === "tool" && typeof content !== "string" && content.some(isAttachment);
}

function isAttachment(part: ContentPart): part is Attachment {
  return part.type === "image" || part.type === "file";
}

/** The results of one turn in words, and what is to follow them. */
function placedBehind(turn: readonly Result[]): {
  readonly results: readonly Result[];
  readonly behind: ChatMessage | null;
} {
  const several = namesOfSeveral(turn);
  const numbers = new Map<string, number>();
  const shown: ContentPart[] = [];

  function inWords(part: ContentPart): ContentPart {
    // A file's own words are told in its place.
    if (!isAttachment(part) || (part.type === "file" && textOfFile(part) !== null)) return part;
    const name = nameOf(part);
    if (!isShown(part)) return { type: "text", text: `[${name}]` };
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    const isOneOfSeveral = several.has(name);
    const label: ContentPart = { type: "text", text: isOneOfSeveral ? `[${name} ${number}]` : `[${name}]` };
    if (isOneOfSeveral) shown.push(label);
    shown.push(part);
    return label;
  }

  const results = turn.map((result) =>
    typeof result.content === "string" ? result : { ...result, content: result.content.map(inWords) },
  );
  return { results, behind: shown.length === 0 ? null : { role: "user", content: [OPENING, ...shown] } };
}

/** Names that more than one of what follows has: by them alone nobody could tell where each belongs. */
function namesOfSeveral(turn: readonly Result[]): ReadonlySet<string> {
  const once = new Set<string>();
  const several = new Set<string>();
  for (const { content } of turn) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (!isAttachment(part) || !isShown(part)) continue;
      const name = nameOf(part);
      (once.has(name) ? several : once).add(name);
    }
  }
  return several;
}

/**
 * Pictures, and documents in a form that servers take from users. All else stays named, since one that is refused
 * is refused in every later turn: links, sound, and what stands in a picture's place under another name.
 */
function isShown(part: Attachment): boolean {
  if (part.type === "image") return true;
  const { data, filename = "", mediaType, writtenAs } = part;
  if (writtenAs !== undefined || /^https?:/i.test(data)) return false;
  // As it will be told: a type within goes before every other.
  const type = readDataUrl(data)?.mediaType ?? mediaType ?? fileTypeByName(filename);
  return type === "application/pdf";
}
