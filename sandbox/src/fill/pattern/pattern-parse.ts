import type { PatternNode } from "./pattern-node.ts";
import {
  ANY_BUT_BREAKS,
  anyOf,
  type CharacterSet,
  NAMED_SETS,
  oneCharacter,
  outsideOf,
  propertySet,
  rangeOf,
} from "./pattern-set.ts";

const MAX_DEPTH = 20;
const MAX_PATTERN_CHARACTERS = 4000;

class Unsupported extends Error {}

type Cursor = { readonly pattern: string; at: number; depth: number; groups: number };

const CONTROL: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", 0: "\0" };

/** Undefined if it is invalid or uses unsupported syntax. */
export function parsePattern(pattern: string): PatternNode | undefined {
  if (pattern.length > MAX_PATTERN_CHARACTERS) return undefined;
  const cursor: Cursor = { pattern, at: 0, depth: 0, groups: 0 };
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
  const all = [first];
  while (cursor.pattern[cursor.at] === "|") {
    cursor.at++;
    all.push(sequence(cursor));
  }
  cursor.depth--;
  return all.length === 1 ? first : { kind: "choice", branches: all };
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
  const written = /^(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})\??/.exec(
    cursor.pattern.slice(cursor.at, cursor.at + 13),
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
  const character = takeCharacter(cursor);
  if (character === "^") return { kind: "edge", edge: "start" };
  if (character === "$") return { kind: "edge", edge: "end" };
  if (character === ".") return { kind: "character", set: ANY_BUT_BREAKS };
  if (character === "(") return group(cursor);
  if (character === "[") return { kind: "character", set: characterClass(cursor) };
  if (character === "\\") return escaped(cursor);
  if ("*+?".includes(character)) fail();
  return { kind: "character", set: oneCharacter(character) };
}

function takeCharacter(cursor: Cursor): string {
  const code = cursor.pattern.codePointAt(cursor.at) ?? fail();
  const character = String.fromCodePoint(code);
  cursor.at += character.length;
  return character;
}

function take(cursor: Cursor, shape: RegExp): RegExpExecArray | undefined {
  const found = shape.exec(cursor.pattern.slice(cursor.at, cursor.at + 100));
  if (found === null) return undefined;
  cursor.at += found[0].length;
  return found;
}

function group(cursor: Cursor): PatternNode {
  const look = take(cursor, /^\?(<?)([=!])/);
  const named = look === undefined ? take(cursor, /^\?P?<([A-Za-z_$][\w$]{0,60})>/) : undefined;
  // Flags are ignored: a case-insensitive group accepts more, but also what is written.
  const isPlain = look !== undefined || take(cursor, /^\?[ims]{0,3}:/) !== undefined;
  const name = named?.[1] ?? (isPlain ? "" : String(++cursor.groups));
  if (named !== undefined) cursor.groups++;
  const item = branches(cursor);
  if (cursor.pattern[cursor.at++] !== ")") fail();
  if (look !== undefined) return { kind: "look", item, isAhead: look[1] === "", isNegated: look[2] === "!" };
  return name === "" ? item : { kind: "group", item, name };
}

function escaped(cursor: Cursor): PatternNode {
  const next = cursor.pattern[cursor.at];
  if (next === "b" || next === "B") {
    cursor.at++;
    return { kind: "edge", edge: next === "b" ? "boundary" : "no boundary" };
  }
  const again = take(cursor, /^(?:([1-9]\d?)|k<([A-Za-z_$][\w$]{0,60})>)/);
  if (again !== undefined) return { kind: "again", name: again[1] ?? again[2] ?? fail() };
  return { kind: "character", set: escapedSet(cursor) };
}

/** Escapes that are valid inside a character class as well as outside. */
function escapedSet(cursor: Cursor): CharacterSet {
  const property = take(cursor, /^([pP])\{([^}]{1,90})\}/);
  if (property !== undefined) return propertySet(property[2] ?? "", property[1] === "P") ?? fail();
  const code = take(cursor, /^(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/i);
  if (code !== undefined) {
    const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16);
    return point > 0x10ffff ? fail() : oneCharacter(String.fromCodePoint(point));
  }
  const control = take(cursor, /^c([A-Za-z])/);
  if (control !== undefined) return oneCharacter(String.fromCharCode((control[1] ?? "").charCodeAt(0) % 32));
  const character = takeCharacter(cursor);
  const named = NAMED_SETS[character];
  if (named !== undefined) return named;
  return oneCharacter(CONTROL[character] ?? (/[A-Za-z0-9]/.test(character) ? fail() : character));
}

function characterClass(cursor: Cursor): CharacterSet {
  const { pattern } = cursor;
  const isNegated = pattern[cursor.at] === "^";
  if (isNegated) cursor.at++;
  const sets: CharacterSet[] = [];
  while (pattern[cursor.at] !== "]") {
    const member = classMember(cursor);
    const isRange = pattern[cursor.at] === "-" && pattern[cursor.at + 1] !== "]";
    const [low] = member.samples;
    if (!isRange || member.samples.length !== 1 || low === undefined) {
      sets.push(member);
      continue;
    }
    cursor.at++;
    const [high, ...others] = classMember(cursor).samples;
    sets.push(high === undefined || others.length > 0 ? fail() : rangeOf(low, high));
  }
  cursor.at++;
  const chosen = isNegated ? outsideOf(anyOf(sets)) : anyOf(sets);
  return chosen.samples.length === 0 ? fail() : chosen;
}

function classMember(cursor: Cursor): CharacterSet {
  const character = takeCharacter(cursor);
  if (character !== "\\") return oneCharacter(character);
  if (cursor.pattern[cursor.at] !== "b") return escapedSet(cursor);
  cursor.at++;
  return oneCharacter("\b");
}

function fail(): never {
  throw new Unsupported();
}
