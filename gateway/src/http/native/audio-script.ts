/** A line of a script; a null name continues the speaker of the line before. */
export type ScriptLine = {
  readonly name: string | null;
  /** The line without the name. */
  readonly text: string;
  readonly whole: string;
};

const MAX_NAME_CHARACTERS = 40;
const LETTER = /^\p{L}/u;

/** Reads `Name: text`, line by line. A time of day, a URL or a long clause before a colon is not a name. */
export function readScript(text: string): readonly ScriptLine[] {
  return text.split(/\r\n?|\n/).map(readLine);
}

function readLine(whole: string): ScriptLine {
  const line = whole.trim();
  const colon = line.slice(0, MAX_NAME_CHARACTERS + 2).indexOf(":");
  const name = line.slice(0, Math.max(colon, 0)).trim();
  const after = line.slice(colon + 1);
  const isName = colon > 0 && name.length <= MAX_NAME_CHARACTERS && LETTER.test(name);
  if (!isName || (after !== "" && !/^\s/.test(after))) return { name: null, text: line, whole };
  return { name, text: after.trim(), whole };
}
