import { createCarriedReasoning } from "../../carried-reasoning.ts";
import type { ChatEvent, FinishReason, WireEvent } from "../../contract.ts";
import type { AnswerDecoder, AnswerPiece } from "../decode-answer.ts";
import { type CallDecoder, type CallSink, createCallDecoder } from "../decode-calls.ts";
import { decodeFinishReason, fittingReason } from "../decode-finish.ts";
import type { WireChunk, WireDelta } from "../wire-chunk.ts";
import { writtenInCall } from "../written-in-whole.ts";
import { addChoiceExtras, addChunkExtras, extrasBeside, isEmpty } from "./extra-fields.ts";
import { filledLogprobs } from "./filled-logprobs.ts";
import { repairedWords } from "./repaired-words.ts";
import type { WireForm } from "./wire-form.ts";

/**
 * One answer of a stream in the words of its wire, repaired into what every client of it reads: the role first and
 * once, one fragment of a call per chunk, an end on the last chunk alone. What says nothing is left out.
 */
export function createWireAnswer(input: {
  readonly index: number;
  readonly namespace: string;
  readonly namedTool: boolean;
  readonly form: WireForm;
}): AnswerDecoder {
  const { index, namespace, namedTool, form } = input;
  const { sealCallId, isFirstForm } = form;
  const carried = sealCallId === undefined ? null : createCarriedReasoning();
  let chunk: WireChunk = {};
  let calls: CallDecoder | null = null;
  let hasRole = false;
  let hasFirstForm = false;
  let reason: FinishReason | null = null;

  function emit(out: ChatEvent[], choice: Readonly<Record<string, unknown>>, written: string): void {
    const event: Record<string, unknown> = { choices: [choice] };
    addChunkExtras(chunk, event);
    const members = JSON.stringify(event).slice(1, -1);
    const piece: WireEvent = { type: "wire", members, written };
    out.push(choice["finish_reason"] === null ? piece : { ...piece, isClosing: true });
  }

  function emitFragment(
    out: ChatEvent[],
    fragment: Readonly<Record<string, unknown>>,
    written: string,
  ): void {
    const isTurned = isFirstForm && fragment["function"] !== undefined;
    const delta = isTurned ? firstFormOf(fragment) : { tool_calls: [fragment] };
    hasFirstForm ||= isTurned;
    emit(out, { index, delta, logprobs: null, finish_reason: null }, written);
  }

  const sink: CallSink = {
    opened({ number, id, name, signature, isCustom }, out) {
      const sealed = sealCallId?.(id, signature, carried?.take()) ?? id;
      const fragment = isCustom
        ? { index: number, id: sealed, type: "custom", custom: { name, input: "" } }
        : { index: number, id: sealed, type: "function", function: { name, arguments: "" } };
      emitFragment(out, fragment, name);
    },
    wrote({ number, isCustom }, text, out) {
      const fragment = isCustom
        ? { index: number, custom: { input: text } }
        : { index: number, function: { arguments: text } };
      emitFragment(out, fragment, text);
    },
    closed() {},
  };

  function fragmentsOf({ tool_calls: fragments, function_call: single }: WireDelta): readonly unknown[] {
    if (Array.isArray(fragments)) return fragments;
    const isCall = typeof single === "object" && single !== null && !isFirstForm;
    return isCall ? [{ index: 0, function: single }] : [];
  }

  function endWith(word: string): string | null {
    if (word === "") return null;
    const hasCalls = hasFirstForm || (calls?.count ?? 0) > 0;
    reason = fittingReason(decodeFinishReason(word), { hasCalls, namedTool });
    return hasFirstForm && reason === "tool_calls" ? "function_call" : reason;
  }

  /** Words, role and log probabilities; the end too, unless calls of the same chunk go before it. */
  function pushWords({ choice, delta }: AnswerPiece, word: string, out: ChatEvent[]): void {
    const { fields, written: words } = repairedWords(delta, { namespace, carried });
    const isOver = reason !== null;
    let written = words;
    if (isFirstForm && delta.function_call) {
      hasFirstForm = true;
      fields["function_call"] = delta.function_call;
      written += writtenInCall(delta.function_call);
    }
    const finishReason = endWith(word);
    const repaired: Record<string, unknown> = {
      index,
      delta: hasRole ? fields : { role: "assistant", ...fields },
      logprobs: filledLogprobs(choice.logprobs),
      finish_reason: finishReason,
    };
    const hasExtras = addChoiceExtras(choice, repaired) && !isOver;
    const isTelling = !hasRole || finishReason !== null || Boolean(choice.logprobs) || hasExtras;
    if (!isTelling && !saysAnything(fields)) return;
    hasRole = true;
    emit(out, repaired, written);
  }

  return {
    push(piece, out) {
      ({ chunk } = piece);
      const { finish_reason: given } = piece.choice;
      // The first end stands: some servers repeat it, or send an empty chunk after it.
      const word = reason === null && typeof given === "string" ? given : "";
      const fragments = fragmentsOf(piece.delta);
      if (fragments.length === 0) {
        if (word !== "") calls?.end(out);
        pushWords(piece, word, out);
        return;
      }
      pushWords(piece, "", out);
      calls ??= createCallDecoder(sink, namespace);
      for (const fragment of fragments) calls.push(fragment, out, piece.kind);
      if (word === "") return;
      calls.end(out);
      emit(out, { index, delta: {}, logprobs: null, finish_reason: endWith(word) }, "");
    },
    beside(given, out) {
      const extras = extrasBeside(given, chunk);
      if (isEmpty(extras)) return;
      out.push({ type: "wire", members: JSON.stringify(extras).slice(1, -1), written: "", isBeside: true });
    },
    noteArguments: (text) => calls?.noteArguments(text),
    reason: () => reason,
    end() {},
  };
}

/** A server may answer in the form that came after; the first one has room for one call, and the others say nothing. */
function firstFormOf({ index, function: work }: Readonly<Record<string, unknown>>): object {
  return index === 0 ? { function_call: work } : {};
}

/** Whether a delta holds more than empty words. */
function saysAnything(fields: Readonly<Record<string, unknown>>): boolean {
  for (const name in fields) if (!isEmpty(fields[name])) return true;
  return false;
}
