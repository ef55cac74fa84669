import { spokenText } from "../../../wires/index.ts";
import { mayReason, type ReasoningSink, readParts, readReasoning } from "../decode/decode-reasoning.ts";
import type { WireDelta } from "../wire-chunk.ts";
import { MOST_EXTRAS } from "./extra-fields.ts";

/** A delta or a message without its calls, as clients of this wire expect it. */
type RepairedText = {
  readonly fields: Record<string, unknown>;
  readonly written: string;
};

/** Set by us, or handled with the calls. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set(["role", "tool_calls", "function_call"]);
/** Null has a meaning in these; in other fields it says nothing. */
const NULLABLE: ReadonlySet<string> = new Set(["content", "refusal"]);
/** Clients concatenate these as text. */
const TEXTS: ReadonlySet<string> = new Set(["content", "refusal", "reasoning_content", "reasoning"]);
/** What an answer says in other ways: passed on however many fields we do not know come before. */
const SPOKEN: ReadonlySet<string> = new Set(["annotations", "audio", "reasoning_details", "thinking"]);

/**
 * Unknown fields stay as they are. Anything but text is left out where text belongs, content parts become text, and
 * reasoning is also put into `reasoning_content`, whatever the server calls it: most clients know that name.
 */
export function repairedText(
  delta: WireDelta,
  { namespace, carried }: { readonly namespace: string; readonly carried: ReasoningSink | null },
): RepairedText {
  const fields: Record<string, unknown> = {};
  let room = MOST_EXTRAS;
  for (const name in delta) {
    const value = delta[name];
    if (SAID_ELSEWHERE.has(name) || (value === null && !NULLABLE.has(name))) continue;
    if (TEXTS.has(name)) {
      if (!isSayable(value)) continue;
    } else if (!SPOKEN.has(name) && room-- <= 0) continue;
    fields[name] = value;
  }
  const thought = reasoningOf(delta, namespace, carried);
  const { content, refusal } = delta;
  let written = thought;
  if (delta["audio"]) written += spokenText(delta);
  if (typeof content === "string") written += content;
  else if (Array.isArray(content)) written += joinParts(content, fields);
  if (thought !== "") fields["reasoning_content"] = thought;
  if (typeof refusal === "string") written += refusal;
  return { fields, written };
}

/** A list of parts is read as its text. */
function isSayable(value: unknown): boolean {
  return typeof value === "string" || value === null || Array.isArray(value);
}

function reasoningOf(delta: WireDelta, namespace: string, carried: ReasoningSink | null): string {
  if (!mayReason(delta)) return "";
  // Only reasoning in details is ever signed.
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
