import {
  type ChatEvent,
  createCarriedReasoning,
  type FinishReason,
  type WireEvent,
} from "../../../contract/index.ts";
import { writtenInCall } from "../../../wires/index.ts";
import { fragmentsIn } from "../decode/call-fragments.ts";
import type { AnswerDecoder, AnswerPiece } from "../decode/decode-answer.ts";
import {
  type CallDecoder,
  type CallOrigin,
  type CallSink,
  createCallDecoder,
} from "../decode/decode-calls.ts";
import { decodeFinishReason, fittingReason } from "../decode/decode-finish.ts";
import type { WireChoice, WireChunk, WireDelta } from "../wire-chunk.ts";
import { addChoiceExtras, addChunkExtras, extrasBeside, isEmpty } from "./extra-fields.ts";
import { filledLogprobs } from "./filled-logprobs.ts";
import { repairedText } from "./repaired-text.ts";
import type { WireForm } from "./wire-form.ts";

type Choice = { finish_reason: unknown; readonly delta: WireDelta; readonly [extra: string]: unknown };
/** The end of an answer as the server sent it, with the data beside it. */
type Closing = { readonly word: string; readonly chunk: WireChunk; readonly choice: Choice };

/**
 * One answer of a stream in its own wire, repaired into what every client expects: the role first and once, one
 * fragment of a call per chunk, finish_reason on the last chunk only. Empty chunks are left out. Some servers continue
 * after their finish_reason, so it is sent when everything has come, and it is known whether there were calls.
 */
export function createWireAnswer(
  input: CallOrigin & {
    readonly index: number;
    readonly namedTool: boolean;
    readonly form: WireForm;
  },
): AnswerDecoder {
  const { index, namespace, namedTool, form } = input;
  const { sealCallId, isFirstForm, isJoined = false } = form;
  const carried = sealCallId === undefined ? null : createCarriedReasoning();
  let chunk: WireChunk = {};
  /** A chunk with no more than the role, if that is not sent alone: its other fields wait for the next chunk. */
  let untold: WireChunk | null = null;
  let calls: CallDecoder | null = null;
  let hasRole = false;
  let hasFirstForm = false;
  /** The first finish_reason counts: some servers repeat it, or send an empty chunk after it. */
  let closing: Closing | null = null;

  function emit(out: ChatEvent[], choice: Choice, written: string, from = chunk): void {
    const event: Record<string, unknown> = { choices: [choice] };
    addChunkExtras(from, event);
    const members = JSON.stringify(event).slice(1, -1);
    const isReasoning = (written !== "" && choice.delta.reasoning_content === written) || undefined;
    const piece: WireEvent = { type: "wire", members, written, isReasoning };
    out.push(choice.finish_reason === null ? piece : { ...piece, isClosing: true });
  }

  function emitFragment(
    out: ChatEvent[],
    fragment: Readonly<Record<string, unknown>>,
    written: string,
  ): void {
    const isTurned = isFirstForm && fragment["function"] !== undefined;
    const delta = isTurned ? firstFormOf(fragment) : { tool_calls: [fragment] };
    hasFirstForm ||= isTurned;
    emit(out, { ...emptyChoice(), delta: withRole(delta) }, written);
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

  /** A call in the first form that was requested in that form is passed on unchanged, not as a fragment. */
  function fragmentsOf(delta: WireDelta): readonly unknown[] {
    return fragmentsIn(isFirstForm ? { tool_calls: delta.tool_calls } : delta);
  }

  function reason(): FinishReason | null {
    if (closing === null) return null;
    const hasCalls = hasFirstForm || (calls?.count ?? 0) > 0;
    return fittingReason(decodeFinishReason(closing.word), { hasCalls, namedTool });
  }

  function withRole(fields: WireDelta): WireDelta {
    if (hasRole) return fields;
    hasRole = true;
    return { role: "assistant", ...fields };
  }

  /** Text, role and log probabilities. Extra fields beside an end without text are sent with the end. */
  function pushWords({ choice, delta }: AnswerPiece, word: string, out: ChatEvent[]): void {
    const { fields, written: words } = repairedText(delta, { namespace, carried });
    let written = words;
    const called = isFirstForm && delta.function_call ? writtenInCall(delta.function_call) : "";
    if (called !== "") {
      hasFirstForm = true;
      fields["function_call"] = delta.function_call;
      written += called;
    }
    const logprobs = filledLogprobs(choice.logprobs);
    const hasWords = Boolean(logprobs) || saysAnything(fields);
    const isOver = closing !== null;
    const repaired: Choice = { index, delta: fields, logprobs, finish_reason: null };
    let hasExtras = false;
    if (word === "") hasExtras = addChoiceExtras(choice, repaired);
    else endWith(word, choice, hasWords ? emptyChoice() : repaired);
    const isGoingOn = word === "" && !isOver;
    const isTelling = isGoingOn && ((!hasRole && !isJoined) || hasExtras);
    if (hasWords || isTelling) emit(out, { ...repaired, delta: withRole(fields) }, written);
    else if (isGoingOn && !hasRole) untold = chunk;
  }

  function endWith(word: string, given: WireChoice, choice: Choice): void {
    addChoiceExtras(given, choice);
    closing = { word, chunk, choice };
  }

  function emptyChoice(): Choice {
    return { index, delta: {}, logprobs: null, finish_reason: null };
  }

  return {
    push(piece, out) {
      chunk = untold === null ? piece.chunk : { ...untold, ...piece.chunk };
      untold = null;
      const { finish_reason: given } = piece.choice;
      const word = closing === null && typeof given === "string" ? given : "";
      const fragments = fragmentsOf(piece.delta);
      if (fragments.length === 0) {
        pushWords(piece, word, out);
        return;
      }
      pushWords(piece, "", out);
      calls ??= createCallDecoder(sink, input);
      for (const fragment of fragments) calls.push(fragment, out, piece.kind);
      if (word !== "") closing = { word, chunk, choice: emptyChoice() };
    },
    beside(given, out) {
      const extras = extrasBeside(given, chunk);
      if (isEmpty(extras)) return;
      out.push({ type: "wire", members: JSON.stringify(extras).slice(1, -1), written: "", isBeside: true });
    },
    noteArguments: (text) => calls?.noteArguments(text) === true,
    reason,
    end(out) {
      calls?.end(out);
      if (closing === null) return;
      const { choice, chunk: from } = closing;
      const told = reason();
      const word = hasFirstForm && told === "tool_calls" ? "function_call" : told;
      emit(out, { ...choice, delta: withRole(choice.delta), finish_reason: word }, "", from);
    },
  };
}

/** A server may answer in the newer form; the first one has room for one call, so any others are dropped. */
function firstFormOf({ index, function: work }: Readonly<Record<string, unknown>>): WireDelta {
  return index === 0 ? { function_call: work } : {};
}

/** Whether a delta has more than empty fields. */
function saysAnything(fields: Readonly<Record<string, unknown>>): boolean {
  for (const name in fields) if (!isEmpty(fields[name])) return true;
  return false;
}
