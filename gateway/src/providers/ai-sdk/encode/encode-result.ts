import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import { type ChatMessage, type ContentPart, ProviderFailure } from "../../../contract/index.ts";
import type { AiSdkQuirks } from "../quirks.ts";
import { cacheMarked, encodeAttachment, isMarked } from "./encode-content.ts";
import { sentToolName } from "./inherited-names.ts";
import type { MadeCalls } from "./made-calls.ts";

type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;
export type ResultPart = Extract<ToolMessage["content"][number], { type: "tool-result" }>;

/** Texts and files of all messages that answer the call, in order. */
type Said = (string | LanguageModelV4FilePart)[];

/** Merges all results of a call into one: a second result for the same call would be refused. */
export class CallResults {
  readonly #calls: MadeCalls;
  readonly #quirks: AiSdkQuirks;
  /** By call id. Output is written once at the end, since thousands of messages may answer the same call. */
  readonly #told = new Map<string, { readonly part: ResultPart; readonly said: Said }>();

  /** `calls` are those so far: a result must follow its call. */
  constructor(calls: MadeCalls, quirks: AiSdkQuirks) {
    this.#calls = calls;
    this.#quirks = quirks;
  }

  /** Returns the part for the first result of a call; null for further ones, which are merged into it. */
  add(message: Extract<ChatMessage, { role: "tool" }>): ResultPart | null {
    const call = this.#calls.answer(message.toolCallId);
    if (call === undefined) {
      throw new ProviderFailure(
        "rejected",
        "messages: a tool message must follow the assistant message that holds its tool call.",
      );
    }
    const { content } = message;
    const said = typeof content === "string" ? [content] : saidIn(content, this.#quirks);
    const isCached = message.cache || (typeof content !== "string" && content.some(isMarked));
    const mark = cacheMarked(isCached, this.#quirks);
    const first = this.#told.get(call.id);
    if (first !== undefined) {
      for (const each of said) first.said.push(each);
      Object.assign(first.part, mark);
      return null;
    }
    const toolName = sentToolName(call.name, this.#quirks);
    const part: ResultPart = {
      type: "tool-result",
      toolCallId: call.id,
      toolName,
      output: outputOf(said, this.#quirks),
      ...mark,
    };
    this.#told.set(call.id, { part, said });
    return part;
  }

  /** Call after the last message. */
  writeOut(): void {
    for (const { part, said } of this.#told.values()) part.output = outputOf(said, this.#quirks);
  }
}

/**
 * Text alone is sent as text: a JSON result that quotes a schema would be read as references by some providers. With
 * files, unless the provider accepts any order, one text precedes them: some turn every text into a result, and a file
 * alone would answer no call.
 */
function outputOf(said: Said, { takesMixedResults }: AiSdkQuirks): ResultPart["output"] {
  const files = said.filter(isFile);
  if (files.length === 0) return { type: "text", value: said.join("\n") };
  if (takesMixedResults) return { type: "content", value: joinedTexts(said) };
  return { type: "content", value: [{ type: "text", text: textWithPlaces(said) }, ...files] };
}

/** Joins adjacent texts; a blank one would be refused. */
function joinedTexts(said: Said): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  const parts: (LanguageModelV4TextPart | LanguageModelV4FilePart)[] = [];
  for (const each of said) {
    const last = parts.at(-1);
    if (isFile(each)) parts.push(each);
    else if (last?.type === "text") last.text += `\n${each}`;
    else parts.push({ type: "text", text: each });
  }
  return parts.filter((part) => part.type === "file" || part.text.trim() !== "");
}

/**
 * All texts as one. If any text follows a file, placeholders show where the files were, since a label belongs to the
 * file next to it.
 */
function textWithPlaces(said: Said): string {
  const firstFile = said.findIndex(isFile);
  const isMixed = said.some((each, at) => at > firstFile && !isFile(each) && each.trim() !== "");
  let count = 0;
  const texts = said.map((each) => (isFile(each) ? `[attached file ${++count}]` : each));
  return (isMixed ? texts : texts.filter((_text, at) => !isFile(said[at]))).join("\n");
}

function isFile(each: Said[number] | undefined): each is LanguageModelV4FilePart {
  return typeof each === "object";
}

function saidIn(content: readonly ContentPart[], quirks: AiSdkQuirks): Said {
  const said = content.map((part): Said[number] => {
    if (part.type === "text") return part.text;
    const isRemote = isAddress(part);
    // Described in text rather than refused: an agent whose tool returned an image must be able to continue.
    const file = isRemote && !quirks.takesUrls ? null : encodeAttachment(part, quirks);
    if (file?.data.type === "text") return file.data.text;
    if (file !== null && quirks.takesInResult({ mediaType: file.mediaType, isRemote })) return file;
    return `(The tool also returned ${describe(part)}, which this model cannot be shown.)`;
  });
  const files = said.filter(isFile);
  const isBlank = said.every((each) => isFile(each) || each.trim() === "");
  return files.length > 0 && isBlank ? ["The result is the attached file.", ...files] : said;
}

function isAddress(part: ContentPart): boolean {
  const source = part.type === "image" ? part.url : part.type === "file" ? part.data : "";
  return /^https?:\/\//i.test(source);
}

function describe(part: ContentPart): string {
  if (part.type === "image") return isAddress(part) ? `the image ${part.url.slice(0, 200)}` : "an image";
  const name = part.type === "file" ? part.filename : undefined;
  return name === undefined ? "a file" : `the file ${name.slice(0, 200)}`;
}
