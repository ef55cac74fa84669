import { mayReason, type ReasoningSink, readParts, readReasoning } from "../decode/decode-reasoning.ts";
import { spokenWords } from "../decode/written-in-whole.ts";
import type { WireDelta } from "../wire-chunk.ts";

/** What a delta or a message says besides its calls, as clients of this wire read it. */
type RepairedWords = {
  readonly fields: Record<string, unknown>;
  readonly written: string;
};

/** Said by us, or with the calls. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(["role", "tool_calls", "function_call"]);
/** Null has a meaning in these; elsewhere it says nothing. */
const NULLABLE: ReadonlySet<string> = new Set(["content", "refusal"]);
/** Clients put these together as texts. */
const TEXTS: ReadonlySet<string> = new Set(["content", "refusal", "reasoning_content", "reasoning"]);

/**
 * Fields that we do not know stay as they are. What is no text is left out where one belongs, content becomes text, and reasoning stands in
 * `reasoning_content` too, whatever its server calls it: that is the name most clients know.
 */
export function repairedWords(
  delta: WireDelta,
  { namespace, carried }: { readonly namespace: string; readonly carried: ReasoningSink | null },
): RepairedWords {
  const fields: Record<string, unknown> = {};
  for (const name in delta) {
    const value = delta[name];
    if (SAID_ELSEWHERE.has(name) || (value === null && !NULLABLE.has(name))) continue;
    if (TEXTS.has(name) && !isSayable(value)) continue;
    fields[name] = value;
  }
  const thought = thoughtsOf(delta, namespace, carried);
  const { content, refusal } = delta;
  let written = thought;
  if (delta["audio"]) written += spokenWords(delta);
  if (typeof content === "string") written += content;
  else if (Array.isArray(content)) written += joinParts(content, fields);
  if (thought !== "") fields["reasoning_content"] = thought;
  if (typeof refusal === "string") written += refusal;
  return { fields, written };
}

/** Parts are read as the text that they are. */
function isSayable(value: unknown): boolean {
  return typeof value === "string" || value === null || Array.isArray(value);
}

function thoughtsOf(delta: WireDelta, namespace: string, carried: ReasoningSink | null): string {
  if (!mayReason(delta)) return "";
  // Only what stands in details is ever signed.
  const signed = Array.isArray(delta.reasoning_details) ? carried : null;
  let thought = "";
  readReasoning(delta, namespace, {
    text(text) {
      thought += text;
      signed?.text(text);
    },
    signature(signature) {
      signed?.signature(signature);
    },
  });
  return thought;
}

function joinParts(parts: readonly unknown[], fields: Record<string, unknown>): string {
  let text = "";
  let thought = "";
  readParts(parts, {
    text(piece) {
      text += piece;
    },
    thought(piece) {
      thought += piece;
    },
  });
  delete fields["content"];
  if (text !== "") fields["content"] = text;
  if (thought !== "") fields["reasoning_content"] = thought;
  return thought + text;
}
