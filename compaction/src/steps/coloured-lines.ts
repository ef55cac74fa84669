import { endOfSequence, isColour } from "./control-sequences.ts";
import { createColourReader, GROUND, STRIKE } from "./terminal-colours.ts";

/** What a colour may mean: removed (red), added (green), another colour, or none. */
export type Tone = "gone" | "come" | "other" | "none";

/** Text of one colour, without control sequences in it. */
export type Stretch = {
  readonly from: number;
  readonly to: number;
  readonly letters: Tone;
  readonly ground: Tone;
  /** The tone of a background from the palette or RGB: diff viewers paint whole lines with one. */
  readonly shade: Tone;
  readonly isStruck: boolean;
};

/** A line as a terminal shows it. */
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

/** Bound: one pass; a colour is interpreted where it starts, not for each stretch. */
export function readColouredLines(text: string): ColouredLine[] {
  const lines: ColouredLine[] = [];
  const coloursAfter = createColoursReader();
  let colours = NO_COLOURS;
  let next = nextSequence(text, 0);
  for (let at = 0; at <= text.length; at++) {
    const found = text.indexOf("\n", at);
    const lineEnd = found < 0 ? text.length : found;
    const stretches: Stretch[] = [];
    let plain = "";
    while (at < lineEnd) {
      if (at === next) {
        const end = endOfSequence(text, at);
        if (isColour(text, at, end)) colours = coloursAfter(text.slice(at + 2, end - 1), colours);
        next = nextSequence(text, end);
        at = end;
        continue;
      }
      const to = next < 0 || next > lineEnd ? lineEnd : next;
      const { letters, ground, shade, isStruck } = colours;
      stretches.push({ from: at, to, letters, ground, shade, isStruck });
      plain += text.slice(at, to);
      at = to;
    }
    lines.push({ plain, stretches });
  }
  return lines;
}

/** The start of the next control sequence; an incomplete one is text. */
function nextSequence(text: string, from: number): number {
  let at = text.indexOf("\x1b", from);
  while (at >= 0 && endOfSequence(text, at) === at) at = text.indexOf("\x1b", at + 1);
  return at;
}

type Colours = Pick<Stretch, "letters" | "ground" | "shade" | "isStruck"> & {
  readonly names: { readonly letters: string; readonly ground: string; readonly strike: string };
};

const NO_COLOURS: Colours = {
  names: { letters: "", ground: "", strike: "" },
  ...{ letters: "none", ground: "none", shade: "none", isStruck: false },
};

function createColoursReader(): (parameters: string, before: Colours) => Colours {
  const lettersAfter = createColourReader();
  const groundAfter = createColourReader(GROUND);
  const strikeAfter = createColourReader(STRIKE);
  return (parameters, before) => {
    const { names } = before;
    const letters = lettersAfter(parameters, names.letters);
    const ground = groundAfter(parameters, names.ground);
    const strike = strikeAfter(parameters, names.strike);
    if (letters === names.letters && ground === names.ground && strike === names.strike) return before;
    const named = { letters, ground, strike };
    const tones = { names: named, letters: toneOf(letters), isStruck: strike !== "" };
    // Names may be long, and most sequences do not change the background.
    if (ground === names.ground) return { ...tones, ground: before.ground, shade: before.shade };
    return { ...tones, ground: toneOf(ground), shade: shadeOf(ground) };
  };
}

const MIXED = /^48[;:](?:5[;:](\d+)|2[;:]{1,2}(\d+)[;:](\d+)[;:](\d+))$/;

/** A shade is red or green if that component is well above the other two, and those are about equal. */
function shadeOf(ground: string): Tone {
  const [, number, ...parts] = MIXED.exec(ground) ?? [];
  if (number === undefined && parts[0] === undefined) return "none";
  const [red = 0, green = 0, blue = 0] = number === undefined ? parts.map(Number) : partsOf(Number(number));
  if (red - Math.max(green, blue) > 2 * Math.abs(green - blue)) return "gone";
  return green - Math.max(red, blue) > 2 * Math.abs(red - blue) ? "come" : "other";
}

/** After the sixteen named colours, the palette is a cube of 6 by 6 by 6 colours. */
function partsOf(number: number): readonly number[] {
  if (number < 16 || number > 231) return [];
  const at = number - 16;
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6];
}

function toneOf(colour: string): Tone {
  return TONES[colour] ?? "other";
}
