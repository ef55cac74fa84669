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
const IS_LINK = /^https?:/i;
const BASE64_BEGINNING = /^[\w+/-]{2}/;

type Wants = {
  /** Types of pictures; a type that is not among them is refused, and with it every later turn. */
  readonly pictures: ReadonlySet<string>;
  readonly links: boolean;
  readonly documents: boolean;
  /** The newest of all turns; the rest stays named. Servers of which nothing is known take few at a time, some one. */
  readonly most: number;
};

const PNG_AND_JPEG = ["image/png", "image/jpeg", "image/jpg"];
const WANTS: Readonly<Record<string, Wants>> = {
  behind: {
    pictures: new Set([...PNG_AND_JPEG, "image/webp", "image/gif"]),
    links: true,
    documents: true,
    most: Number.POSITIVE_INFINITY,
  },
  "pictures behind": { pictures: new Set(PNG_AND_JPEG), links: false, documents: false, most: 4 },
};

const NOTHING: Wants = { pictures: new Set(), links: false, documents: false, most: 0 };

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
  const ordinary = WANTS[target.vendor.resultMedia ?? ""];
  if (ordinary === undefined || !messages.some(hasAttachments)) return messages.map(encode);
  const wants = NO_USER_BEHIND_RESULT.test(target.model) ? NOTHING : ordinary;
  const shown = shownOf(messages, isResult, wants);
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
    const { results, behind } = placedBehind(turn, shown);
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

/** What follows results, of all turns. */
function shownOf(
  messages: readonly ChatMessage[],
  isResult: (at: number) => boolean,
  wants: Wants,
): ReadonlySet<ContentPart> {
  const shown: ContentPart[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== "tool" || typeof content === "string" || !isResult(at)) continue;
    for (const part of content) if (isAttachment(part) && isShown(part, wants)) shown.push(part);
  }
  return new Set(shown.slice(Math.max(0, shown.length - wants.most)));
}

/** The results of one turn in words, and what is to follow them. */
function placedBehind(
  turn: readonly Result[],
  isToFollow: ReadonlySet<ContentPart>,
): {
  readonly results: readonly Result[];
  readonly behind: ChatMessage | null;
} {
  const several = namesOfSeveral(turn);
  const numbers = new Map<string, number>();
  const shown: ContentPart[] = [];

  function inWords(part: ContentPart): ContentPart {
    if (!isNamed(part)) return part;
    const name = nameOf(part);
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    const isOneOfSeveral = several.has(name);
    const label: ContentPart = { type: "text", text: isOneOfSeveral ? `[${name} ${number}]` : `[${name}]` };
    if (!isToFollow.has(part)) return label;
    if (isOneOfSeveral) shown.push(label);
    shown.push(part);
    return label;
  }

  const results = turn.map((result) =>
    typeof result.content === "string" ? result : { ...result, content: result.content.map(inWords) },
  );
  return { results, behind: shown.length === 0 ? null : { role: "user", content: [OPENING, ...shown] } };
}

/** Whether its name stands in its place; a file's own words do, where it has some. */
function isNamed(part: ContentPart): part is Attachment {
  return isAttachment(part) && (part.type === "image" || textOfFile(part) === null);
}

/**
 * Names that more than one of them has: by these alone nobody could tell where each belongs. Those that do not follow are
 * counted too, so that a number stays with its picture when newer ones push it out.
 */
function namesOfSeveral(turn: readonly Result[]): ReadonlySet<string> {
  const once = new Set<string>();
  const several = new Set<string>();
  for (const { content } of turn) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (!isNamed(part)) continue;
      const name = nameOf(part);
      (once.has(name) ? several : once).add(name);
    }
  }
  return several;
}

/**
 * Pictures, and documents in a form that the server takes from users. All else stays named, since one that is refused
 * is refused in every later turn: links to files, sound, and what stands in a picture's place under another name.
 */
function isShown(part: Attachment, wants: Wants): boolean {
  if (part.type === "image") {
    const inline = readDataUrl(part.url);
    if (inline === null) return wants.links && IS_LINK.test(part.url);
    // A tool that failed to make one may have sent none.
    const hasBytes = inline.isBase64 && BASE64_BEGINNING.test(part.url.slice(inline.start, inline.start + 4));
    return hasBytes && wants.pictures.has(inline.mediaType);
  }
  const { data, filename = "", mediaType, writtenAs } = part;
  if (!wants.documents || writtenAs !== undefined || IS_LINK.test(data)) return false;
  // As it will be told: a type within goes before every other.
  const type = readDataUrl(data)?.mediaType ?? mediaType ?? fileTypeByName(filename);
  return type === "application/pdf";
}
