import type { ChatEvent, ReasoningPart, ToolCall } from "../providers/index.ts";
import { blocksOf } from "./answer-order.ts";
import type { WholeAnswer } from "./outcome.ts";

/** Whole answers as the events that they came in, fewer and larger; without `finish`. */
export function eventsOf(answers: readonly WholeAnswer[]): readonly ChatEvent[] {
  return answers.flatMap((answer, index) => answerEvents(answer).map((event) => ({ ...event, index })));
}

function answerEvents(answer: WholeAnswer): readonly ChatEvent[] {
  const { content, reasoning, toolCalls, logprobCounts = [] } = answer;
  const blocks = blocksOf(answer);
  const events: ChatEvent[] = [];
  const logprobs = [...answer.logprobs];
  const closingAt = closingPlace(blocks);
  let texts = 0;
  let thoughts = 0;
  let calls = 0;
  let characters = 0;
  for (const [at, block] of blocks.entries()) {
    if (at === closingAt) events.push(...closingEvents(answer.refusal, logprobs));
    if (block === "thought") events.push(...thoughtEvents(reasoning[thoughts++]));
    else if (block === "call") events.push(...callEvents(calls, toolCalls[calls++]));
    else {
      events.push({ type: "text", text: content.slice(characters, characters + block) });
      characters += block;
      events.push(...logprobEvents(logprobs.splice(0, logprobCounts[texts++] ?? 0)));
    }
  }
  // What came after more turns than are counted.
  for (const part of reasoning.slice(thoughts)) events.push(...thoughtEvents(part));
  if (characters < content.length) events.push({ type: "text", text: content.slice(characters) });
  if (closingAt === blocks.length) events.push(...closingEvents(answer.refusal, logprobs));
  for (const call of toolCalls.slice(calls)) events.push(...callEvents(calls++, call));
  return events;
}

/** Right behind the last text, else before the first call. */
function closingPlace(blocks: readonly (number | string)[]): number {
  const last = blocks.findLastIndex((block) => typeof block === "number");
  if (last >= 0) return last + 1;
  const call = blocks.indexOf("call");
  return call < 0 ? blocks.length : call;
}

/** What has no place of its own in the order; log probabilities are of the text before. */
function closingEvents(refusal: string, logprobs: readonly unknown[]): readonly ChatEvent[] {
  const events: ChatEvent[] = [...logprobEvents(logprobs)];
  if (refusal !== "") events.push({ type: "refusal", text: refusal });
  return events;
}

function logprobEvents(content: readonly unknown[]): readonly ChatEvent[] {
  return content.length === 0 ? [] : [{ type: "logprobs", content }];
}

function thoughtEvents(part: ReasoningPart | undefined): readonly ChatEvent[] {
  const { text = "", signature } = part ?? {};
  const events: ChatEvent[] = [];
  if (text !== "") events.push({ type: "reasoning", text });
  if (signature !== undefined) events.push({ type: "reasoning_signature", signature });
  return events;
}

function callEvents(call: number, made: ToolCall | undefined): readonly ChatEvent[] {
  if (made === undefined) return [];
  const { arguments: text, ...start } = made;
  return [
    { type: "tool_start", call, ...start },
    { type: "tool_arguments", call, text },
  ];
}
