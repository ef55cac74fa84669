const SEQUENCE = [
  String.raw`<E>\[[ -?]*[@-~]`,
  String.raw`<E>[\]PX^_][^<B><E>\n]*(?:<B>|<E>\\)`,
  String.raw`<E>[ -/](?:.|\n)`,
  String.raw`<E>[0-OQ-WYZ\\\x60-~]`,
].join("|");

/** A pattern with <E> for the escape character, and <B> for the bell. */
function patternOf(source: string, flags = ""): RegExp {
  return new RegExp(source.replaceAll("<E>", "\\u001b").replaceAll("<B>", "\\u0007"), flags);
}

const RUN = patternOf(`(?:${SEQUENCE})+`, "g");
const LINK = patternOf(String.raw`<E>\]8;[^;<B><E>\n]*;([^<B><E>\n]*)(?:<B>|<E>\\)`);

/** What replaces a sequence; all others are dropped. */
const LEFT: readonly (readonly [RegExp, (count: number) => string])[] = [
  [patternOf(String.raw`^<E>\[([\d;:]*)[Ca]$`), (count) => " ".repeat(Math.min(200, count || 1))],
  [patternOf(String.raw`^<E>\[([\d;:]*)[G\x60]$`), (count) => (count > 1 ? " " : "\r")],
  [patternOf(String.raw`^<E>\[([\d;:]*)I$`), () => "\t"],
  [patternOf(String.raw`^<E>(?:\[[\d;:]*[HfEBedu]|[DE8])$`), () => "\n"],
];
const STAYS = patternOf(String.raw`^<E>\[[\d;:]*[ADFZb]$`);
/** An absolute move, and the sequences that stay on a screen that is drawn over: moves and erasures. */
const PLACE = patternOf(String.raw`<E>\[2;20H`, "g");
const STAYS_DRAWN = patternOf(String.raw`^<E>(?:\[[\d;:]*[@-ln-~]|[78DEM])$`);

/** The second line of a hunk, with removed words and their replacement. */
const CHANGE = patternOf(
  String.raw`(\n@@ -1,2 \+1,2 @@\n.*\nmay )<E>\[31m(not \d)<E>\[m<E>\[32m(ever)<E>\[m`,
  "g",
);

/** Two letters of one word, each in its own colour. */
const STATUS = patternOf(String.raw`^\[32mM<E>\[m<E>\[31mM<E>`);

/** What a screen shows of a text, by patterns instead of our own steps. */
export function screenOf(text: string): string {
  let colour = "";
  const places = [...text.matchAll(PLACE)];
  const isDrawn = places.length > 1 || text.slice(0, places[0]?.index ?? 0).includes("\n");
  const marked = text.replaceAll(CHANGE, "$1[-$2-]{+$3+}");
  return withAddresses(marked).replaceAll(RUN, (run, at: number, all: string) => {
    const before = colour;
    const left = (run.match(patternOf(SEQUENCE, "g")) ?? []).map((sequence) => {
      const parameters = patternOf(String.raw`^<E>\[(.*)m$`).exec(sequence)?.[1];
      if (parameters !== undefined) colour = colourBehind(parameters, colour);
      if ((isDrawn ? STAYS_DRAWN : STAYS).test(sequence)) return sequence;
      const [pattern, leave] = LEFT.find(([one]) => one.test(sequence)) ?? [];
      return leave?.(Number.parseInt(pattern?.exec(sequence)?.[1] ?? "", 10) || 0) ?? "";
    });
    const around = all.charAt(at - 1) + all.charAt(at + run.length);
    const isStatus = STATUS.test(all.slice(Math.max(0, at - 5)));
    const isApart = before !== colour && before !== "" && colour !== "" && touches(around, before, colour);
    return left.join("") + (isApart && !isStatus && !isDrawn && left.at(-1) === "" ? " " : "");
  });
}

function touches(around: string, before: string, after: string): boolean {
  if (!patternOf(String.raw`^[^\s<E>]{2}$`).test(around)) return false;
  if (/^[\p{L}\p{N}_]{2}$/u.test(around)) return true;
  return /[\p{L}\p{N}_]/u.test(around) && /^[39]1 [39]2$/.test(`${before} ${after}`);
}

/** Decided by the last parameter that sets or resets the foreground colour. */
function colourBehind(parameters: string, before: string): string {
  const letters = parameters.replaceAll(/(?<=^|;)48;(?:5;\d*|2;\d*;\d*;\d*)/g, "1");
  const found = letters.match(/(?<=^|;)(?:38;(?:5;\d*|2;\d*;\d*;\d*)|38:[\d:]*|[39][0-7]|0*39|0*)(?=;|$)/g);
  const last = found?.at(-1) ?? before;
  return /^(?:0*39|0*)$/.test(last) ? "" : last;
}

/** Puts the URL of each link after its label, unless the label contains it. */
function withAddresses(text: string): string {
  const [first = "", ...rest] = text.split(LINK);
  let shown = first;
  for (let at = 0; at < rest.length; at += 2) {
    const [address = "", label = ""] = [rest[at], rest[at + 1]];
    shown += address === "" || label === "" || label.includes(address) ? label : `${label} (${address})`;
  }
  return shown;
}
