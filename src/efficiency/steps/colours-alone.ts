import type { ColouredLine, Stretch, Tone } from "./coloured-lines.ts";
import { outcomeAtStart, saysOutcome } from "./outcome-words.ts";

/** Above the changes of a file, as diff-so-fancy shows them: whole lines, without signs. */
const FANCY_HEAD = /^@ .+:\d+ @/;
/** Above the changes of a merge, which has two files or more before it. */
const MERGE_HEAD = /^(@{3,}) -/;
/** A word on a ground of its own: `PASS`. */
const BADGE = /^\s*\p{Lu}+\s*$/u;
/** It says itself how something went. */
const OUTCOME = /fail|error|fatal|warn|denied|reject|skip/i;
const WORD = /[\p{L}\p{N}]/u;
const BEGINS_WITH_WORD = /^\s*[\p{L}\p{N}]/u;
/** A sign before words, but none that stands between them, or below them to point at them. */
const SIGN = /^[^\p{L}\p{N}\s()[\]{}"'`,:;|/\\+<=>&~^_-]+$/u;
/** A sign that shows how something is, wherever it stands; or dots, one for each test. */
const LAMP = /^(?:●+|◉+|■+|█+|•+|○+|\.+)$/;
/** What a dot may stand behind; others end a sentence, or stand in names. */
const BEFORE_DOTS = /^[\s.]?$/;
const SIGNS = /[+-]/;

/**
 * Whether nothing but red and green tells what was removed from what was added, or what is well from what is not: in
 * what diff-so-fancy and delta show of changes, words that differ (`dwdiff -c`), lines in both colours or on both grounds,
 * one below the other, cells with nothing in them, and signs that are the same in both colours; or a line through what is
 * done. Levels, results and names say it in their words, and names have grounds of their own. Bound: each stretch is read a few times.
 */
export function isToldByColours(text: string, lines: readonly ColouredLine[]): boolean {
  const signs = { gone: new Set<string>(), come: new Set<string>() };
  let isFancy = false;
  let mergeSigns = 0;
  const cells = new Set<Tone>();
  let groundBefore: Tone = "none";
  let lettersBefore: Tone = "none";
  for (const line of lines) {
    const { plain, stretches } = line;
    if (FANCY_HEAD.test(plain)) isFancy = true;
    const merge = MERGE_HEAD.exec(plain)?.[1];
    if (merge !== undefined) mergeSigns = merge.length - 1;
    const hasSign = SIGNS.test(plain.slice(0, mergeSigns));
    if (stretches.some(isChange) && (isFancy || (mergeSigns > 0 && !hasSign))) return true;
    if (hasPair(text, stretches, "letters") || hasPair(text, stretches, "ground")) return true;
    if (stretches.some((stretch) => isShaded(text, stretch))) return true;
    if (stretches.some((stretch) => isStruckWord(text, stretch))) return true;
    const ground = toneOfLine(text, line, "ground");
    const lettered = toneOfLine(text, line, "letters");
    const letters = isTold(lettered) && !tellsItself(plain) ? lettered : "none";
    if (areOpposite(ground, groundBefore) || areOpposite(letters, lettersBefore)) return true;
    [groundBefore, lettersBefore] = [ground, letters];
    for (const cell of emptyCells(text, stretches)) cells.add(cell);
    readSigns(text, stretches, signs);
  }
  return (cells.has("gone") && cells.has("come")) || !signs.gone.isDisjointFrom(signs.come);
}

function areOpposite(tone: Tone, before: Tone): boolean {
  return isTold(tone) && isTold(before) && tone !== before;
}

/** What is done, among what is not. */
function isStruckWord(text: string, { from, to, isStruck }: Stretch): boolean {
  return isStruck && WORD.test(text.slice(from, to));
}

/** By a sign before its words, by one of them, or by its numbers. */
function tellsItself(plain: string): boolean {
  return !BEGINS_WITH_WORD.test(plain) || saysOutcome(plain);
}

/** Blanks on red or green, with no word on the same ground beside them, as a badge has one. */
function emptyCells(text: string, stretches: readonly Stretch[]): Tone[] {
  const found: Tone[] = [];
  for (let at = 0; at < stretches.length; ) {
    const { ground } = stretches[at] as Stretch;
    let isEmpty = isTold(ground);
    for (; at < stretches.length && stretches[at]?.ground === ground; at++) {
      const { from, to } = stretches[at] as Stretch;
      isEmpty &&= text.slice(from, to).trim() === "";
    }
    if (isEmpty) found.push(ground);
  }
  return found;
}

function isTold(tone: Tone): tone is "gone" | "come" {
  return tone === "gone" || tone === "come";
}

function isChange({ letters }: Stretch): boolean {
  return isTold(letters);
}

function isShaded(text: string, { from, to, shade }: Stretch): boolean {
  if (!isTold(shade)) return false;
  const shown = text.slice(from, to);
  return WORD.test(shown) && !BADGE.test(shown);
}

/** Red or green where all words of a line stand on it, or have it. */
function toneOfLine(text: string, { plain, stretches }: ColouredLine, by: "letters" | "ground"): Tone {
  if (!stretches.some(({ [by]: tone }) => isTold(tone))) return "none";
  const [tone = "none", ...others] = new Set(
    stretches.filter(({ from, to }) => WORD.test(text.slice(from, to))).map((stretch) => stretch[by]),
  );
  return isTold(tone) && others.length === 0 && !BADGE.test(plain) ? tone : "none";
}

type Signs = { readonly gone: Set<string>; readonly come: Set<string> };

/** Those that no word stands before, and those that are lamps, with how something went, if that is said behind them. */
function readSigns(text: string, stretches: readonly Stretch[], signs: Signs): void {
  /** Where the first words begin; most lines have no sign that asks for it. */
  let words: number | null = null;
  for (let at = 0; at < stretches.length; at++) {
    const { from, to, letters } = stretches[at] as Stretch;
    if (!isTold(letters)) continue;
    const shown = text.slice(from, to).trim();
    if (isLamp(shown, text.charAt((stretches[at - 1]?.to ?? 0) - 1))) {
      const lamp = shown.charAt(0);
      signs[letters].add(lamp + outcomeIn(text, stretches[at + 1]));
      // What is well may be told by its word; that does not tell what is not.
      if (letters === "come") signs.come.add(lamp);
    } else if (SIGN.test(shown)) {
      words ??= startOfWords(text, stretches);
      if (from < words) signs[letters].add(shown);
    }
  }
}

/** The first word of a stretch, if it says how something went. */
function outcomeIn(text: string, stretch: Stretch | undefined): string {
  return stretch === undefined ? "" : outcomeAtStart(text.slice(stretch.from, stretch.to));
}

function startOfWords(text: string, stretches: readonly Stretch[]): number {
  const first = stretches.find(({ from, to }) => WORD.test(text.slice(from, to)));
  return first?.from ?? Number.POSITIVE_INFINITY;
}

/** With what stands before it. */
function isLamp(shown: string, before: string): boolean {
  return LAMP.test(shown) && (!shown.startsWith(".") || BEFORE_DOTS.test(before));
}

/**
 * A word in red, and the one in green that came for it; letters have words of no colour before them. What stands in columns
 * is further apart.
 */
function hasPair(text: string, stretches: readonly Stretch[], by: "letters" | "ground"): boolean {
  if (stretches.length < 2 || !stretches.some(({ [by]: tone }) => tone === "gone")) return false;
  const isGround = by === "ground";
  let hasWords = isGround;
  /** In red; what is behind it is a blank at the most. */
  let gone = "";
  for (const { from, to, [by]: tone } of stretches) {
    const shown = text.slice(from, to);
    const isWord = WORD.test(shown);
    if (tone === "come" && gone !== "" && isWord) return true;
    if (tone === "gone") gone = hasWords && isWord && !isSaid(shown, isGround) ? shown : "";
    else if (tone !== "none" || shown !== " ") gone = "";
    if (tone === "none" && isWord) hasWords = true;
  }
  return false;
}

function isSaid(shown: string, isGround: boolean): boolean {
  return OUTCOME.test(shown) || (isGround && BADGE.test(shown));
}
