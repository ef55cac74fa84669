import {
  type ChatMessage,
  type ContentPart,
  type FilePart,
  fileTypeByName,
  type ImagePart,
  textOfFile,
} from "../../../contract/index.ts";
import { readDataUrl } from "../../../kit/index.ts";
import type { Fields } from "../../../wires/index.ts";
import { encodeMessage, nameOf } from "./encode-message.ts";
import type { EncodeTarget } from "./encode-target.ts";

type Result = Extract<ChatMessage, { role: "tool" }>;
type Attachment = ImagePart | FilePart;

/** Mistral's models, whose templates refuse it on any server: "Unexpected role 'user' after role 'tool'". */
const NO_USER_BEHIND_RESULT = /[sx]tral/i;
const IS_LINK = /^https?:/i;
const BASE64_BEGINNING = /^[\w+/-]{2}/;

type Wants = {
  /** Accepted types of images; any other type is refused, and with it every later turn. */
  readonly pictures: ReadonlySet<string>;
  readonly links: boolean;
  readonly documents: boolean;
  /** Only the newest of all turns; the rest is only named. Unknown servers accept few at a time, some only one. */
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
 * Each message as encoded by `encode`. If a server accepts images only from users, results are reduced to text, and
 * their images and documents follow in a user message: after the last result of the turn, since nothing may come
 * between a turn with calls and its results. Nothing is taken out of messages that `isResult` excludes.
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

/** The attachments that follow results, over all turns. */
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

/** The results of one turn as text, and the message that follows them. */
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

/** Whether it is replaced by its name; a file with text is replaced by that instead. */
function isNamed(part: ContentPart): part is Attachment {
  return isAttachment(part) && (part.type === "image" || textOfFile(part) === null);
}

/**
 * Names that several attachments share: these need a number to show where each belongs. Attachments that do not follow
 * count as well, so that an image keeps its number when newer ones push it out.
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
 * Images, and documents in a form that the server accepts from users. Everything else is only named, since a refused
 * part is refused again in every later turn: links to files, audio, and files sent in place of an image.
 */
function isShown(part: Attachment, wants: Wants): boolean {
  if (part.type === "image") {
    const inline = readDataUrl(part.url);
    if (inline === null) return wants.links && IS_LINK.test(part.url);
    // A tool that failed to make an image may have sent no data.
    const hasBytes = inline.isBase64 && BASE64_BEGINNING.test(part.url.slice(inline.start, inline.start + 4));
    return hasBytes && wants.pictures.has(inline.mediaType);
  }
  const { data, filename = "", mediaType, writtenAs } = part;
  if (!wants.documents || writtenAs !== undefined || IS_LINK.test(data)) return false;
  // As it will be encoded: the type within a data URL takes precedence.
  const type = readDataUrl(data)?.mediaType ?? mediaType ?? fileTypeByName(filename);
  return type === "application/pdf";
}
