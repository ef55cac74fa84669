/** The text of a command in an object, and what stands around it. */
export type InObject = {
  readonly key: string;
  readonly said: string;
  readonly write: (text: string) => string;
  /** What stands around the text, but for numbers and words. */
  readonly names: string;
};

const LOGS = ["logs_content", "logs", "log"];
const SAID = ["output", "stdout", "stderr", "text", "content", "result"];
const SIGNS = /"(?:exit_?code|return_?code|stdout|stderr|duration\w*|is_?error)"\s*:|"type"\s*:\s*"text"/i;

/** As a reader would see it who knows JSON: the first text that was said, or else a log, beside a sign of a command's end. */
export function inObject(text: string): InObject | null {
  if (!SIGNS.test(text)) return null;
  return textUnder(SAID, text) ?? logIn(text);
}

/** In what a service answers, only JSON in a part of content, or a log, is read as if it stood alone. */
export function inAnswer(text: string): InObject | null {
  const part = SIGNS.test(text) ? textUnder(SAID, text) : null;
  return part?.key === "text" && /^\s*[[{§]/.test(part.said) ? part : logIn(text);
}

function logIn(text: string): InObject | null {
  const log = textUnder(LOGS, text);
  return log !== null && /[\n§]/.test(log.said) ? log : null;
}

function textUnder(keys: readonly string[], text: string): InObject | null {
  const found = new RegExp(
    `^((?:{|\\[\\s*{\\s*"type")[^§]*?"(${keys.join("|")})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)+")([^§]*)$`,
    "s",
  ).exec(text);
  if (found === null) return null;
  const [, before = "", key = "", quoted = "", behind = ""] = found;
  try {
    JSON.parse(text);
    const said = JSON.parse(quoted) as string;
    const write = (other: string) => before + JSON.stringify(other) + behind;
    return { key, said, write, names: write("").replaceAll(/:\s*(?:"[^"]*"|-?[\d.eE+-]+)/g, ":") };
  } catch {
    return null;
  }
}
