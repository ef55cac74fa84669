import type { ChatRequest, FinishReason, ToolCall } from "../../gateway/src/contract/index.ts";
import { type Pieces, packPieces } from "./pieces.ts";
import { signReasoning } from "./reasoning-signature.ts";
import type { Reply } from "./reply.ts";
import { clip, MAX_CHARACTERS_PER_TOKEN, piecesWithin, splitWords } from "./words.ts";

/** An answer in the pieces in which it will be sent, and its token counts. */
export type LimitedReply = {
  readonly reasoning: Pieces;
  /** Signs the reasoning as it is sent. */
  readonly signature: string | null;
  readonly text: Pieces;
  readonly isRefusal: boolean;
  readonly calls: readonly ToolCall[];
  readonly finish: FinishReason;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
};

/** Reasoning uses up the caller's limit first, then calls, then text. If the calls do not all fit, none is made. */
export function limitReply(
  reply: Reply,
  request: ChatRequest,
  estimateTokens: (text: string) => number,
): LimitedReply {
  const reasoning = within(splitWords(reply.reasoning), request.maxOutputTokens, estimateTokens);
  let left = request.maxOutputTokens - reasoning.tokens;
  const callTokens = reply.calls.reduce(
    (sum, call) => sum + estimateTokens(call.name) + estimateTokens(call.arguments),
    0,
  );
  const calls = callTokens <= left ? reply.calls : [];
  if (calls.length > 0) left -= callTokens;
  const whole = beforeStop(reply.text, request.stop ?? []);
  const clipped = clip(whole, MAX_CHARACTERS_PER_TOKEN * (left + 1));
  const text = within(splitWords(clipped), left, estimateTokens);
  const isCut =
    reasoning.isCut || text.isCut || clipped.length < whole.length || calls.length < reply.calls.length;
  return {
    reasoning: packPieces(reasoning.pieces),
    signature: reply.isSigned ? signReasoning(reasoning.pieces.join("")) : null,
    text: packPieces(text.pieces),
    isRefusal: reply.isRefusal,
    calls,
    finish: isCut ? "length" : reply.finish,
    outputTokens: request.maxOutputTokens - left + text.tokens,
    reasoningTokens: reasoning.tokens,
  };
}

function within(
  pieces: readonly string[],
  maxTokens: number,
  estimateTokens: (text: string) => number,
): { pieces: readonly string[]; tokens: number; isCut: boolean } {
  const whole = estimateTokens(pieces.join(""));
  if (whole <= maxTokens) return { pieces, tokens: whole, isCut: false };
  const kept = pieces.slice(0, piecesWithin(pieces, maxTokens, estimateTokens));
  return { pieces: kept, tokens: estimateTokens(kept.join("")), isCut: true };
}

/** The stop sequence itself is not sent. */
function beforeStop(text: string, stops: readonly string[]): string {
  let end = text.length;
  for (const stop of stops) {
    const at = stop === "" ? -1 : text.indexOf(stop);
    if (at >= 0 && at < end) end = at;
  }
  return text.slice(0, end);
}
