import type { ChatEvent } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import { type Fields, isFields, textOf } from "../../../wires/index.ts";
import { BlockLog } from "../../block-order.ts";
import { createCallDecoder } from "../decode/decode-calls.ts";
import type { ReadingContext } from "../decode/decode-chunk.ts";
import { fittingReason } from "../decode/decode-finish.ts";
import { createNeutralCalls } from "../decode/neutral-calls.ts";
import { finishOfResponse, isCall } from "./decode-response.ts";
import type { ResponseEmitter } from "./decode-response-stream.ts";
import { ItemPlaces } from "./item-places.ts";
import { type SealedReasoning, sealReasoning } from "./reasoning-seal.ts";

/** Follows a response while it is emitted, to record where each piece of reasoning is and what it consists of. */
function createReasoningPlaces() {
  const blocks = new BlockLog();
  const called = new Set<unknown>();
  /** Lengths of the summaries since the last reasoning ended. */
  let summaries = new Map<string, number>();
  return {
    text: (item: string, text: string) => blocks.text(item, text),
    reasoning: (part: string, text: string) =>
      void summaries.set(part, (summaries.get(part) ?? 0) + text.length),
    /** `index` is that of the item, since a call may be emitted more than once. */
    call(index: unknown): void {
      if (!called.has(index)) blocks.call();
      called.add(index);
    },
    /** For the reasoning that has just ended. */
    take(): Omit<SealedReasoning, "encrypted"> {
      const lengths = [...summaries.values()];
      summaries = new Map();
      return { after: blocks.take(), summaries: lengths };
    },
  };
}

/**
 * Messages that a model writes beside its answer. Before JSON they would spoil it for whoever parses it, so there they
 * are held back; if nothing else was said, they are all there is to emit.
 */
class Commentary {
  readonly #items = new Set<unknown>();
  readonly #texts = new Map<unknown, string>();

  /** To be called when an item begins or ends. */
  see(item: unknown, index: unknown): void {
    if (isObject(item) && item["phase"] === "commentary") this.#items.add(index);
  }

  /** True if the text belongs to such a message, and is held back. */
  keeps(text: string, index: unknown): boolean {
    if (!this.#items.has(index)) return false;
    this.#texts.set(index, (this.#texts.get(index) ?? "") + text);
    return true;
  }

  /** All text that was held back, by message. */
  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }
}

type TextKind = "text" | "refusal" | "reasoning";
/** The item that a text belongs to, and the part of it. */
type Place = { readonly index: unknown; readonly part: unknown };

const DELTAS: ReadonlyMap<string, TextKind> = new Map([
  ["response.output_text.delta", "text"],
  ["response.refusal.delta", "refusal"],
  ["response.reasoning_summary_text.delta", "reasoning"],
  ["response.reasoning_text.delta", "reasoning"],
]);

const FUNCTION_DELTA = "response.function_call_arguments.delta";
const CALL_DELTAS: ReadonlySet<string> = new Set([FUNCTION_DELTA, "response.custom_tool_call_input.delta"]);

/** Inserted between messages, and between parts of reasoning: they are separate there and one text here. */
const GAP = "\n\n";

/**
 * Emits a response as neutral events. Encrypted reasoning becomes the signature of the reasoning text, so that it comes
 * back with the calls that it led to.
 */
