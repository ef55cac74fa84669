import type { ToolCall } from "../../../contract/index.ts";
import type { WholeAnswer } from "../../../generation/index.ts";
import { type CallStyle, finishReasonOf } from "../call-style.ts";
import { unwrapCustomInput } from "../custom-tool.ts";
import type { CallSeal } from "../sealed/sealed-call-id.ts";

/** How answers are encoded for one caller. */
export type ChoiceForm = { readonly style: CallStyle; readonly callSeal: CallSeal };

/** Encodes a whole answer as a choice; `content` and `refusal` are always present, if only as null. */
export function encodeChoice(answer: WholeAnswer, index: number, form: ChoiceForm) {
  const { content, refusal, reasoning, toolCalls, logprobs, annotations } = answer;
  const hasCalls = toolCalls.length > 0;
  const message: Record<string, unknown> = {
    role: "assistant",
    content: content === "" && (hasCalls || refusal !== "") ? null : content,
    refusal: refusal === "" ? null : refusal,
  };
  const thought = reasoning.map(({ text }) => text).join("");
  if (thought !== "") message["reasoning_content"] = thought;
  if (annotations !== undefined) message["annotations"] = annotations;
  const [first] = toolCalls;
  if (first !== undefined && form.style.isFunctionCall) {
    message["function_call"] = { name: first.name, arguments: first.arguments };
  } else if (hasCalls) {
    message["tool_calls"] = toolCalls.map((call, at) => encodeCall(call, at === 0 ? answer : null, form));
  }
  return {
    index,
    message,
    logprobs: logprobs.length === 0 ? null : { content: logprobs, refusal: null },
    finish_reason: finishReasonOf(answer.finishReason, hasCalls, form.style),
  };
}

/** The first call's id carries the reasoning: clients send nothing else of it back. */
function encodeCall(call: ToolCall, thinker: WholeAnswer | null, { style, callSeal }: ChoiceForm) {
  const { name, arguments: text } = call;
  const id = callSeal.seal(call.id, call.signature, thinker?.reasoning);
  return style.customTools.has(name)
    ? { id, type: "custom", custom: { name, input: unwrapCustomInput(text) } }
    : { id, type: "function", function: { name, arguments: text } };
}
