import type { ChatEvent, FinishReason } from "../../../contract/index.ts";
import { NewCitations, type ReasoningName } from "../../../wires/index.ts";
import { closeSeal } from "../seal.ts";
import type { ChunkKind, WireChoice, WireChunk, WireDelta } from "../wire-chunk.ts";
import { fragmentsIn } from "./call-fragments.ts";
import { type CallDecoder, type CallOrigin, createCallDecoder } from "./decode-calls.ts";
import { decodeFinishReason, fittingReason } from "./decode-finish.ts";
import { mayReason, readParts, readReasoning } from "./decode-reasoning.ts";
import { createNeutralCalls } from "./neutral-calls.ts";

/** Decodes one of the `n` answers, in pieces or whole: a whole message is one large piece. */
export type AnswerDecoder = {
  push(piece: AnswerPiece, out: ChatEvent[]): void;
  /** Takes a chunk without choices that comes after the answers have begun; absent for neutral events. */
  beside?(chunk: WireChunk, out: ChatEvent[]): void;
  /** Records arguments of the last call that the fast path has already emitted. True once they are complete. */
  noteArguments(text: string): boolean;
  /** Null while the provider has not ended the answer. */
  reason(): FinishReason | null;
  end(out: ChatEvent[]): void;
};

export type AnswerPiece = {
  readonly chunk: WireChunk;
  readonly choice: WireChoice;
  readonly delta: WireDelta;
  readonly kind: ChunkKind;
};

/** Emits neutral events. */
export function createAnswerDecoder(
  input: CallOrigin & {
    readonly index: number;
    readonly namedTool: boolean;
    readonly marksReasoning?: boolean;
  },
): AnswerDecoder {
  const { index, namespace, namedTool, marksReasoning = false } = input;
  let calls: CallDecoder | null = null;
  let citations: NewCitations | null = null;
  let word: string | null = null;
  /** The field that the reasoning since the last signature came in; null if there is nothing to mark. */
  let unmarked: ReasoningName | null = null;

  function pushText(type: "text" | "reasoning" | "refusal", text: unknown, out: ChatEvent[]): void {
    if (typeof text !== "string" || text === "") return;
    out.push(index === 0 ? { type, text } : { type, text, index });
  }

  function pushReasoning(delta: WireDelta, out: ChatEvent[]): void {
    readReasoning(delta, namespace, {
      text(text, name) {
        unmarked = name ?? null;
        pushText("reasoning", text, out);
      },
      signature: (signature) => pushSignature(signature, out),
    });
  }

  function pushSignature(signature: string, out: ChatEvent[]): void {
    unmarked = null;
    out.push({ type: "reasoning_signature", signature, ...(index === 0 ? {} : { index }) });
  }

  /** Marks reasoning that is over and that the server has not signed itself. */
  function markReasoning(out: ChatEvent[]): void {
    if (marksReasoning && unmarked !== null) pushSignature(closeSeal(namespace, unmarked), out);
  }

  function pushParts(parts: readonly unknown[], out: ChatEvent[]): void {
    readParts(parts, {
      text: (text) => pushText("text", text, out),
      thought: (text) => pushText("reasoning", text, out),
    });
  }

  function pushCalls({ delta, kind }: AnswerPiece, out: ChatEvent[]): void {
    for (const fragment of fragmentsIn(delta)) {
      calls ??= createCallDecoder(createNeutralCalls(index), input);
      calls.push(fragment, out, kind);
    }
  }

  function pushCitations(annotations: readonly unknown[], out: ChatEvent[]): void {
    citations ??= new NewCitations();
    const content = citations.of(annotations);
    if (content.length > 0) out.push({ type: "annotations", content, ...(index === 0 ? {} : { index }) });
  }

  return {
    push(piece, out) {
      const { choice, delta } = piece;
      const { content, refusal } = delta;
      if (mayReason(delta)) pushReasoning(delta, out);
      if (unmarked !== null && (content || refusal || delta.tool_calls || delta.function_call))
        markReasoning(out);
      if (typeof content === "string") pushText("text", content, out);
      else if (Array.isArray(content)) pushParts(content, out);
      if (refusal) pushText("refusal", refusal, out);
      if (delta.tool_calls || delta.function_call) pushCalls(piece, out);
      const probabilities = choice.logprobs?.content;
      if (Array.isArray(probabilities) && probabilities.length > 0) {
        out.push({ type: "logprobs", content: probabilities, ...(index === 0 ? {} : { index }) });
      }
      if (hasAnnotations(delta)) pushCitations(delta.annotations, out);
      // The first finish_reason counts: some servers repeat it with another value.
      if (word === null && typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
        word = choice.finish_reason;
      }
    },
    noteArguments: (text) => calls?.noteArguments(text) === true,
    reason() {
      if (word === null) return null;
      return fittingReason(decodeFinishReason(word), { hasCalls: (calls?.count ?? 0) > 0, namedTool });
    },
    end(out) {
      markReasoning(out);
      calls?.end(out);
    },
  };
}

/** Many servers send an empty list with every answer. */
function hasAnnotations(delta: WireDelta): delta is WireDelta & { readonly annotations: readonly unknown[] } {
  const { annotations } = delta;
  return Array.isArray(annotations) && annotations.length > 0;
}
