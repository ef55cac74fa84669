import type { ChatFinishReason, ChatOutcome, WholeAnswer } from "../../../generation/index.ts";
import { encodeLogprobs } from "./logprobs.ts";
import type { ItemMaker, ItemStatus, MessagePart, OutputItem } from "./output-item.ts";

/** A whole answer as the items of a response: this wire asks for one answer, never for several. */
export function outputOf({ wire, answers }: ChatOutcome, maker: ItemMaker): readonly unknown[] {
  const [answer] = answers;
  if (wire !== null) return Array.isArray(wire["output"]) ? wire["output"] : [];
  return answer === undefined ? [] : itemsOf(answer, maker);
}

/** In the order in which a model makes them. */
function itemsOf(answer: WholeAnswer, maker: ItemMaker): readonly OutputItem[] {
  const { reasoning, toolCalls } = answer;
  const items: OutputItem[] = [];
  if (reasoning.length > 0) items.push(maker.reasoning(items.length, reasoning));
  const isCut = isCutBy(answer.finishReason);
  /** Only what came last was cut off. */
  const statusOf = (isLast: boolean): ItemStatus => (isCut && isLast ? "incomplete" : "completed");
  const content = contentOf(answer);
  if (content.length > 0) items.push(maker.message(items.length, content, statusOf(toolCalls.length === 0)));
  for (const [at, call] of toolCalls.entries()) {
    // Of what was thought, the first call carries what its provider signed.
    const signed = at === 0 ? reasoning.filter(({ signature }) => signature !== undefined) : [];
    const status = statusOf(at === toolCalls.length - 1);
    items.push(maker.call(items.length, { ...call, reasoning: signed }, status));
  }
  return items;
}

/** An answer that ends well with nothing in it is an empty message: clients take no item at all for no turn. */
function contentOf({ content, refusal, logprobs, toolCalls, finishReason }: WholeAnswer): MessagePart[] {
  const parts: MessagePart[] = [];
  const isEmpty = refusal === "" && toolCalls.length === 0 && !isCutBy(finishReason);
  if (content !== "" || isEmpty) parts.push(textPart(content, logprobs));
  if (refusal !== "") parts.push({ type: "refusal", refusal });
  return parts;
}

/** The answer would have gone on. */
export function isCutBy(reason: ChatFinishReason): boolean {
  return reason === "length" || reason === "content_filter";
}

export function textPart(text: string, logprobs: readonly unknown[]): MessagePart {
  return { type: "output_text", text, annotations: [], logprobs: encodeLogprobs(logprobs) };
}
