import type { ChatEvent } from "../providers/index.ts";
import type { WholeAnswer } from "./outcome.ts";

/** Whole answers as the events that they came in, fewer and larger; without `finish`. */
export function eventsOf(answers: readonly WholeAnswer[]): readonly ChatEvent[] {
  return answers.flatMap((answer, index) => {
    const events: ChatEvent[] = [];
    for (const { text, signature } of answer.reasoning) {
      if (text !== "") events.push({ type: "reasoning", text, index });
      if (signature !== undefined) events.push({ type: "reasoning_signature", signature, index });
    }
    if (answer.content !== "") events.push({ type: "text", text: answer.content, index });
    if (answer.refusal !== "") events.push({ type: "refusal", text: answer.refusal, index });
    if (answer.logprobs.length > 0) events.push({ type: "logprobs", content: answer.logprobs, index });
    for (const [call, { arguments: text, ...start }] of answer.toolCalls.entries()) {
      events.push(
        { type: "tool_start", call, ...start, index },
        { type: "tool_arguments", call, text, index },
      );
    }
    return events;
  });
}
