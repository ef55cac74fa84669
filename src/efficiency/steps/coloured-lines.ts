import { endOfSequence, isColour } from "./control-sequences.ts";
import { colourAfter, GROUND } from "./terminal-colours.ts";

/** What a colour may say: that something went, or came. */
export type Tone = "gone" | "come" | "other" | "none";

/** Letters of one colour, with no sequence of the terminal among them. */
export type Stretch = {
  readonly from: number;
  readonly to: number;
  readonly letters: Tone;
  readonly ground: Tone;
  /** Of a ground that is mixed: who shows what changed in a file paints whole lines so. */
  readonly shade: Tone;
};

/** A line as a screen shows it. */
export type ColouredLine = { readonly plain: string; readonly stretches: readonly Stretch[] };

const TONES: Readonly<Record<string, Tone>> = {
  "": "none",
  "31": "gone",
  "91": "gone",
  "41": "gone",
  "101": "gone",
  "32": "come",
  "92": "come",
  "42": "come",
  "102": "come",
};

/** Bound: one pass. */
export function readColouredLines(text: string): ColouredLine[] {
  const lines: ColouredLine[] = [];
  let colours = { letters: "", ground: "" };
  /** The next sequence, or what begins like one. */
  let next = text.indexOf("\x1b");
  for (let at = 0; at <= text.length; at++) {
    const found = text.indexOf("\n", at);
    const lineEnd = found < 0 ? text.length : found;
    const stretches: Stretch[] = [];
    let plain = "";
    while (at < lineEnd) {
      const end = at === next ? endOfSequence(text, at) : at;
      if (at === next) next = text.indexOf("\x1b", Math.max(end, at + 1));
      if (end > at) {
        if (isColour(text, at, end)) colours = coloursAfter(text.slice(at + 2, end - 1), colours);
        at = end;
        continue;
      }
      const to = next < 0 || next > lineEnd ? lineEnd : next;
      const { letters, ground } = colours;
      stretches.push({
        from: at,
        to,
        letters: toneOf(letters),
        ground: toneOf(ground),
        shade: shadeOf(ground),
      });
      plain += text.slice(at, to);
      at = to;
    }
    lines.push({ plain, stretches });
  }
  return lines;
}

type ColourNames = { readonly letters: string; readonly ground: string };

function coloursAfter(parameters: string, { letters, ground }: ColourNames): ColourNames {
  return { letters: colourAfter(parameters, letters), ground: colourAfter(parameters, ground, GROUND) };
}

const MIXED = /^48[;:](?:5[;:](\d+)|2[;:]{1,2}(\d+)[;:](\d+)[;:](\d+))$/;

/** A shade is red or green where that part is above the others, and these are about the same. */
function shadeOf(ground: string): Tone {
  const [, number, ...parts] = MIXED.exec(ground) ?? [];
  if (number === undefined && parts[0] === undefined) return "none";
  const [red = 0, green = 0, blue = 0] = number === undefined ? parts.map(Number) : partsOf(Number(number));
  if (red - Math.max(green, blue) > 2 * Math.abs(green - blue)) return "gone";
  return green - Math.max(red, blue) > 2 * Math.abs(red - blue) ? "come" : "other";
}

/** Behind the sixteen named ones, a palette has a cube of six by six by six colours. */
function partsOf(number: number): readonly number[] {
  if (number < 16 || number > 231) return [];
  const at = number - 16;
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6];
}

function toneOf(colour: string): Tone {
  return TONES[colour] ?? "other";
}
