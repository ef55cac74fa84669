import type { ColouredLine, Stretch, Tone } from "./coloured-lines.ts";
import { outcomeAtStart, saysOutcome } from "./outcome-words.ts";

/** The header of diff-so-fancy above a file's changes: whole lines, without signs. */
const FANCY_HEAD = /^@ .+:\d+ @/;
/** The header of a merge's changes, which have one sign per parent. */
const MERGE_HEAD = /^(@{3,}) -/;
/** A word on a coloured background: `PASS`. */
const BADGE = /^\s*\p{Lu}+\s*$/u;
/** Words that state an outcome themselves. */
const OUTCOME = /fail|error|fatal|warn|denied|reject|skip/i;
const WORD = /[\p{L}\p{N}]/u;
const BEGINS_WITH_WORD = /^\s*[\p{L}\p{N}]/u;
/** A sign before words, except signs that occur between words, or point at them from below. */
const SIGN = /^[^\p{L}\p{N}\s()[\]{}"'`,:;|/\\+<=>&~^_-]+$/u;
/** A status sign, wherever it is; or dots, one for each test. */
const LAMP = /^(?:●+|◉+|■+|█+|•+|○+|\.+)$/;
/** What may precede a status dot; other dots end sentences, or are parts of names. */
const BEFORE_DOTS = /^[\s.]?$/;
const SIGNS = /[+-]/;

/**
 * Whether only red and green distinguish removed from added, or good from bad: in diffs of diff-so-fancy and delta,
 * word diffs (`dwdiff -c`), adjacent lines with both foregrounds or both backgrounds, empty cells, signs that occur
 * in both colours; or if struck-through text marks what is done. Log levels, results and names say it in words, and
 * names have coloured backgrounds of their own. Bound: each stretch is read a few times.
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

/** Struck-through text: done items among open ones. */
function isStruckWord(text: string, { from, to, isStruck }: Stretch): boolean {
  return isStruck && WORD.test(text.slice(from, to));
}

/** Whether a line states its outcome without colour: by a leading sign, a word, or a number. */
function tellsItself(plain: string): boolean {
  return !BEGINS_WITH_WORD.test(plain) || saysOutcome(plain);
}

/** Blanks on red or green, without a word on the same background beside them, as a badge has. */
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

/** The tone that all words of a line have, if it is red or green. */
function toneOfLine(text: string, { plain, stretches }: ColouredLine, by: "letters" | "ground"): Tone {
  if (!stretches.some(({ [by]: tone }) => isTold(tone))) return "none";
  const [tone = "none", ...others] = new Set(
    stretches.filter(({ from, to }) => WORD.test(text.slice(from, to))).map((stretch) => stretch[by]),
  );
  return isTold(tone) && others.length === 0 && !BADGE.test(plain) ? tone : "none";
}

type Signs = { readonly gone: Set<string>; readonly come: Set<string> };

/**
 * Collects coloured signs that no word precedes, and status signs together with the outcome stated after them, if
 * any.
 */
function readSigns(text: string, stretches: readonly Stretch[], signs: Signs): void {
  /** Where the first word begins; computed lazily, since most lines have no such sign. */
  let words: number | null = null;
  for (let at = 0; at < stretches.length; at++) {
    const { from, to, letters } = stretches[at] as Stretch;
    if (!isTold(letters)) continue;
    const shown = text.slice(from, to).trim();
    if (isLamp(shown, text.charAt((stretches[at - 1]?.to ?? 0) - 1))) {
      const lamp = shown.charAt(0);
      signs[letters].add(lamp + outcomeIn(text, stretches[at + 1]));
      // A word after a green sign does not make the red one clear.
      if (letters === "come") signs.come.add(lamp);
    } else if (SIGN.test(shown)) {
      words ??= startOfWords(text, stretches);
      if (from < words) signs[letters].add(shown);
    }
  }
}

/** The first word of a stretch, if it states an outcome. */
function outcomeIn(text: string, stretch: Stretch | undefined): string {
  return stretch === undefined ? "" : outcomeAtStart(text.slice(stretch.from, stretch.to));
}

function startOfWords(text: string, stretches: readonly Stretch[]): number {
  const first = stretches.find(({ from, to }) => WORD.test(text.slice(from, to)));
  return first?.from ?? Number.POSITIVE_INFINITY;
}

/** Takes the character before it into account. */
function isLamp(shown: string, before: string): boolean {
  return LAMP.test(shown) && (!shown.startsWith(".") || BEFORE_DOTS.test(before));
}

/**
 * A removed word in red, directly followed by its replacement in green; for foreground colours, after some text
 * without colour. Columns of a table are further apart.
 */
function hasPair(text: string, stretches: readonly Stretch[], by: "letters" | "ground"): boolean {
  if (stretches.length < 2 || !stretches.some(({ [by]: tone }) => tone === "gone")) return false;
  const isGround = by === "ground";
  let hasWords = isGround;
  /** The red word, while at most one blank follows it. */
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
