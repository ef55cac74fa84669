/** A tool call that the prompt dictates. Null arguments are filled in from prompt and schema. */
export type ScriptedCall = { readonly name: string; readonly arguments: string | null };

const MAX_ARGUMENTS_CHARACTERS = 64 * 1024;

/** Reads `NAME]` or `NAME {json}]` from `start`; `end` is behind the bracket. Undefined if it is neither. */
export function readScriptedCall(
  text: string,
  start: number,
): { call: ScriptedCall; end: number } | undefined {
  const name = /^[A-Za-z0-9_.:-]{1,128}/.exec(text.slice(start, start + 128))?.[0];
  if (name === undefined) return undefined;
  let at = start + name.length;
  while (text[at] === " ") at++;
  if (text[at] === "]") return { call: { name, arguments: null }, end: at + 1 };
  const json = readJsonObject(text.slice(at, at + MAX_ARGUMENTS_CHARACTERS));
  if (json === undefined || text[at + json.length] !== "]") return undefined;
  return { call: { name, arguments: json.text }, end: at + json.length + 1 };
}

/** `length` is counted in the prompt: more than the text if a shell escaped the quotes. */
function readJsonObject(text: string): { text: string; length: number } | undefined {
  if (text[0] !== "{") return undefined;
  return parseObject(text, (at) => at) ?? readEscapedObject(text);
}

/** Some command-line agents escape every quote of a prompt: `{\"command\": \"ls\"}`. */
function readEscapedObject(text: string): { text: string; length: number } | undefined {
  let plain = "";
  const origin: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const next = text[at + 1];
    if (text[at] === "\\" && (next === '"' || next === "\\")) at++;
    plain += text[at];
    origin.push(at);
  }
  return parseObject(plain, (at) => origin[at] ?? 0);
}

function parseObject(
  text: string,
  originOf: (at: number) => number,
): { text: string; length: number } | undefined {
  const last = closingBrace(text);
  if (last === undefined) return undefined;
  const json = text.slice(0, last + 1);
  try {
    JSON.parse(json);
  } catch {
    return undefined;
  }
  return { text: json, length: originOf(last) + 1 };
}

/** Index of the closing brace. Braces inside strings do not count. */
function closingBrace(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at;
  }
  return undefined;
}
