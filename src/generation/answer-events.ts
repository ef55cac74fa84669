import type { ChatEvent, ReasoningPart, ToolCall } from "../providers/index.ts";
import { blocksOf } from "./answer-order.ts";
import type { AnswerBlock, WholeAnswer } from "./outcome.ts";

/** Whole answers as the events that they came in, fewer and larger; without `finish`. */
export function eventsOf(answers: readonly WholeAnswer[]): readonly ChatEvent[] {
  return answers.flatMap((answer, index) => answerEvents(answer).map((event) => ({ ...event, index })));
}

function answerEvents(answer: WholeAnswer): readonly ChatEvent[] {
  const { content, refusal, reasoning, toolCalls, logprobCounts } = answer;
  const blocks = blocksOf(answer);
  const events: ChatEvent[] = [];
  const logprobs = [...answer.logprobs];
  const counts = [...(logprobCounts ?? lastOnes(blocks, logprobs.length))];
  const calls = new CallEvents(toolCalls);
  let thoughts = 0;
  let characters = 0;
  let refused = 0;
  const takeLogprobs = (count = 0) => logprobEvents(logprobs.splice(0, count));
  for (const block of blocks) {
    if (block === "thought") events.push(...thoughtEvents(reasoning[thoughts++]));
    else if (typeof block === "number") {
      events.push(...takeLogprobs(counts.shift()));
      events.push({ type: "text", text: content.slice(characters, characters + block) });
      characters += block;
      events.push(...takeLogprobs(counts.shift()));
    } else if ("refusal" in block) {
      events.push({ type: "refusal", text: refusal.slice(refused, refused + block.refusal) });
      refused += block.refusal;
    } else events.push(...calls.upTo(block.call));
  }
  // What came after more turns than are counted, and what is of no text.
  for (const part of reasoning.slice(thoughts)) events.push(...thoughtEvents(part));
  if (characters < content.length) events.push({ type: "text", text: content.slice(characters) });
  if (refused < refusal.length) events.push({ type: "refusal", text: refusal.slice(refused) });
  events.push(...takeLogprobs(logprobs.length));
  for (const call of toolCalls.keys()) events.push(...calls.upTo(call));
  return events;
}

function lastOnes(blocks: readonly AnswerBlock[], count: number): readonly number[] {
  const texts = blocks.filter((block) => typeof block === "number").length;
  return texts === 0 ? [] : [...Array(texts * 2 - 1).fill(0), count];
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

/** Calls begin in their order, whichever is given its arguments first. */
class CallEvents {
  readonly #calls: readonly ToolCall[];
  readonly #told = new Set<number>();
  #started = 0;

  constructor(calls: readonly ToolCall[]) {
    this.#calls = calls;
  }

  upTo(call: number): readonly ChatEvent[] {
    const made = this.#calls[call];
    if (made === undefined || this.#told.has(call)) return [];
    this.#told.add(call);
    const events: ChatEvent[] = [];
    for (; this.#started <= call; this.#started++) {
      const { arguments: _, ...start } = this.#calls[this.#started] ?? made;
      events.push({ type: "tool_start", call: this.#started, ...start });
    }
    return [...events, { type: "tool_arguments", call, text: made.arguments }];
  }
}
