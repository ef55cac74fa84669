import type { ReasoningPart } from "../../../contract/index.ts";
import { parseDetail, REASONING_NAMES } from "../../../wires/index.ts";
import { openSeal } from "../seal.ts";
import type { EncodeTarget } from "./encode-target.ts";

/** Fields of an assistant turn that return the model's own reasoning to it; none if the vendor does not accept it. */
export function encodeReasoning(
  parts: readonly ReasoningPart[] | undefined,
  { vendor, namespace }: EncodeTarget,
): Record<string, unknown> {
  if (parts === undefined || parts.length === 0) return {};
  const echo = vendor.reasoningEcho;
  switch (echo) {
    case "reasoning_content":
    case "reasoning":
      return { [echo]: textOf(parts) };
    case "reasoning_details": {
      const details = parts.map((part) => detailOf(part, namespace));
      return { reasoning: textOf(parts), reasoning_details: details };
    }
    case "as_given":
      return asSaid(parts, namespace);
    case "thinking_parts":
    case null:
      return {};
  }
}

/**
 * If it is unknown what a server accepts, it gets back what it has sent itself, under the same field name: that name,
 * sealed, is the signature of the reasoning.
 */
function asSaid(parts: readonly ReasoningPart[], namespace: string): Record<string, unknown> {
  for (const name of REASONING_NAMES) {
    const own = parts.filter(({ signature }) => openSeal(namespace, signature) === name);
    if (own.length > 0) return { [name]: textOf(own) };
  }
  return {};
}

/** The turn's content with the reasoning in front, for the vendor that wants it there. */
export function thinkingContent(
  parts: readonly ReasoningPart[] | undefined,
  content: string | null,
): readonly unknown[] | null {
  if (parts === undefined || parts.length === 0) return null;
  const thinking = { type: "thinking", thinking: [{ type: "text", text: textOf(parts) }] };
  return content ? [thinking, { type: "text", text: content }] : [thinking];
}

function textOf(parts: readonly ReasoningPart[]): string {
  return parts.map(({ text }) => text).join("");
}

/** The types of details that contain text, and the field it is in. */
const TEXT_FIELDS: Readonly<Record<string, string>> = {
  "reasoning.text": "text",
  "reasoning.summary": "summary",
};

function detailOf({ text, signature }: ReasoningPart, namespace: string): Record<string, unknown> {
  const sealed = openSeal(namespace, signature);
  const detail = sealed === null ? null : parseDetail(sealed);
  if (detail === null) return { type: "reasoning.text", text };
  const field = TEXT_FIELDS[String(detail["type"])];
  return field === undefined ? detail : { ...detail, [field]: text };
}

/**
 * What proves a piece of reasoning to a vendor that sends details: everything but the text, which is carried
 * separately. Null for a detail that proves nothing.
 */
export function proofOf(detail: Readonly<Record<string, unknown>>): string | null {
  const { text: _text, summary: _summary, ...rest } = detail;
  const proves = [detail["signature"], detail["data"]].some((value) => typeof value === "string" && value);
  return proves ? JSON.stringify(rest) : null;
}
