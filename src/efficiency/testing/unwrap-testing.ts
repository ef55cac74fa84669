/** The text of a command in an object, and what stands around it. */
export type InObject = {
  readonly key: string;
  readonly said: string;
  readonly write: (text: string) => string;
  /** What stands around the text, but for numbers and words. */
  readonly names: string;
};

const KEYS = ["output", "stdout", "stderr", "text", "content", "result"];

/** As a reader would see it who knows JSON: the first text under one of these names, beside a sign of a command's end. */
export function inObject(text: string): InObject | null {
  const found = new RegExp(
    `^({[^§]*?"(${KEYS.join("|")})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)+")([^§]*)$`,
    "s",
  ).exec(text);
  if (found === null) return null;
  const [, before = "", key = "", quoted = "", behind = ""] = found;
  if (!/exit_?code|stdout|stderr|"type":"text"/i.test(before + behind)) return null;
  try {
    JSON.parse(text);
    const said = JSON.parse(quoted) as string;
    const write = (other: string) => before + JSON.stringify(other) + behind;
    return { key, said, write, names: write("").replaceAll(/:\s*(?:"[^"]*"|-?[\d.eE+-]+)/g, ":") };
  } catch {
    return null;
  }
}
