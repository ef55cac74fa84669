import type { ChatRequest, WireRequest } from "../../contract/index.ts";
import { type ChatPrompt, neutralPart } from "./chat-prompt.ts";

/** How the answer is read: as a single reply, as a stream, or as a stream that is kept for a repeat. */
export type AnswerReading = "reply" | "stream" | "kept_stream";

type Delivery = {
  readonly maxOutputTokens: number;
  readonly reading: AnswerReading;
  /** In tokens. */
  readonly mostInOnePiece: number;
  readonly onSent: WireRequest["onSent"];
  readonly sealed: ChatRequest["sealed"];
};

type Written<Type> = { -readonly [Field in keyof Type]: Type[Field] };

/** Builds the provider request. */
export function requestOf(
  prompt: ChatPrompt,
  { maxOutputTokens, reading, mostInOnePiece, onSent, sealed }: Delivery,
): ChatRequest {
  const { wire } = prompt;
  const request: Written<ChatRequest> = {
    ...neutralPart(prompt),
    maxOutputTokens,
    inOnePiece:
      reading === "reply" &&
      lengthInOnePiece(prompt, maxOutputTokens) <= mostInOnePiece &&
      !isToThink(prompt),
  };
  if (sealed !== undefined) request.sealed = sealed;
  if (wire !== undefined) request.wire = wireOf(wire, reading, onSent);
  return request;
}

/**
 * The length per answer, since answers are made in parallel. With log probabilities (a few kilobytes per token) it is
 * the length of all answers: otherwise there would be too much to read at once.
 */
function lengthInOnePiece(
  { n = 1, wireFields }: Pick<ChatRequest, "n" | "wireFields">,
  maxOutputTokens: number,
): number {
  return wireFields?.["logprobs"] === true ? maxOutputTokens * n : maxOutputTokens;
}

/** Not every server's limit covers reasoning, so its length is unbounded. */
function isToThink({ reasoningEffort: effort }: Pick<ChatRequest, "reasoningEffort">): boolean {
  return effort !== undefined && effort !== "none";
}

/** The positions of texts are of no use to providers. */
function wireOf(
  { texts: _texts, ...wire }: NonNullable<ChatPrompt["wire"]>,
  reading: AnswerReading,
  onSent: WireRequest["onSent"],
): WireRequest {
  const wantsWhole = reading === "reply";
  return onSent === undefined ? { ...wire, wantsWhole } : { ...wire, wantsWhole, onSent };
}
