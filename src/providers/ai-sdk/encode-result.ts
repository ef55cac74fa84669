import type { LanguageModelV4FilePart, LanguageModelV4Message } from "@ai-sdk/provider";
import { type ChatMessage, type ContentPart, ProviderFailure } from "../contract.ts";
import { cacheMarked, encodeAttachment, isMarked } from "./encode-content.ts";
import { sentToolName } from "./inherited-names.ts";
import type { MadeCalls } from "./made-calls.ts";
import type { AiSdkQuirks } from "./quirks.ts";

type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;
export type ResultPart = Extract<ToolMessage["content"][number], { type: "tool-result" }>;

/** One text of each message that answers the call, and files behind them. */
type Said = { readonly texts: string[]; readonly files: LanguageModelV4FilePart[] };

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
    const said =
      typeof content === "string" ? { texts: [content], files: [] } : saidIn(content, this.#quirks);
    const isCached = message.cache || (typeof content !== "string" && content.some(isMarked));
    const mark = cacheMarked(isCached, this.#quirks);
    const first = this.#told.get(call.id);
    if (first !== undefined) {
      first.said.texts.push(...said.texts);
      for (const file of said.files) first.said.files.push(file);
      Object.assign(first.part, mark);
      return null;
    }
    const toolName = sentToolName(call.name, this.#quirks);
    const part: ResultPart = {
      type: "tool-result",
      toolCallId: call.id,
      toolName,
      output: outputOf(said),
      ...mark,
    };
    this.#told.set(call.id, { part, said });
    return part;
  }

  /** Called when there are no more. */
  writeOut(): void {
    for (const { part, said } of this.#told.values()) part.output = outputOf(said);
  }
}

/**
 * Always as text where it is only that: a JSON result that quotes a schema would be read as references by some
 * providers. With files there is one text before them, since some make a result of each text, and a file alone
 * would answer no call.
 */
function outputOf({ texts, files }: Said): ResultPart["output"] {
  const text = texts.join("\n");
  if (files.length === 0) return { type: "text", value: text };
  return { type: "content", value: [{ type: "text", text }, ...files] };
}

function saidIn(content: readonly ContentPart[], quirks: AiSdkQuirks): Said {
  const texts: string[] = [];
  const files: LanguageModelV4FilePart[] = [];
  for (const part of content) {
    if (part.type === "text") {
      texts.push(part.text);
      continue;
    }
    const isRemote = isAddress(part);
    // Said in words before it is refused: an agent whose tool answered with a picture must be able to go on.
    const file = isRemote && !quirks.takesUrls ? null : encodeAttachment(part, quirks);
    if (file?.data.type === "text") texts.push(file.data.text);
    else if (file !== null && quirks.takesInResult({ mediaType: file.mediaType, isRemote })) files.push(file);
    else texts.push(`(The tool also returned ${describe(part)}, which this model cannot be shown.)`);
  }
  const isBlank = files.length > 0 && texts.every((text) => text.trim() === "");
  return { texts: [isBlank ? "The result is the attached file." : texts.join("\n")], files };
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
