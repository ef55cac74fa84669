import type { CharacterSet, PatternNode } from "./pattern-node.ts";

const MAX_DEPTH = 20;
const MAX_PATTERN_CHARACTERS = 4000;

const PRINTABLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
/** Where samples are looked for if no printable one fits: white space, then every twelfth of most scripts. */
const FURTHER = [
  ..." \t\n",
  ...Array.from({ length: 10_000 }, (_, at) => String.fromCodePoint(0xa0 + at * 12)),
];
const MAX_FURTHER = 8;

const REPEAT = /^(?:([*+?])|\{(\d{1,4})(,(\d{0,4}))?\})\??/;
/** One character or a class of characters. */
const CLASS =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{\w{1,40}(?:=\w{1,40})?\}|\\u\{[\da-f]{1,6}\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[^bBk1-9]|[^*+?()|\\])/isu;

const CODE = /\\(?:u\{?|x)([\da-f]{1,5})\}?/gi;

class Unsupported extends Error {}

/** Undefined if it is broken, or uses a back-reference or a look-behind. */
export function parsePattern(pattern: string): PatternNode | undefined {
  if (pattern.length > MAX_PATTERN_CHARACTERS) return undefined;
  let at = 0;
  let depth = 0;

  function take(shape: RegExp): RegExpExecArray | undefined {
    const found = shape.exec(pattern.slice(at));
    at += found?.[0].length ?? 0;
    return found ?? undefined;
  }

  function choice(): PatternNode {
    if (++depth > MAX_DEPTH) throw new Unsupported();
    const branches = [sequence()];
    while (take(/^\|/)) branches.push(sequence());
    depth--;
    return { kind: "choice", branches };
  }

  function sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (at < pattern.length && !"|)".includes(pattern[at] ?? "")) items.push(repeated(atom()));
    return { kind: "sequence", items };
  }

  function repeated(item: PatternNode): PatternNode {
    const found = take(REPEAT);
    if (found === undefined) return item;
    const [, sign, low = "", isOpen, high = ""] = found;
    if (sign !== undefined) {
      return {
        kind: "repeat",
        item,
        low: sign === "+" ? 1 : 0,
        high: sign === "?" ? 1 : Number.POSITIVE_INFINITY,
      };
    }
    const most = isOpen === undefined ? Number(low) : high === "" ? Number.POSITIVE_INFINITY : Number(high);
    return { kind: "repeat", item, low: Number(low), high: most };
  }

  function atom(): PatternNode {
    const edge = take(/^(?:([\^$])|\\([bB]))/);
    if (edge !== undefined) return { kind: "edge", edge: (edge[1] ?? edge[2]) as "^" };
    const group = take(/^\((?:\?(?:([=!])|:|P?<[A-Za-z_$][\w$]{0,60}>))?/);
    if (group !== undefined) {
      const item = choice();
      if (take(/^\)/) === undefined) throw new Unsupported();
      return group[1] === undefined ? item : { kind: "ahead", item, isNegated: group[1] === "!" };
    }
    const written = take(CLASS)?.[0];
    if (written === undefined) throw new Unsupported();
    return { kind: "character", set: setOf(written) };
  }

  try {
    const node = choice();
    return at === pattern.length ? node : undefined;
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Cleared when it is full. */
const sets = new Map<string, CharacterSet>();
const MAX_SETS = 1000;

/** The runtime tests a single character against the class, which cannot take long. */
function setOf(written: string): CharacterSet {
  const known = sets.get(written);
  if (known !== undefined) return known;
  const shape = compiled(written);
  const has = (character: string) => shape.test(character);
  const plain = PRINTABLE.filter(has);
  const named = written.replace(CODE, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  const samples = plain.length > 0 ? plain : [...named, ...FURTHER].filter(has).slice(0, MAX_FURTHER);
  const set = { has, samples };
  if (sets.size >= MAX_SETS) sets.clear();
  sets.set(written, set);
  return set;
}

function compiled(written: string): RegExp {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(`^${written}$`, flags);
    } catch {}
  }
  throw new Unsupported();
}
