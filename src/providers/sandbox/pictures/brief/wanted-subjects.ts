import type { Rgb } from "../colour.ts";
import type { Look, WantedSubject } from "./brief.ts";
import type { Meaning } from "./meaning.ts";
import type { Reading } from "./read-words.ts";

const MAX_SUBJECTS = 3;
const MAX_OF_ONE = 8;
const PLURAL_COUNT = 3;
/** `red sports car`, `blue and white bird`: words between a colour and its thing. */
const COLOUR_REACH_WORDS = 3;

/** Of somebody: two men are two figures, where flowers only strew the picture. */
const LOOKS: ReadonlySet<string> = new Set<Look>(["man", "beard", "glasses", "hair"]);
const GROWING: ReadonlySet<string> = new Set(["trees", "grass", "leaves", "flowers"]);

type ReadSubjects = {
  readonly figures: readonly WantedSubject[];
  /** Colours that belong to the picture as a whole. */
  readonly freeColours: readonly Rgb[];
  /** `green hills`, `pink trees`: of what grows and lies about. */
  readonly landColour: Rgb | null;
  /** `red hair`, `a black beard`. */
  readonly hairColour: Rgb | null;
  /** `five birds`. */
  readonly birds: number | null;
};

/** Who a portrait shows is somebody, where nobody else is named. */
export function readSubjects(
  { said }: Reading,
  unwanted: ReadonlySet<string>,
  isPortrait: boolean,
): ReadSubjects {
  const figures = new Map<string, WantedSubject>();
  const freeColours: Rgb[] = [];
  let landColour: Rgb | null = null;
  let hairColour: Rgb | null = null;
  let birds: number | null = null;
  let colour: { value: Rgb; at: number } | null = null;
  let count: { value: number; at: number } | null = null;
  for (const { meanings, at, isPlural } of said) {
    const named = meanings.find((meaning) => meaning.kind === "subject");
    const shade = meanings.find((meaning) => meaning.kind === "colour");
    const number = meanings.find((meaning) => meaning.kind === "count");
    if (number !== undefined) count = { value: number.value, at };
    if (shade !== undefined) {
      if (colour !== null) freeColours.push(colour.value);
      colour = { value: shade.value, at };
    }
    const isOwn: boolean = colour !== null && at - colour.at <= COLOUR_REACH_WORDS;
    const isLand = meanings.some(
      ({ kind, value }) => kind === "setting" || (kind === "extra" && GROWING.has(value)),
    );
    if (isLand && isOwn && colour !== null && colour.at < at) {
      landColour ??= colour.value;
      colour = null;
    }
    const says = (extra: string) => meanings.some(({ kind, value }) => kind === "extra" && value === extra);
    if ((says("hair") || says("beard")) && named === undefined && isOwn && colour !== null) {
      hairColour ??= colour.value;
      colour = null;
    }
    const isCounted: boolean = count !== null && at - count.at <= COLOUR_REACH_WORDS;
    if (says("birds") && isPlural && isCounted) birds ??= count?.value ?? null;
    // `flowers` and `birds` strew the picture; one of them is its figure.
    if (isPlural && meanings.some(({ kind, value }) => kind === "extra" && !LOOKS.has(String(value))))
      continue;
    if (named === undefined || isLeftOut(named, unwanted)) continue;
    const own = isOwn ? (colour?.value ?? null) : null;
    // "A white horse next to a black horse" are two; what is named again without a colour is the same.
    const before = figures.get(named.value);
    const isAnother = before?.colour != null && own !== null && String(before.colour) !== String(own);
    if (before !== undefined && !isAnother) continue;
    if (figures.size >= MAX_SUBJECTS) continue;
    figures.set(isAnother ? `${named.value} ${own}` : named.value, {
      name: named.value,
      colour: own,
      count: Math.min(MAX_OF_ONE, isCounted ? (count?.value ?? 1) : isPlural ? PLURAL_COUNT : 1),
    });
    if (isOwn) colour = null;
    count = null;
  }
  if (colour !== null) freeColours.push(colour.value);
  if (figures.size === 0 && isPortrait && !unwanted.has("person")) {
    figures.set("person", { name: "person", colour: null, count: 1 });
  }
  return { figures: [...figures.values()], freeColours, landColour, hairColour, birds };
}

function isLeftOut({ value }: Meaning, unwanted: ReadonlySet<string>): boolean {
  return unwanted.has(String(value));
}
