/** Parameters that set a colour, that reset it, and that announce one in the parameters after them. */
type Colours = { readonly own: RegExp; readonly none: RegExp; readonly behind?: string };

const LETTERS: Colours = { own: /^(?:3[0-7]|9[0-7]|38:.*)$/, none: /^(?:0*|0*39)$/, behind: "38" };
export const GROUND: Colours = { own: /^(?:4[0-7]|10[0-7]|48:.*)$/, none: /^(?:0*|0*49)$/, behind: "48" };
/** Strike-through: no colour, but set and reset like one. */
export const STRIKE: Colours = { own: /^0*9$/, none: /^(?:0*|0*29)$/ };

const RED = /^[39]1$/;
const GREEN = /^[39]2$/;
const WORD = /[\p{L}\p{N}_]/u;
const LETTER = /[a-zA-Z]/;
const BLANK = /\s/;

/**
 * Returns the colour after a sequence, given its parameters and the colour before; empty for the terminal's default.
 * Cached, since a text may have a sequence every few letters, and only a few different ones.
 */
export function createColourReader(colours = LETTERS): (parameters: string, before: string) => string {
  const known = new Map<string, string | null>();
  return (parameters, before) => {
    let colour = known.get(parameters);
    if (colour === undefined) {
      colour = colourSetBy(parameters, colours);
      known.set(parameters, colour);
    }
    return colour ?? before;
  };
}

/** Null if the sequence does not change it. */
function colourSetBy(parameters: string, { own, none, behind }: Colours): string | null {
  const parts = parameters.split(";");
  let colour: string | null = null;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string;
    if (none.test(part)) colour = "";
    else if (own.test(part)) colour = part;
    else if (part === "38" || part === "48" || part === "58") {
      // A palette number, or three RGB components; 58 is the colour of underlines.
      const size = parts[at + 1] === "2" ? 4 : 2;
      if (part === behind) colour = parts.slice(at, at + size + 1).join(";");
      at += size;
    }
  }
  return colour;
}

/** Adjacent sequences, and the text around them. */
type Run = {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** How many single letters precede them, each with sequences of its own. */
  readonly letters: number;
};

/**
 * Whether only colours separate the words around some sequences: `git diff --color-words` shows removed and added
 * words without a blank between them. Text in the default colour may be part of the same word: `grep` colours what it
 * found. Letters with a colour each are one word: `MM` of `git status`, or file permissions.
 */
export function areApart({ text, from, to, letters }: Run, before: string, after: string): boolean {
  if (before === after || before === "" || after === "" || from === 0 || to === text.length) return false;
  const left = text.charAt(from - 1);
  const right = text.charAt(to);
  if (right === "\x1b" || BLANK.test(left) || BLANK.test(right)) return false;
  const isChange = RED.test(before) && GREEN.test(after);
  if (letters > (isChange ? 1 : 0) && isLetter(text, to)) return false;
  const words = Number(WORD.test(left)) + Number(WORD.test(right));
  // Removed and added text may be signs, too, as in 30% and 60%.
  return words === 2 || (words === 1 && isChange);
}

/** True for a single letter that no other follows. */
export function isLetter(text: string, at: number): boolean {
  return LETTER.test(text.charAt(at)) && !WORD.test(text.charAt(at + 1));
}
