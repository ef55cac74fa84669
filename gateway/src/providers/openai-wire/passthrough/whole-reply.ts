import { type ChatEvent, createCarriedReasoning, type FinishReason } from "../../../contract/index.ts";
import { writtenInCall } from "../../../wires/index.ts";
import { fragmentsIn } from "../decode/call-fragments.ts";
import type { AnswerDecoder } from "../decode/decode-answer.ts";
import { type CallOrigin, type CallSink, createCallDecoder } from "../decode/decode-calls.ts";
import { decodeWhole, type ReadingContext } from "../decode/decode-chunk.ts";
import { decodeFinishReason, fittingReason } from "../decode/decode-finish.ts";
import type { WireDelta } from "../wire-chunk.ts";
import { addChoiceExtras, addChunkExtras } from "./extra-fields.ts";
import { filledLogprobs } from "./filled-logprobs.ts";
import { repairedText } from "./repaired-text.ts";
import type { WireForm } from "./wire-form.ts";

type Fields = Record<string, unknown>;
type ReplyContext = ReadingContext & { readonly form: WireForm };

/** A whole reply of the wire, repaired, as a single event. */
export function decodeWholeReply(reply: Readonly<Fields>, context: ReplyContext): ChatEvent[] {
  const choices: Fields[] = [];
  const events = decodeWhole(reply, context, (index) => createWholeAnswer(index, context, choices));
  const whole: Fields = { choices };
  addChunkExtras(reply, whole);
  return events.map((event) => (event.type === "finish" ? { ...event, whole } : event));
}

/** Puts its choice into `choices` and emits nothing. */
function createWholeAnswer(index: number, context: ReplyContext, choices: Fields[]): AnswerDecoder {
  const { namedTool } = context;
  let reason: FinishReason | null = null;
  return {
    push({ choice, delta }) {
      const message = repairedMessage(delta, context);
      const hasFirstForm = message["function_call"] !== undefined;
      const hasCalls = hasFirstForm || message["tool_calls"] !== undefined;
      if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
        reason = fittingReason(decodeFinishReason(choice.finish_reason), { hasCalls, namedTool });
      }
      const finishReason = hasFirstForm && reason === "tool_calls" ? "function_call" : reason;
      const logprobs = filledLogprobs(choice.logprobs);
      const repaired: Fields = { index, message, logprobs, finish_reason: finishReason };
      addChoiceExtras(choice, repaired);
      choices[index] = repaired;
    },
    // A whole reply never takes the fast path.
    noteArguments: () => false,
    reason: () => reason,
    end() {},
  };
}

function repairedMessage(given: WireDelta, context: ReplyContext): Fields {
  const { namespace, form } = context;
  const carried = form.sealCallId === undefined ? null : createCarriedReasoning();
  const { fields } = repairedText(given, { namespace, carried });
  const message: Fields = { role: "assistant", ...fields };
  message["content"] ??= null;
  message["refusal"] ??= null;
  const { tool_calls: calls, function_call: single } = given;
  if (form.isFirstForm && writtenInCall(single) !== "") message["function_call"] = single;
  const fragments = fragmentsIn(form.isFirstForm ? { tool_calls: calls } : given);
  if (fragments.length === 0) return message;
  const repaired = repairedCalls(fragments, context, (id, signature) => {
    return form.sealCallId?.(id, signature, carried?.take()) ?? id;
  });
  if (repaired.length === 0) return message;
  // A server may answer in the newer form; the first one has room for one call.
  const work = form.isFirstForm ? repaired[0]?.["function"] : undefined;
  if (work === undefined) message["tool_calls"] = repaired;
  else message["function_call"] ??= work;
  return message;
}

function repairedCalls(
  fragments: readonly unknown[],
  origin: CallOrigin,
  seal: (id: string, signature: string | undefined) => string,
): readonly Fields[] {
  const opened: { id: string; name: string; text: string; isCustom: boolean }[] = [];
  const sink: CallSink = {
    opened({ id, name, signature, isCustom }) {
      opened.push({ id: seal(id, signature), name, text: "", isCustom });
    },
    wrote({ number }, text) {
      const call = opened[number];
      if (call !== undefined) call.text += text;
    },
    closed() {},
  };
  const decoder = createCallDecoder(sink, origin);
  for (const fragment of fragments) decoder.push(fragment, [], "whole");
  decoder.end([]);
  return opened.map(({ id, name, text, isCustom }) =>
    isCustom
      ? { id, type: "custom", custom: { name, input: text } }
      : { id, type: "function", function: { name, arguments: text } },
  );
}
