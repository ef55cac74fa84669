import type { LanguageModelV4FilePart, LanguageModelV4Message } from "@ai-sdk/provider";
import { type ChatMessage, type ContentPart, ProviderFailure } from "../contract.ts";
import { cacheMarked, encodeAttachment, isMarked } from "./encode-content.ts";
import { sentToolName } from "./inherited-names.ts";
import type { MadeCalls } from "./made-calls.ts";
import type { AiSdkQuirks } from "./quirks.ts";

type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;
type ResultContent = Extract<ResultPart["output"], { type: "content" }>["value"];
export type ResultPart = Extract<ToolMessage["content"][number], { type: "tool-result" }>;

/** `calls` are those so far: a result must follow its call. */
export function encodeResult(
  message: Extract<ChatMessage, { role: "tool" }>,
  calls: MadeCalls,
  quirks: AiSdkQuirks,
): ResultPart {
  const call = calls.answer(message.toolCallId);
  if (call === undefined) {
    throw new ProviderFailure(
      "rejected",
      "messages: a tool message must follow the assistant message that holds its tool call.",
    );
  }
  const { content } = message;
  const isCached = message.cache || (typeof content !== "string" && content.some(isMarked));
  return {
    type: "tool-result",
    toolCallId: call.id,
    toolName: sentToolName(call.name, quirks),
    output: typeof content === "string" ? { type: "text", value: content } : encodeParts(content, quirks),
    ...cacheMarked(isCached, quirks),
  };
}

/** What else came of the same call, for which a conversation would be refused if it stood alone. */
export function addToResult(first: ResultPart, more: ResultPart): void {
  const [said, also] = [saidIn(first.output), saidIn(more.output)];
  // No list that is joined: of thousands each would write all that came before it again.
  const text = `${said.text}\n${also.text}`;
  const files = [...said.files, ...also.files];
  first.output =
    files.length === 0
      ? { type: "text", value: text }
      : { type: "content", value: [{ type: "text", text }, ...files] };
  if (more.providerOptions !== undefined) first.providerOptions = more.providerOptions;
}

/** One text, and files behind it: as `encodeParts` writes it. */
function saidIn(output: ResultPart["output"]): { readonly text: string; readonly files: ResultContent } {
  if (output.type === "text") return { text: output.value, files: [] };
  const [first, ...files] = output.type === "content" ? output.value : [];
  return { text: first?.type === "text" ? first.text : "", files };
}

/**
 * Always as text where it is only that: a JSON result that quotes a schema would be read as references by some
 * providers. With files there is one text before them, since some make a result of each text, and a file alone
 * would answer no call.
 */
function encodeParts(content: readonly ContentPart[], quirks: AiSdkQuirks): ResultPart["output"] {
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
  const text = texts.join("\n");
  if (files.length === 0) return { type: "text", value: text };
  const words = text.trim() === "" ? "The result is the attached file." : text;
  return { type: "content", value: [{ type: "text", text: words }, ...files] };
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
