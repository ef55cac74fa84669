import { type ChatOutcome, eventsOf, type WholeAnswer } from "../../../generation/index.ts";
import { isUnfinished } from "../../../kit/index.ts";
import { isCutBy } from "./cut-answer.ts";
import {
  type ItemMaker,
  type ItemStatus,
  listText,
  type MessagePart,
  type OutputItem,
  textPart,
} from "./output-item.ts";
import { createAnswerWriter } from "./stream/answer-writer.ts";

/** Writes a whole answer as the items of a response. This wire has one answer per call, never several. */
export function outputOf({ wire, answers }: ChatOutcome, maker: ItemMaker): string {
  const [answer] = answers;
  if (wire !== null) return Array.isArray(wire["output"]) ? JSON.stringify(wire["output"]) : "[]";
  if (answer === undefined) return "[]";
  const isUsual = answer.order === undefined && answer.logprobCounts === undefined;
  return isUsual ? JSON.stringify(itemsOf(answer, maker)) : itemsInTurns(answer, maker);
}

/** For an answer in another order, such as alternating reasoning and text: the same items as in a stream. */
function itemsInTurns(answer: WholeAnswer, maker: ItemMaker): string {
  const writer = createAnswerWriter({ write: () => {}, take: () => [] }, maker);
  writer.add(eventsOf([answer]));
  writer.close(answer.finishReason);
  return listText(writer.output);
}

/** In the usual order: reasoning, message, calls. */
function itemsOf(answer: WholeAnswer, maker: ItemMaker): readonly OutputItem[] {
  const { reasoning, toolCalls } = answer;
  const items: OutputItem[] = [];
  if (reasoning.length > 0) items.push(maker.reasoning(items.length, reasoning));
  const isCut = isCutBy(answer.finishReason);
  /** Only the last item was cut off, and calls that were written in parallel with it. */
  const statusOf = (isPart: boolean): ItemStatus => (isPart ? "incomplete" : "completed");
  const content = contentOf(answer);
  if (content.length > 0)
    items.push(maker.message(items.length, content, statusOf(isCut && toolCalls.length === 0)));
  for (const [at, call] of toolCalls.entries()) {
    // The first call carries the signed parts of the reasoning.
    const signed = at === 0 ? reasoning.filter(({ signature }) => signature !== undefined) : [];
    const isPart = isCut && (at === toolCalls.length - 1 || isUnfinished(call.arguments));
    items.push(maker.call(items.length, { ...call, reasoning: signed }, statusOf(isPart)));
  }
  return items;
}

/** An empty answer that ends normally becomes an empty message: clients take a response without items for no turn. */
function contentOf(answer: WholeAnswer): MessagePart[] {
  const { content, refusal, logprobs, annotations = [], toolCalls, finishReason } = answer;
  const parts: MessagePart[] = [];
  const isEmpty = refusal === "" && toolCalls.length === 0 && !isCutBy(finishReason);
  if (content !== "" || isEmpty) parts.push(textPart(content, logprobs, annotations));
  if (refusal !== "") parts.push({ type: "refusal", refusal });
  return parts;
}
