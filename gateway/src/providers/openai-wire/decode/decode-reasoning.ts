import { REASONING_NAMES, type ReasoningName, reasoningElsewhere } from "../../../wires/index.ts";
import { proofOf } from "../encode/encode-reasoning.ts";
import { closeSeal } from "../seal.ts";
import type { WireDelta } from "../wire-chunk.ts";

/** Receives pieces of reasoning: their text, and the signatures that prove them. */
export type ReasoningSink = {
  /** `name` is the field that the text came in, if it is one of the plain ones. */
  text(text: string, name?: ReasoningName): void;
  /** Signs the reasoning before it. */
  signature(signature: string): void;
};

/** All fields that `mayReason` checks. */
export const REASONING_FIELDS = [
  ...REASONING_NAMES,
  "reasoning_details",
  "thinking",
  "thinking_blocks",
] as const;

/** Whether a delta or message has any field that may contain reasoning. */
export function mayReason(delta: WireDelta): boolean {
  const { reasoning_content: content, reasoning, reasoning_details: details } = delta;
  return Boolean(content || reasoning || details || delta["thinking"] || delta["thinking_blocks"]);
}

/** Reads the reasoning of a delta or message, whatever the server calls the field. */
export function readReasoning(delta: WireDelta, namespace: string, sink: ReasoningSink): void {
  const name = reasoningNameIn(delta);
  const reasoning = name === undefined ? reasoningElsewhere(delta) : String(delta[name]);
  if (reasoning !== "") sink.text(reasoning, name);
  if (!Array.isArray(delta.reasoning_details)) return;
  for (const detail of delta.reasoning_details) {
    if (typeof detail !== "object" || detail === null) continue;
    const text = reasoning === "" ? (detail.text ?? detail.summary) : "";
    if (typeof text === "string" && text !== "") sink.text(text);
    const proof = proofOf(detail);
    if (proof !== null) sink.signature(closeSeal(namespace, proof));
  }
}

/** The plain field that contains the reasoning; if both do, they say the same. */
function reasoningNameIn(delta: WireDelta): ReasoningName | undefined {
  return REASONING_NAMES.find((name) => typeof delta[name] === "string" && delta[name] !== "");
}

/** Parts with reasoning have many type names, and so have text parts, some of which have none. */
const IS_THOUGHT = /think|thought|reason/;

/** Reads content in parts, some of which are reasoning. Parts without text are ignored. */
export function readParts(
  parts: readonly unknown[],
  sink: { text(text: string): void; thought(text: string): void },
): void {
  for (const part of parts) {
    if (typeof part !== "object" || part === null) continue;
    const { type, text, thinking = text, summary } = part as Readonly<Record<string, unknown>>;
    if (typeof type === "string" && IS_THOUGHT.test(type)) {
      for (const thought of thoughtsOf(thinking ?? summary)) sink.thought(thought);
    } else if (typeof text === "string") sink.text(text);
  }
}

function thoughtsOf(thinking: unknown): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(thinking) ? thinking.map((part) => part?.text) : [thinking];
  return parts.filter((text) => typeof text === "string");
}
