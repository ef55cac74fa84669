/** A regular expression as what it can make: only the first of several branches is kept. */
export type PatternNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "set"; readonly characters: string }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly item: PatternNode; readonly low: number; readonly high: number };

const MAX_DEPTH = 20;
const MAX_PATTERN_CHARACTERS = 1000;

class Unsupported extends Error {}

type Cursor = { readonly pattern: string; at: number; depth: number };

const DIGITS = "0123456789";
const SETS: Readonly<Record<string, string>> = {
  d: DIGITS,
  w: printable((character) => /\w/.test(character)),
  s: " ",
  D: printable((character) => !/\d/.test(character)),
  W: printable((character) => !/\w/.test(character)),
  S: printable((character) => character !== " "),
};
const CONTROL: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v" };

function printable(keep: (character: string) => boolean): string {
  return Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
    .filter(keep)
    .join("");
}

/** Undefined for what we cannot build from: look-arounds, back references, property classes, nonsense. */
export function parsePattern(pattern: string): PatternNode | undefined {
  if (pattern.length > MAX_PATTERN_CHARACTERS) return undefined;
  const cursor: Cursor = { pattern, at: 0, depth: 0 };
  try {
    const node = branches(cursor);
    return cursor.at === pattern.length ? node : undefined;
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

function branches(cursor: Cursor): PatternNode {
  if (++cursor.depth > MAX_DEPTH) fail();
  const first = sequence(cursor);
  while (cursor.pattern[cursor.at] === "|") {
    cursor.at++;
    sequence(cursor);
  }
  cursor.depth--;
  return first;
}

function sequence(cursor: Cursor): PatternNode {
  const items: PatternNode[] = [];
  for (let next = cursor.pattern[cursor.at]; next !== undefined; next = cursor.pattern[cursor.at]) {
    if (next === "|" || next === ")") break;
    items.push(repeated(cursor, atom(cursor)));
  }
  return { kind: "sequence", items };
}

function repeated(cursor: Cursor, item: PatternNode): PatternNode {
  const { pattern } = cursor;
  const written = /^(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})\??/.exec(
    pattern.slice(cursor.at, cursor.at + 13),
  )?.[0];
  if (written === undefined) return item;
  cursor.at += written.length;
  if (written[0] === "*") return { kind: "repeat", item, low: 0, high: Number.POSITIVE_INFINITY };
  if (written[0] === "+") return { kind: "repeat", item, low: 1, high: Number.POSITIVE_INFINITY };
  if (written[0] === "?") return { kind: "repeat", item, low: 0, high: 1 };
  const [low = "", high = low] = written.replace(/[{}?]/g, "").split(",");
  return {
    kind: "repeat",
    item,
    low: Number(low),
    high: high === "" ? Number.POSITIVE_INFINITY : Number(high),
  };
}

function atom(cursor: Cursor): PatternNode {
  const character = cursor.pattern[cursor.at++] ?? fail();
  if (character === "^" || character === "$") return { kind: "text", text: "" };
  if (character === ".") return { kind: "set", characters: SETS["S"] ?? fail() };
  if (character === "(") return group(cursor);
  if (character === "[") return { kind: "set", characters: characterClass(cursor) };
  if (character === "\\") return escaped(cursor);
  return "*+?".includes(character) ? fail() : { kind: "text", text: character };
}

function group(cursor: Cursor): PatternNode {
  const { pattern } = cursor;
  if (pattern[cursor.at] === "?") {
    const opening =
      /^\?(?::|<[A-Za-z]\w{0,60}>)/.exec(pattern.slice(cursor.at, cursor.at + 80))?.[0] ?? fail();
    cursor.at += opening.length;
  }
  const node = branches(cursor);
  return pattern[cursor.at++] === ")" ? node : fail();
}

function escaped(cursor: Cursor): PatternNode {
  const character = cursor.pattern[cursor.at++] ?? fail();
  if (character === "b" || character === "B") return { kind: "text", text: "" };
  const characters = SETS[character];
  if (characters !== undefined) return { kind: "set", characters };
  if (character === "u") return { kind: "text", text: codeUnit(cursor, 4) };
  if (character === "x") return { kind: "text", text: codeUnit(cursor, 2) };
  const text = CONTROL[character] ?? (/[A-Za-z0-9]/.test(character) ? fail() : character);
  return { kind: "text", text };
}

function codeUnit(cursor: Cursor, digits: number): string {
  const hex = cursor.pattern.slice(cursor.at, cursor.at + digits);
  if (hex.length !== digits || !/^[\da-f]+$/i.test(hex)) fail();
  cursor.at += digits;
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function characterClass(cursor: Cursor): string {
  const { pattern } = cursor;
  const isNegated = pattern[cursor.at] === "^";
  if (isNegated) cursor.at++;
  let characters = "";
  while (pattern[cursor.at] !== "]") {
    const member = classMember(cursor);
    const isRange = member.length === 1 && pattern[cursor.at] === "-" && pattern[cursor.at + 1] !== "]";
    if (isRange) cursor.at++;
    characters += isRange ? between(member, classMember(cursor)) : member;
  }
  cursor.at++;
  const chosen = isNegated ? printable((character) => !characters.includes(character)) : characters;
  return chosen === "" ? fail() : chosen;
}

function classMember(cursor: Cursor): string {
  const character = cursor.pattern[cursor.at++] ?? fail();
  if (character !== "\\") return character;
  const node = escaped(cursor);
  return node.kind === "set" ? node.characters : node.kind === "text" ? node.text : fail();
}

/** The first 256 of a wide range are choice enough. */
function between(low: string, high: string): string {
  const from = low.charCodeAt(0);
  const count = Math.min(high.charCodeAt(0) - from + 1, 256);
  return Array.from({ length: Math.max(0, count) }, (_, at) => String.fromCharCode(from + at)).join("");
}

function fail(): never {
  throw new Unsupported();
}
