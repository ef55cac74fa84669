import type { WireChoice, WireChunk } from "../wire-chunk.ts";

/**
 * The fast path of a stream: most chunks differ from the one before only in a few words of text, reasoning or
 * arguments. Once a chunk was parsed and found to be plain, the JSON before and after its text is kept; a later chunk
 * with the same two ends is the same JSON with other text, so the text is read without parsing the rest again.
 * Everything else is parsed.
 */
export type PlainChunks = {
  /** The text of a chunk known to be plain; null if it must be parsed. */
  wordsOf(data: string): string | null;
  /** The text last read, escaped as in the JSON. */
  readonly raw: string;
  /** The padding of the chunk last read, which hides the length of its text; empty if it had none. */
  readonly padding: string;
  /**
   * Learns from a chunk that had to be parsed. Returns the same chunk with PROBE as its text, or null if there was
   * nothing to learn. `emitted` is the text of its event: text that is not in an event yet waits for something, and so
   * would PROBE.
   */
  learn(data: string, chunk: unknown, emitted: string): WireChunk | null;
  /** Drops what was learned last: it no longer holds. */
  forget(): void;
};

/** A stream whose chunks all look different is not worth learning from: each attempt costs a parse. */
const MAX_LESSONS = 8;
/** This many chunks on the fast path earn a stream another attempt. */
const CHUNKS_PER_LESSON = 16;
/** Replaces the text of a chunk, to check that it is what was found. */
export const PROBE = "\u2042probe\u2042";
/** The same for padding, which is different in every chunk. */
export const PAD_PROBE = "\u2042pad\u2042";
const PADDING = "obfuscation";
const NEEDS_PARSING = /["\\\p{Cc}]/u;

/** The JSON around the text; `tail` follows the padding, null without padding. */
type Around = { readonly before: string; readonly after: string; readonly tail: string | null };

export function createPlainChunks(): PlainChunks {
  let around: Around | null = null;
  let raw = "";
  let padding = "";
  let lessons = MAX_LESSONS;
  let shortReads = 0;

  /** Where the text ends; -1 if the chunk has another form. */
  function endOfWords(data: string, { after, tail }: Around): number {
    padding = "";
    if (tail === null) return data.endsWith(after) ? data.length - after.length : -1;
    if (!data.endsWith(tail)) return -1;
    const at = data.lastIndexOf(after);
    if (at < 0) return -1;
    padding = data.slice(at + after.length, data.length - tail.length);
    return NEEDS_PARSING.test(padding) ? -1 : at;
  }

  return {
    get raw() {
      return raw;
    },
    get padding() {
      return padding;
    },
    wordsOf(data) {
      if (around === null || !data.startsWith(around.before)) return null;
      const start = around.before.length;
      const end = endOfWords(data, around);
      if (end <= start) return null;
      raw = data.slice(start, end);
      const words = NEEDS_PARSING.test(raw) ? unescaped(raw) : raw;
      if (words !== null) shortReads++;
      return words;
    },
    learn(data, chunk, emitted) {
      if (lessons + shortReads / CHUNKS_PER_LESSON < 1) return null;
      const plain = plainWordsOf(chunk);
      if (plain === null || plain.words !== emitted) return null;
      lessons--;
      const found = aroundWords(data, plain, (chunk as WireChunk)[PADDING]);
      const probe = found === null ? null : probeOf(found, plain.name);
      if (probe !== null) around = found;
      return probe;
    },
    forget() {
      around = null;
    },
  };
}

function aroundWords(data: string, { name, words }: PlainWords, padding: unknown): Around | null {
  const quoted = JSON.stringify(words);
  const at = data.indexOf(quoted, data.indexOf(`"${name}"`) + name.length + 2);
  if (at < 0) return null;
  const before = data.slice(0, at + 1);
  const after = data.slice(at + quoted.length - 1);
  if (typeof padding !== "string") return { before, after, tail: null };
  const mark = `"${PADDING}":"`;
  const start = after.indexOf(`${mark}${padding}"`) + mark.length;
  if (start < mark.length) return { before, after, tail: null };
  return { before, after: after.slice(0, start), tail: after.slice(start + padding.length) };
}

/** Null if `raw` is not the inside of one JSON string: then the text ends earlier than it seemed. */
function unescaped(raw: string): string | null {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return null;
  }
}

/** Null if the replaced text was not the chunk's text, but merely looked the same. */
function probeOf({ before, after, tail }: Around, name: string): WireChunk | null {
  try {
    const end = tail === null ? after : `${after}${PAD_PROBE}${tail}`;
    const chunk = JSON.parse(`${before}${PROBE}${end}`);
    const plain = plainWordsOf(chunk);
    const isPadded = tail === null || chunk[PADDING] === PAD_PROBE;
    return isPadded && plain?.words === PROBE && plain.name === name ? chunk : null;
  } catch {
    return null;
  }
}

type PlainWords = { readonly name: string; readonly words: string };

const WORDY = ["content", "reasoning_content", "reasoning"] as const;

/** The text of a chunk that contains nothing else: no end, no usage, no error, no second answer. */
function plainWordsOf(chunk: unknown): PlainWords | null {
  const { choices, usage, error, x_groq } = chunk as WireChunk;
  if (usage || error || x_groq || !Array.isArray(choices) || choices.length !== 1) return null;
  const choice: WireChoice | null | undefined = choices[0];
  if (!choice || (choice.index !== undefined && choice.index !== 0)) return null;
  const { delta } = choice;
  if (!delta || choice.finish_reason || choice.logprobs || choice.usage || choice.error) return null;
  if (delta.reasoning_details || delta.refusal || delta.function_call) return null;
  const said = WORDY.filter((name) => delta[name]);
  const [name] = said;
  const { tool_calls: calls } = delta;
  const isCalling = Array.isArray(calls) ? calls.length > 0 : Boolean(calls);
  if (isCalling) return said.length === 0 ? plainArgumentsOf(calls) : null;
  const words = name === undefined || said.length > 1 ? null : delta[name];
  return name !== undefined && typeof words === "string" ? { name, words } : null;
}

/** A piece of the arguments of a call that has already begun. */
function plainArgumentsOf(fragments: unknown): PlainWords | null {
  const fragment = Array.isArray(fragments) && fragments.length === 1 ? fragments[0] : null;
  if (typeof fragment?.index !== "number" || fragment.id || fragment.custom || fragment.extra_content)
    return null;
  const { name, arguments: words } = fragment.function ?? {};
  return !name && typeof words === "string" && words !== "" ? { name: "arguments", words } : null;
}
