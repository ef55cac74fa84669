import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import { type ChatMessage, type ContentPart, ProviderFailure } from "../contract.ts";
import { cacheMarked, encodeAttachment, isMarked } from "./encode-content.ts";
import { sentToolName } from "./inherited-names.ts";
import type { MadeCalls } from "./made-calls.ts";
import type { AiSdkQuirks } from "./quirks.ts";

type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;
export type ResultPart = Extract<ToolMessage["content"][number], { type: "tool-result" }>;

/** Texts and files of all messages that answer the call, in their order. */
type Said = (string | LanguageModelV4FilePart)[];

/** What came of each call, in one result: a second one of the same call would be refused. */
export class CallResults {
  readonly #calls: MadeCalls;
  readonly #quirks: AiSdkQuirks;
  /** By the ids of the calls; all of a result is written once, since thousands may say more of one. */
  readonly #told = new Map<string, { readonly part: ResultPart; readonly said: Said }>();

  /** `calls` are those so far: a result must follow its call. */
  constructor(calls: MadeCalls, quirks: AiSdkQuirks) {
    this.#calls = calls;
    this.#quirks = quirks;
  }

  /** The result of its call; null where that has one, which will say this, too. */
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

  /** Called when there are no more. */
  writeOut(): void {
    for (const { part, said } of this.#told.values()) part.output = outputOf(said, this.#quirks);
  }
}

/**
 * Always as text where it is only that: a JSON result that quotes a schema would be read as references by some
 * providers. With files there is one text before them where the provider does not take both in any order, since some make
 * a result of each text, and a file alone would answer no call.
 */
function outputOf(said: Said, { takesMixedResults }: AiSdkQuirks): ResultPart["output"] {
  const files = said.filter(isFile);
  if (files.length === 0) return { type: "text", value: said.join("\n") };
  if (takesMixedResults) return { type: "content", value: joinedTexts(said) };
  return { type: "content", value: [{ type: "text", text: textWithPlaces(said) }, ...files] };
}

/** Texts side by side are one; a blank one is refused. */
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

/** All texts in one. Where any stands behind a file, it says where each file stood: a label belongs to the one beside it. */
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
    // Said in words before it is refused: an agent whose tool answered with a picture must be able to go on.
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
