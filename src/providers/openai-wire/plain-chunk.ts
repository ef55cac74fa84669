import type { WireChoice, WireChunk } from "./wire-chunk.ts";

/**
 * Most chunks of a stream differ from the one before in nothing but a few words of text. Once a chunk was
 * parsed and found plain, what stands before and after its words is kept; a later chunk between the same
 * two ends, with words that need no escape, is the same JSON with other words, so its words are read
 * without parsing the rest again. Everything else is parsed.
 */
export type PlainChunks = {
  /** The words of a chunk known to be plain; null where it must be parsed. */
  wordsOf(data: string): string | null;
  /** Looks at a chunk that had to be parsed. */
  learn(data: string, chunk: unknown): void;
};

/** A stream whose every chunk looks different is not worth learning from: each attempt costs a parse. */
const MAX_LESSONS = 8;
/** Attempts that a stream earns back by this many chunks read the short way. */
const CHUNKS_PER_LESSON = 16;
/** Stands in for the words to see that they are what the chunk is about. */
const PROBE = "\u2042probe\u2042";
const NEEDS_PARSING = /["\\\p{Cc}]/u;

export function createPlainChunks(): PlainChunks {
  let before = "";
  let after = "";
  let lessons = MAX_LESSONS;
  let shortReads = 0;

  return {
    wordsOf(data) {
      const words = data.length - before.length - after.length;
      if (words <= 0 || before === "" || !data.startsWith(before) || !data.endsWith(after)) return null;
      const text = data.slice(before.length, data.length - after.length);
      if (NEEDS_PARSING.test(text)) return null;
      shortReads++;
      return text;
    },
    learn(data, chunk) {
      if (lessons + shortReads / CHUNKS_PER_LESSON < 1) return;
      const words = plainWordsOf(chunk);
      if (words === null) return;
      lessons--;
      const at = data.indexOf(`"${words}"`, data.indexOf('"content"') + '"content"'.length);
      const start = data.slice(0, at + 1);
      const end = data.slice(at + 1 + words.length);
      if (at < 0 || !isAbout(start, end)) return;
      before = start;
      after = end;
    },
  };
}

/** Whether what stands between the two is the chunk's text, and not something that merely looks like it. */
function isAbout(start: string, end: string): boolean {
  try {
    return plainWordsOf(JSON.parse(`${start}${PROBE}${end}`)) === PROBE;
  } catch {
    return false;
  }
}

/** The text of a chunk that says nothing else: no end, no usage, no error, no second answer. */
function plainWordsOf(chunk: unknown): string | null {
  const { choices, usage, error, x_groq } = chunk as WireChunk;
  if (usage || error || x_groq || !Array.isArray(choices) || choices.length !== 1) return null;
  const choice: WireChoice | null | undefined = choices[0];
  if (!choice || (choice.index !== undefined && choice.index !== 0)) return null;
  const { delta } = choice;
  if (!delta || choice.finish_reason || choice.logprobs || choice.usage || choice.error) return null;
  if (delta.reasoning_content || delta.reasoning || delta.reasoning_details) return null;
  if (delta.refusal || delta.tool_calls || delta.function_call) return null;
  const { content } = delta;
  return typeof content === "string" && content !== "" && !NEEDS_PARSING.test(content) ? content : null;
}
