/** A command's output in a wrapper object. */
export type InObject = {
  readonly key: string;
  readonly said: string;
  readonly write: (text: string) => string;
  /** The object around the text, without its values. */
  readonly names: string;
};

const LOGS = ["logs_content", "logs", "log"];
const SAID = ["output", "stdout", "stderr", "text", "content", "result"];
const SIGNS = /"(?:exit_?code|return_?code|stdout|stderr|duration\w*|is_?error)"\s*:|"type"\s*:\s*"text"/i;

/**
 * As a reader who knows JSON would see it: the first output, or else a log, beside a field that only a command runner
 * adds.
 */
export function inObject(text: string): InObject | null {
  if (!SIGNS.test(text)) return null;
  return textUnder(SAID, text) ?? logIn(text);
}

/** In a service's answer, only JSON in a content part, or a log, is unwrapped. */
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
