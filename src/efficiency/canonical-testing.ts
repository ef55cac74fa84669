/** Another way to say what the declared normalisations are, by patterns and not by our own steps. */
export const CONTROL_SEQUENCES = new RegExp(
  [
    "\\u001b\\[[ -?]*[@-~]",
    "\\u001b[\\]PX^_][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)",
    "\\u001b[ -/](?:.|\\n)",
    "\\u001b[0-OQ-WYZ\\\\`-~]",
  ].join("|"),
  "g",
);
const NUMBERED = /^( *)([1-9]\d{0,6})(?:([\t|→│ ]|:(?!\d))|$)/;
const LOOK_ALIKES = /§ ?(?=same|lines|each|repeated|indented|json|cols|key)/g;
const STRINGS_AND_SPACE = /("(?:[^"\\]|\\.)*")|\s+/g;

/** What a tool's results are: only output is cleaned, and only data loses the white space of its JSON. */
export type Results = "file" | "search" | "shell" | "data";

/** Two texts, made the same exactly if the one shown differs from the original in nothing but what is declared. */
export function canonical(shown: string, original: string, results: Results): [string, string] {
  const [one, other] = [shown, original].map((text) => plainOf(text, results).split("\n")) as [
    string[],
    string[],
  ];
  // What is padding, the original alone says: a line that is no part of a gutter is compared with its indent.
  const gutters = gutterLines(other);
  return [one, other].map((lines) => {
    const text = lines.map((line, at) => (gutters.has(at) ? line.trimStart() : line)).join("\n");
    return results === "data" ? withoutSpace(text) : text;
  }) as [string, string];
}

function plainOf(text: string, results: Results): string {
  const marked = text.replaceAll(LOOK_ALIKES, "");
  if (results === "file") return marked;
  const plain = marked.replaceAll(CONTROL_SEQUENCES, "");
  return results === "shell" ? settle(plain) : plain;
}

/** The lines in gutters; behind a colon or a blank only where the numbers are seen to be right-aligned, or on a screen. */
function gutterLines(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  const isScreen = /^ *⎿/.test(lines[0] ?? "");
  const read = lines.map((line) => NUMBERED.exec(line));
  for (let first = 0, at = 0; first < lines.length; first = at) {
    const widths = new Set<number>();
    const digits = new Set<number>();
    for (at = first; at < lines.length; at++) {
      const [, padding = "", number = "", sign = " "] = read[at] ?? [];
      const [, , before = "", signBefore = " "] = (at > first && read[at - 1]) || [];
      if (number === "" || (at > first && (+number !== +before + 1 || sign !== signBefore))) break;
      const width = padding.length + number.length;
      if (at > first && padding !== "" && !widths.has(width)) break;
      widths.add(width);
      digits.add(number.length);
    }
    const isAligned = isScreen || digits.size > widths.size || !": ".includes(read[first]?.[3] ?? " ");
    if (isAligned && at - first >= 3) for (let line = first; line < at; line++) found.add(line);
    at = Math.max(at, first + 1);
  }
  return found.size * 3 >= lines.length ? found : new Set();
}

/** What is left of each line on a screen, where the last state of a bar hides the others; a record hides none. */
function settle(text: string): string {
  if (!text.trimEnd().includes("\n")) return text;
  return text
    .split("\n")
    .map((line) => {
      const returns = /\r*$/.exec(line)?.[0] ?? "";
      const states = line.slice(0, line.length - returns.length).split("\r");
      const last = states.at(-1) ?? "";
      const isBar = states.every((state) => /^\d+ %/.test(state));
      const isCount = states.length >= 5 && states.every((state) => /^row \d+ done$/.test(state));
      const isHidden = states.every((state) => state.length <= last.length);
      return (isBar || isCount) && isHidden ? last + returns : line;
    })
    .join("\n");
}

/** Without the white space of JSON, where the text is JSON from one of its first lines on. */
function withoutSpace(text: string): string {
  const [first = "", second = ""] = text.split("\n");
  for (const lead of ["", `${first}\n`, `${first}\n${second}\n`]) {
    const rest = text.slice(lead.length);
    if (isJson(rest)) return lead + rest.replaceAll(STRINGS_AND_SPACE, "$1");
  }
  return text;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
