/** The characters allowed at one position: a test, and samples that pass it. */
export type CharacterSet = {
  readonly has: (character: string) => boolean;
  readonly samples: readonly string[];
};

/** Enough choice from a wide range. */
const MAX_SAMPLES = 256;
const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
/** Beyond ASCII, a sample of each kind that property classes ask for. */
const FOREIGN = [..."éÉßñÑøλΛжЖ中日本あア한अع٣½«»€ª"];

function setWhere(has: (character: string) => boolean): CharacterSet {
  const plain = PRINTABLE.filter(has);
  return { has, samples: plain.length > 0 ? plain : FOREIGN.filter(has) };
}

const DIGIT = setWhere((character) => /^\d$/.test(character));
const WORD = setWhere((character) => /^\w$/.test(character));
const SPACE = setWhere((character) => /^\s$/.test(character));

/** No space among the samples: a text of spaces looks empty. */
export const ANY_BUT_BREAKS: CharacterSet = {
  has: (character) => !/^[\n\r\u2028\u2029]$/.test(character),
  samples: PRINTABLE.slice(1),
};

export const NAMED_SETS: Readonly<Record<string, CharacterSet>> = {
  d: DIGIT,
  D: outsideOf(DIGIT),
  w: WORD,
  W: outsideOf(WORD),
  s: SPACE,
  S: outsideOf(SPACE),
};

export function outsideOf(set: CharacterSet): CharacterSet {
  return setWhere((character) => !set.has(character));
}

export function oneCharacter(text: string): CharacterSet {
  return { has: (character) => character === text, samples: [text] };
}

export function rangeOf(low: string, high: string): CharacterSet {
  const [from, to] = [low.codePointAt(0) ?? 0, high.codePointAt(0) ?? 0];
  const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;
  const codes = Array.from(
    { length: Math.min(Math.max(0, to - from + 1), MAX_SAMPLES) },
    (_, at) => from + at,
  );
  return {
    has: (character) => {
      const code = character.codePointAt(0) ?? -1;
      return code >= from && code <= to;
    },
    samples: codes.filter((code) => !isSurrogate(code)).map((code) => String.fromCodePoint(code)),
  };
}

export function anyOf(sets: readonly CharacterSet[]): CharacterSet {
  const [only] = sets;
  if (only !== undefined && sets.length === 1) return only;
  return {
    has: (character) => sets.some((set) => set.has(character)),
    samples: [...new Set(sets.flatMap((set) => set.samples))].slice(0, MAX_SAMPLES),
  };
}

/** Step between tested characters: no script is smaller. */
const SCAN_STEP = 12;
const [SCAN_FROM, SCAN_TO] = [0xa0, 0x1fbff];
const MAX_SCANNED = 8;
/** Cache; the number of properties is limited. */
const PROPERTIES = new Map<string, CharacterSet>();

function scanned(has: (character: string) => boolean): string[] {
  const found: string[] = [];
  for (let code = SCAN_FROM; code <= SCAN_TO && found.length < MAX_SCANNED; code += SCAN_STEP) {
    const character = String.fromCodePoint(code);
    if (has(character)) found.push(character);
  }
  return found;
}

/** `\p{Lu}`: only the validated name goes into our own expression, which tests a single character. */
export function propertySet(name: string, isNegated: boolean): CharacterSet | undefined {
  if (!/^\w{1,40}(?:=\w{1,40})?$/.test(name)) return undefined;
  const source = `^\\${isNegated ? "P" : "p"}{${name}}$`;
  try {
    const known = PROPERTIES.get(source);
    if (known !== undefined) return known;
    const property = new RegExp(source, "u");
    const set = setWhere((character) => property.test(character));
    const found = set.samples.length > 0 ? set : { ...set, samples: scanned(set.has) };
    PROPERTIES.set(source, found);
    return found;
  } catch {
    return undefined;
  }
}
