import { type ChatOutcome, eventsOf, type WholeAnswer } from "../../../generation/index.ts";
import { isUnfinished } from "../../../kit/index.ts";
import { createAnswerWriter } from "./answer-writer.ts";
import { isCutBy } from "./cut-answer.ts";
import {
  type ItemMaker,
  type ItemStatus,
  type MessagePart,
  type OutputItem,
  textPart,
} from "./output-item.ts";

/** A whole answer as the items of a response: this wire asks for one answer, never for several. */
export function outputOf({ wire, answers }: ChatOutcome, maker: ItemMaker): readonly unknown[] {
  const [answer] = answers;
  if (wire !== null) return Array.isArray(wire["output"]) ? wire["output"] : [];
  if (answer === undefined) return [];
  const isUsual = answer.order === undefined && answer.logprobCounts === undefined;
  return isUsual ? itemsOf(answer, maker) : itemsInTurns(answer, maker);
}

/** Of a model that took turns between thinking and saying: just as they would be streamed. */
function itemsInTurns(answer: WholeAnswer, maker: ItemMaker): readonly OutputItem[] {
  const writer = createAnswerWriter({ write: () => {}, take: () => [] }, maker);
  writer.add(eventsOf([answer]));
  writer.close(answer.finishReason);
  return writer.output;
}

/** In the order in which a model makes them. */
function itemsOf(answer: WholeAnswer, maker: ItemMaker): readonly OutputItem[] {
  const { reasoning, toolCalls } = answer;
  const items: OutputItem[] = [];
  if (reasoning.length > 0) items.push(maker.reasoning(items.length, reasoning));
  const isCut = isCutBy(answer.finishReason);
  /** Only what came last was cut off, and calls that were written beside it. */
  const statusOf = (isPart: boolean): ItemStatus => (isPart ? "incomplete" : "completed");
  const content = contentOf(answer);
  if (content.length > 0)
    items.push(maker.message(items.length, content, statusOf(isCut && toolCalls.length === 0)));
  for (const [at, call] of toolCalls.entries()) {
    // Of what was thought, the first call carries what its provider signed.
    const signed = at === 0 ? reasoning.filter(({ signature }) => signature !== undefined) : [];
    const isPart = isCut && (at === toolCalls.length - 1 || isUnfinished(call.arguments));
    items.push(maker.call(items.length, { ...call, reasoning: signed }, statusOf(isPart)));
  }
  return items;
}

/** An answer that ends well with nothing in it is an empty message: clients take no item at all for no turn. */
function contentOf(answer: WholeAnswer): MessagePart[] {
  const { content, refusal, logprobs, annotations = [], toolCalls, finishReason } = answer;
  const parts: MessagePart[] = [];
  const isEmpty = refusal === "" && toolCalls.length === 0 && !isCutBy(finishReason);
  if (content !== "" || isEmpty) parts.push(textPart(content, logprobs, annotations));
  if (refusal !== "") parts.push({ type: "refusal", refusal });
  return parts;
}
