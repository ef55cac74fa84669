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
const PADDING = /^ +(?=\d+(?:[\t:|→│ ]|$))/gm;
const LOOK_ALIKES = /§ ?(?=same|lines|each|repeated|cols|key)/g;
const STRINGS_AND_SPACE = /("(?:[^"\\]|\\.)*")|\s+/g;

/** The same for two texts exactly if they differ in nothing but declared normalisations. */
export function canonical(text: string): string {
  const plain = settle(text.replaceAll(CONTROL_SEQUENCES, ""))
    .replaceAll(PADDING, "")
    .replaceAll(LOOK_ALIKES, "");
  return isJson(plain) ? plain.replaceAll(STRINGS_AND_SPACE, "$1") : plain;
}

/** What is left of each line on a screen, where the last state hides the others. */
function settle(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const returns = /\r*$/.exec(line)?.[0] ?? "";
      const states = line.slice(0, line.length - returns.length).split("\r");
      const last = states.at(-1) ?? "";
      return states.every((state) => state.length <= last.length) ? last + returns : line;
    })
    .join("\n");
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
