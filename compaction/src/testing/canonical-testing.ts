const LOOK_ALIKES = /§ ?(?=same|lines|each|cols|key)/g;
const ESCAPE = "\\u001b";
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;:]*[mK]`, "g");
const PADDED = /^ +(?=[1-9]\d{0,6}(?:[\t→]|: | \| |$))/gm;
/** On an agent's screen blanks stand behind the numbers. */
const PADDED_ON_SCREEN = /^ +(?=[1-9]\d{0,6}(?: |$))/gm;
const STRINGS_AND_SPACE = /("(?:[^"\\]|\\.)*")|\s+/g;

/** The kind of a tool's results: only output loses colours, only data loses the white space of its JSON. */
export type Results = "file" | "search" | "shell" | "data";

/**
 * An independent definition of the declared normalisations, by patterns instead of our own steps: the two results are
 * equal exactly if the shown text differs from the original only in what is declared.
 */
export function canonical(shown: string, original: string, results: Results): [string, string] {
  return [shown, original].map((text) => {
    const marked = text.replaceAll(LOOK_ALIKES, "");
    if (results === "shell") return marked.replaceAll(COLOURS, "");
    if (results === "data") return withoutSpace(marked);
    if (results === "search") return marked;
    const plain = marked.replaceAll(PADDED, "");
    return /^ *⎿/.test(original) ? plain.replaceAll(PADDED_ON_SCREEN, "") : plain;
  }) as [string, string];
}

/** Drops the white space of JSON, if the text is JSON from one of its first lines on. */
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
