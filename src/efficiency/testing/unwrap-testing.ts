/** The text of a command in an object, and what stands around it. */
export type InObject = {
  readonly key: string;
  readonly said: string;
  readonly write: (text: string) => string;
  /** What stands around the text, but for numbers and words. */
  readonly names: string;
};

const LOGS = ["logs_content", "logs", "log"];
const KEYS = ["output", "stdout", "stderr", "text", "content", "result", ...LOGS];
const SIGNS = /"(?:exit_?code|return_?code|stdout|stderr|duration\w*|is_?error)"\s*:|"type"\s*:\s*"text"/i;

/** As a reader would see it who knows JSON: the first text under one of these names, beside a sign of a command's end. */
export function inObject(text: string): InObject | null {
  const found = new RegExp(
    `^((?:{|\\[\\s*{\\s*"type")[^§]*?"(${KEYS.join("|")})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)+")([^§]*)$`,
    "s",
  ).exec(text);
  if (found === null) return null;
  const [, before = "", key = "", quoted = "", behind = ""] = found;
  if (!SIGNS.test(before + behind) && !LOGS.includes(key)) return null;
  try {
    JSON.parse(text);
    const said = JSON.parse(quoted) as string;
    const write = (other: string) => before + JSON.stringify(other) + behind;
    return { key, said, write, names: write("").replaceAll(/:\s*(?:"[^"]*"|-?[\d.eE+-]+)/g, ":") };
  } catch {
    return null;
  }
}

/** In what a service answers, only a log, or JSON in a part of content, is read as if it stood alone. */
export function isReadInAnswer({ key, said }: InObject): boolean {
  return LOGS.includes(key) ? /[\n§]/.test(said) : key === "text" && /^\s*[[{§]/.test(said);
}