export function createNeutralEmitter(
  context: ReadingContext,
  { hasForm }: { readonly hasForm: boolean },
): ResponseEmitter {
  const { namespace, namedTool } = context;
  const calls = createCallDecoder(createNeutralCalls(0), context);
  const items = new ItemPlaces();
  /** Items by index: those of which a piece was emitted, and those that were emitted in full. */
  const begun = new Set<unknown>();
  const done = new Set<unknown>();
  /** Text that was emitted in pieces, by index of the item. */
  const emittedText = new Map<unknown, string>();
  const places = createReasoningPlaces();
  /** Where the last text of each kind was. */
  const lastPlaces = new Map<TextKind, string>();
  const commentary = hasForm ? new Commentary() : null;

  /** Emits text, after a gap if it begins a new message or a new part of reasoning. Parts of a message have no gap. */
  function emitText(type: TextKind, given: unknown, { index, part }: Place, out: ChatEvent[]): void {
    if (typeof given !== "string" || given === "") return;
    if (type === "text" && commentary?.keeps(given, index)) return;
    const place = type === "reasoning" ? `${index} ${part}` : `${index}`;
    const last = lastPlaces.get(type);
    lastPlaces.set(type, place);
    const text = last === undefined || last === place ? given : GAP + given;
    if (type === "text") places.text(place, text);
    else if (type === "reasoning") places.reasoning(place, text);
    out.push({ type, text });
  }

  /** Accepts a list of parts, or a message's whole text as a string. */
  function emitParts(parts: unknown, index: unknown, out: ChatEvent[]): void {
    if (typeof parts === "string") emitText("text", parts, { index, part: 0 }, out);
    if (!Array.isArray(parts)) return;
    for (const [at, each] of (parts as readonly (Fields | null)[]).entries()) {
      const { type, text, refusal } = each ?? {};
      const place = { index, part: at };
      if (type === "refusal") emitText("refusal", refusal, place, out);
      else emitText(type === "output_text" ? "text" : "reasoning", text, place, out);
    }
  }

  /** Emits what a message has at its end beyond its pieces, if these were the last text and it begins with them. */
  function emitRest(content: unknown, index: unknown, out: ChatEvent[]): void {
    const pieces = emittedText.get(index);
    if (pieces === undefined || lastPlaces.get("text") !== `${index}`) return;
    const whole = textIn(content);
    if (whole.startsWith(pieces)) emitText("text", whole.slice(pieces.length), { index, part: 0 }, out);
  }

  /** Emits a call: only its name, or all of it. */
  function emitCall(item: Fields, index: unknown, isWhole: boolean, out: ChatEvent[]): void {
    const { type, call_id: id, name, arguments: text, input } = item;
    places.call(index);
    if (type === "custom_tool_call") {
      calls.push({ index, id, custom: { name, input: isWhole ? input : "" } }, out, "piece");
    } else {
      calls.push({ index, id, function: { name, arguments: isWhole ? text : "" } }, out, "piece");
    }
  }

  function emitItem(item: unknown, index: unknown, out: ChatEvent[]): void {
    if (!isFields(item) || done.has(index)) return;
    done.add(index);
    commentary?.see(item, index);
    const isNew = !begun.has(index);
    const { type, content, summary, encrypted_content: encrypted } = item;
    if (isCall(item)) emitCall(item, index, isNew, out);
    else if (type === "message" && isNew) emitParts(content, index, out);
    else if (type === "message") emitRest(content, index, out);
    else if (type === "reasoning") {
      // Few servers send both, and those in this order.
      if (isNew) for (const parts of [summary, content]) emitParts(parts, index, out);
      if (typeof encrypted === "string" && encrypted !== "") {
        const signature = sealReasoning(namespace, { encrypted, ...places.take() });
        out.push({ type: "reasoning_signature", signature });
      }
    }
  }

  return {
    emit(type, event, _data, out) {
      const { delta, item } = event;
      if (type === "response.output_item.done") {
        const ended = items.end(event);
        if (ended !== null) emitItem(item, ended.index, out);
        return;
      }
      if (type === "response.output_item.added") {
        const started = items.begin(event);
        if (started === null) return;
        commentary?.see(item, started.index);
        if (isCall(item)) emitCall(item, started.index, false, out);
        return;
      }
      const kind = DELTAS.get(type);
      if (kind === undefined && !CALL_DELTAS.has(type)) return;
      const index = (items.of(event) ?? items.begin(event))?.index;
      begun.add(index);
      if (kind !== undefined) {
        if (kind === "text" && typeof delta === "string")
          emittedText.set(index, (emittedText.get(index) ?? "") + delta);
        emitText(kind, delta, { index, part: event["summary_index"] ?? event["content_index"] }, out);
      } else if (type === FUNCTION_DELTA) {
        calls.push({ index, function: { arguments: delta } }, out, "piece");
      } else calls.push({ index, custom: { input: delta } }, out, "piece");
    },
    end(response) {
      const { reason, usage, whole } = finishOfResponse(response, context);
      const out: ChatEvent[] = [];
      // If any item was emitted when it ended, all were, under indexes that may differ from those of the final list.
      if (done.size === 0) {
        const output = whole["output"] as readonly unknown[];
        for (const [index, item] of output.entries()) emitItem(item, index, out);
      }
      calls.end(out);
      const hasCalls = calls.count > 0;
      const isSilent = !hasCalls && !lastPlaces.has("text") && !lastPlaces.has("refusal");
      const kept = commentary?.texts ?? [];
      if (isSilent && kept.length > 0) out.push({ type: "text", text: kept.join(GAP) });
      return [...out, { type: "finish", reason: fittingReason(reason, { hasCalls, namedTool }), usage }];
    },
  };
}

/** The text of all parts of a message. */
function textIn(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content);
  return (content as readonly (Fields | null)[])
    .map((part) => (part?.["type"] === "output_text" ? textOf(part["text"]) : ""))
    .join("");
}
