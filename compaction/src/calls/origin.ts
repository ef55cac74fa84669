import type { ChatMessage, ToolCall } from "../message.ts";

/**
 * How references name a text, in terms that the model knows: a tool and an argument, or a role. Computed when needed,
 * since a name may become ambiguous later.
 */
export type Label = (this: void) => string;

type Origins = {
  ofToolResult(call: ToolCall | undefined): Label;
  ofArguments(call: ToolCall): Label;
  ofMessage(role: Exclude<ChatMessage["role"], "tool">): Label;
};

export function nameOfFence(text: Label, { index, count }: { index: number; count: number }): Label {
  return () => `fence ${count === 1 ? "" : `${index + 1} `}of ${text()}`;
}

export function createOrigins(): Origins {
  const counts = new Map<string, { count: number }>();
  /** Each call is named twice: for its arguments and for its result. */
  const names = new Map<ToolCall, string>();
  /** The count of the text that is being read; it grows only with the next text, since nothing refers to itself. */
  let current = { count: 0 };

  /** Texts with the same name are numbered, if there is more than one so far. */
  function label(name: string): Label {
    const counted = counts.get(name) ?? { count: 0 };
    counts.set(name, counted);
    current.count++;
    current = counted;
    const number = counted.count + 1;
    return () => (number === 1 && counted.count < 2 ? name : `${name} #${number}`);
  }

  function nameOfCall(call: ToolCall): string {
    const name = names.get(call) ?? nameOf(call);
    names.set(call, name);
    return name;
  }

  return {
    ofToolResult: (call) => label(call === undefined ? "tool result" : nameOfCall(call)),
    ofArguments: (call) => label(`call ${nameOfCall(call)}`),
    ofMessage: (role) => label(`${role} message`),
  };
}

/** The beginning of the arguments is searched for what the call is about. */
const MOST_READ = 2_000;
/** A key with a text, a list of texts, or a number; the last may be cut. */
const MEMBER =
  /"([^"\\]{1,64})"\s{0,9}:\s{0,9}(?:"((?:[^"\\]|\\.)*)|\[\s{0,9}"((?:[^"\\\]]|\\.|"\s{0,9},\s{0,9}")*)|(-?\d[\d.]{0,20}))/g;
/** What a call searches for, what it is about, and what it runs, in this order. */
const TELLING = [
  /query|regex|(?<!(?:file|path|glob|include|exclude|ignore)s?[_-]?)pattern/i,
  /path|(?<!pro)file|url/i,
  /command|cmd|(?<!de)script/i,
];
/** Longer arguments are shortened in their middle, to fewer characters than are shown of any other in full. */
const MOST_SHOWN = 64;
const HEAD = 32;
const TAIL = MOST_SHOWN - HEAD;
const BACKSLASH = 92;
/** An escape, and one more that it may be taken for the end of. */
const LONGEST_LETTER = 12;
const BREAK = /[\n\r]\s*/g;

/**
 * The argument by which the model will recognize a call, as it wrote it, still escaped. Two arguments with the same
 * short form have the same name, and are numbered.
 */
function nameOf({ name, arguments: json }: ToolCall): string {
  let best = "";
  let rank = TELLING.length + 1;
  for (const [, key = "", text, list, number] of json.slice(0, MOST_READ).matchAll(MEMBER)) {
    const found = TELLING.findIndex((telling) => telling.test(key));
    const value = text ?? list;
    const own = value === undefined ? TELLING.length + 0.5 : found < 0 ? TELLING.length : found;
    if (own >= rank || (value ?? number) === "") continue;
    best = value === undefined ? (number ?? "") : `"${shorten(value.replaceAll(BREAK, " "))}"`;
    rank = own;
  }
  return best === "" ? name : `${name} ${best}`;
}

/** Never between the halves of an escape or of a surrogate pair. */
function shorten(value: string): string {
  if (value.length <= MOST_SHOWN) return value;
  const letters = /(?:\\u[0-9a-f]{4}|\\.|[\ud800-\udbff][\udc00-\udfff]|[\s\S])/giy;
  let head = 0;
  for (letters.lastIndex = 0; letters.test(value) && letters.lastIndex <= HEAD; ) head = letters.lastIndex;
  let tail = value.length - TAIL;
  // From a bit before, where a letter begins.
  let from = tail - LONGEST_LETTER;
  while (from > head && value.charCodeAt(from - 1) === BACKSLASH) from--;
  letters.lastIndex = Math.max(head, from);
  while (letters.lastIndex < tail && letters.test(value));
  tail = Math.max(tail, letters.lastIndex);
  return `${value.slice(0, head)}…${value.slice(tail)}`;
}
