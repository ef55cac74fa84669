import type { FinishReason, TextPlace, WireEvent } from "../../contract/index.ts";
import { isObject } from "../../kit/index.ts";
import { NewCitations } from "./new-citations.ts";

type Fields = Record<string, unknown>;
type Choice = { readonly index: number; readonly message: Fields; [extra: string]: unknown };
type Fragment = { readonly index: number } & Fields;

/** Text fields that arrive in pieces; for all others the last value counts. */
const GROWING: ReadonlySet<string> = new Set([
  "content",
  "refusal",
  "reasoning_content",
  "reasoning",
  "thinking",
  "arguments",
  "input",
  "data",
  "transcript",
]);

/** Clients expect these in a reply, even if empty. */
const UNSAID: Readonly<Fields> = { role: "assistant", content: "", refusal: null };

/**
 * Joins repaired chunks of a stream into the whole reply that they add up to, as far as they came: for a repeat of the
 * call, and for callers that wait for a single reply. Data that servers repeat with every chunk, such as citations, is
 * kept once.
 */
export class JoinedChunks {
  readonly #choices: Choice[] = [];
  readonly #extras: Fields = {};
  /** By index of the answer. */
  readonly #citations: NewCitations[] = [];

  /** Place of the last chunk's text, if the next chunk may differ from it in that text alone. */
  #place: TextPlace | null = null;

  add({ members, written, place = null }: Pick<WireEvent, "members" | "written" | "place">): void {
    if (place !== null && place === this.#place) this.#addWords(place, written);
    else this.#addChunk(members);
    this.#place = place?.fields.every((name) => GROWING.has(name)) ? place : null;
  }

  /** Fast path for most chunks: everything around this text has already been added. */
  #addWords({ fields, call }: TextPlace, words: string): void {
    const message = this.#choices[0]?.message ?? {};
    for (const name of fields) message[name] += words;
    if (call === null) return;
    const { function: work } = (message["tool_calls"] as Fields[])[call] as { function: Fields };
    work["arguments"] += words;
  }

  #addChunk(members: string): void {
    const { choices = [], ...extras } = JSON.parse(`{${members}}`) as { choices?: readonly Fields[] };
    put(this.#extras, extras);
    for (const choice of choices) this.#addChoice(choice);
  }

  /** Null if nothing came; `cut` is the finish_reason of answers that have none. */
  whole(cut: FinishReason): Readonly<Fields> | null {
    if (this.#choices.length === 0) return null;
    const choices = this.#choices.filter(Boolean).map((choice) => ({
      ...choice,
      message: { ...UNSAID, ...choice.message, content: contentOf(choice.message) },
      finish_reason: choice["finish_reason"] ?? cut,
    }));
    return { choices, ...this.#extras };
  }

  #addChoice({ index: given, delta, logprobs, ...more }: Fields): void {
    const index = given as number;
    this.#choices[index] ??= { index, message: {}, logprobs: null };
    const choice = this.#choices[index];
    put(choice, more);
    grow(choice, { logprobs });
    const { tool_calls: fragments, ...words } = delta as Fields;
    const { annotations } = words;
    if (Array.isArray(annotations)) {
      this.#citations[index] ??= new NewCitations();
      words["annotations"] = this.#citations[index].of(annotations);
    }
    grow(choice.message, words);
    if (Array.isArray(fragments)) addCalls(fragments, choice.message);
  }
}

/** Empty content is null beside a refusal or calls, as in replies that come in one piece. */
function contentOf({ content, refusal, tool_calls: calls, function_call: call }: Fields): unknown {
  if (content) return content;
  return refusal || calls || call ? null : "";
}

function addCalls(fragments: readonly Fragment[], message: Fields): void {
  message["tool_calls"] ??= [];
  const calls = message["tool_calls"] as Fields[];
  for (const { index, ...fragment } of fragments) {
    const known = calls[index];
    if (known === undefined) calls[index] = fragment;
    else grow(known, fragment);
  }
}

/** Copies all values that are not null. */
function put(into: Fields, from: Fields): void {
  for (const [name, value] of Object.entries(from)) {
    if (value !== null && name !== "__proto__") into[name] = value;
  }
}

/** Appends the next piece of each field to what came before. */
function grow(into: Fields, piece: Fields): void {
  for (const [name, value] of Object.entries(piece)) {
    if (name === "__proto__") continue;
    const before = Object.hasOwn(into, name) ? into[name] : null;
    into[name] = before === null ? (value ?? null) : grown(name, before, value);
  }
}

function grown(name: string, before: unknown, piece: unknown): unknown {
  if (piece === null || piece === undefined || piece === "") return before;
  if (Array.isArray(before) && Array.isArray(piece)) {
    for (const item of piece) before.push(item);
    return before;
  }
  if (typeof before === "string" && typeof piece === "string" && GROWING.has(name)) return before + piece;
  if (!isObject(before) || !isObject(piece)) return piece;
  grow(before, piece);
  return before;
}
