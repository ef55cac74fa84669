import type { Rgb } from "../colour.ts";
import type { Look, WantedSubject } from "./brief.ts";
import type { Meaning } from "./meaning.ts";
import type { Reading, Saying } from "./read-words.ts";

const MAX_SUBJECTS = 3;
const MAX_OF_ONE = 24;
/**
 * A larger number counts only plurals, and only directly before them or their colour: not `two 14 inch pizzas` or `18
 * year old men`.
 */
const MAX_OF_ANY = 12;
/** Words with an irregular plural: the same word or, like `people`, without a plural ending. */
const SAME_IN_PLURAL: ReadonlySet<string> = new Set(["sheep", "deer", "fish", "person"]);
const PLURAL_COUNT = 3;
/** `red sports car`, `blue and white bird`: words between a colour and its object. */
const COLOUR_REACH_WORDS = 3;

/** They describe a person: two men are two figures, whereas flowers are only scattered over the picture. */
const LOOKS: ReadonlySet<string> = new Set<Look>(["man", "beard", "glasses", "hair"]);
const GROWING: ReadonlySet<string> = new Set(["trees", "grass", "leaves", "flowers"]);

/** `smaller`: the number before it, in case this one counts nothing. */
type Count = {
  readonly value: number;
  readonly at: number;
  readonly end: number;
  readonly isExact: boolean;
  readonly smaller: Count | null;
};

type ReadSubjects = {
  readonly figures: readonly WantedSubject[];
  /** Colours of the picture as a whole. */
  readonly freeColours: readonly Rgb[];
  /** `green hills`, `pink trees`: the colour of plants and ground. */
  readonly landColour: Rgb | null;
  /** `red hair`, `a black beard`. */
  readonly hairColour: Rgb | null;
  /** `five birds`. */
  readonly birds: number | null;
  readonly counted: ReadonlySet<string>;
};

/** A portrait shows a person if nothing else is named. */
export function readSubjects(
  { said }: Reading,
  unwanted: ReadonlySet<string>,
  isPortrait: boolean,
): ReadSubjects {
  const figures = new Map<string, WantedSubject>();
  const freeColours: Rgb[] = [];
  const phrases: CountedPhrase[] = [];
  let landColour: Rgb | null = null;
  let hairColour: Rgb | null = null;
  let birds: number | null = null;
  let colour: { value: Rgb; at: number; end: number } | null = null;
  let count: Count | null = null;
  for (const { meanings, at, end, isPlural } of said) {
    const named = meanings.find((meaning) => meaning.kind === "subject");
    const shade = meanings.find((meaning) => meaning.kind === "colour");
    const number = meanings.find((meaning) => meaning.kind === "count");
    if (number !== undefined) count = countOf(number, { at, end }, count);
    if (shade !== undefined) {
      if (colour !== null) freeColours.push(colour.value);
      colour = { value: shade.value, at, end };
    }
    const isOwn: boolean = colour !== null && at - colour.at <= COLOUR_REACH_WORDS;
    const isOfMany = isPlural || SAME_IN_PLURAL.has(named?.value ?? "");
    if (shade === undefined && number === undefined) count = countFor(count, { at, isOfMany, colour });
    const isCounted: boolean = count !== null && at - count.end < COLOUR_REACH_WORDS;
    const says = (extra: string) => meanings.some(({ kind, value }) => kind === "extra" && value === extra);
    const isFlock = says("birds") && isPlural;
    const isNumbered: boolean = isCounted && count?.isExact === true && named !== undefined && !isFlock;
    const isLand = meanings.some(
      ({ kind, value }) => kind === "setting" || (kind === "extra" && GROWING.has(value)),
    );
    if (isLand && !isNumbered && isOwn && colour !== null && colour.at < at) {
      landColour ??= colour.value;
      colour = null;
    }
    if ((says("hair") || says("beard")) && named === undefined && isOwn && colour !== null) {
      hairColour ??= colour.value;
      colour = null;
    }
    if (isFlock && isCounted) birds ??= count?.value ?? null;
    // Plural `flowers` and `birds` are scattered over the picture; a single one is a figure, and so are counted ones.
    const isStrewn = isPlural && !isNumbered && meanings.some(isStrewing);
    // `two hills with cats`: the number belonged to the hills.
    if (isPlural && isCounted && (isStrewn || named === undefined)) count = null;
    if (isStrewn || named === undefined || unwanted.has(named.value)) continue;
    const own = isOwn ? (colour?.value ?? null) : null;
    // "A white horse next to a black horse" are two; named again without a colour, it is the same one.
    const before = figures.get(named.value);
    const isAnother = before?.colour != null && own !== null && String(before.colour) !== String(own);
    if (before !== undefined && !isAnother) continue;
    if (figures.size >= MAX_SUBJECTS) continue;
    figures.set(isAnother ? `${named.value} ${own}` : named.value, {
      name: named.value,
      colour: own,
      count: Math.min(MAX_OF_ONE, isCounted ? (count?.value ?? 1) : isPlural ? PLURAL_COUNT : 1),
    });
    if (isNumbered) phrases.push({ from: count?.at ?? at, to: at, name: named.value });
    if (isOwn) colour = null;
    count = null;
  }
  if (colour !== null) freeColours.push(colour.value);
  if (figures.size === 0 && isPortrait && !unwanted.has("person")) {
    figures.set("person", { name: "person", colour: null, count: 1 });
  }
  const counted = countedIn(said, phrases);
  return { figures: [...figures.values()], freeColours, landColour, hairColour, birds, counted };
}

function countOf(
  { value, isVague }: { readonly value: number; readonly isVague?: boolean },
  { at, end }: Pick<Saying, "at" | "end">,
  before: Count | null,
): Count {
  const smaller = before !== null && before.value <= MAX_OF_ANY ? before : null;
  return { value, at, end, isExact: isVague !== true, smaller };
}

/** The number that may belong to this word. */
function countFor(
  count: Count | null,
  thing: {
    readonly at: number;
    readonly isOfMany: boolean;
    readonly colour: Pick<Saying, "at" | "end"> | null;
  },
): Count | null {
  if (count === null || count.value <= MAX_OF_ANY) return count;
  const { at, isOfMany, colour } = thing;
  const isBeside = at === count.end || (colour?.at === count.end && at === colour.end);
  return isOfMany && isBeside ? count : count.smaller;
}

function isStrewing({ kind, value }: Meaning): boolean {
  return kind === "extra" && !LOOKS.has(String(value));
}

/** `three fir trees`, from the number to the object, as word indexes. */
type CountedPhrase = { readonly from: number; readonly to: number; readonly name: string };

/**
 * The counted subjects, and the extras that their words would scatter, unless other words ask for those: a forest has
 * its own trees.
 */
function countedIn(said: readonly Saying[], phrases: readonly CountedPhrase[]): ReadonlySet<string> {
  const isInside = ({ at }: Saying) => phrases.some(({ from, to }) => from <= at && at <= to);
  const strewn = (sayings: readonly Saying[]) =>
    sayings.flatMap(({ meanings }) => meanings.filter(isStrewing).map(({ value }) => String(value)));
  const elsewhere = new Set(strewn(said.filter((saying) => !isInside(saying))));
  const inside = strewn(said.filter(isInside)).filter((extra) => !elsewhere.has(extra));
  return new Set([...phrases.map(({ name }) => name), ...inside]);
}
