const LONGEST_NUMBER = 48;
/** Bounds the search. */
const MOST_ARGUMENTS = 32;

/** Keys of what a call searches for, wherever it searches. */
const SOUGHT = /query|regex|(?<!(?:file|path|glob|include|exclude|ignore)s?[_-]?)pattern/i;
/** Keys of where it searches, and of what it excludes. */
const PLACE = /path|dir|folder|include|glob|(?<!pro)file|url/i;
const NO_PLACE = /exclude|ignore/i;
/** Keys that identify a call, whatever precedes them. */
const TELLING = /path|(?<!pro)file|url/i;
/** Likewise; but a single word may only say what to do with a file that another argument names. */
const COMMAND = /command|cmd/i;
const BLANK = /\s/;
const NUMBER = /^-?\d[\d.]{0,20}/;

/** Programs that run a command, and the option before the command in their arguments. */
const RUNNER = /(?:^|[/\\])(?:(?:ba|z|da|fi|k)?sh|cmd|pwsh|powershell|python[\d.]*|node|env)(?:\.exe)?$/i;
const RUNS = /^(?:-\w*c|\/c|-command)$/i;
/** Separates the strings of a list; cannot occur inside one, where quotes are escaped. */
export const BETWEEN_TEXTS = '", "';

const QUOTE = 34;
const BACKSLASH = 92;

/** As the model wrote it (still escaped), without its quotes. */
export type Argument = {
  readonly value: string;
  readonly isText: boolean;
  /** Where the call searches, if it does; else empty. */
  readonly place: string;
};

/**
 * The argument by which the model will recognize a call: what it searches for; else the file or URL it is about; else
 * its command; else the first string; else the first number. For a list of strings, all of them, or the command that
 * a shell is to run. Empty if there is none. Bound: one pass.
 */
export function firstArgument(json: string): Argument {
  let sought = "";
  let place = "";
  let telling = "";
  let word = "";
  let text = "";
  let number = "";
  let at = behindBlanks(json, 0);
  if (json[at++] !== "{") return { value: "", isText: false, place: "" };
  for (let count = 0; count < MOST_ARGUMENTS; count++) {
    at = behindBlanks(json, json[at] === "," ? at + 1 : at);
    if (json.charCodeAt(at) !== QUOTE) break;
    const keyEnd = endOfString(json, at);
    const colon = behindBlanks(json, keyEnd + 1);
    if (json[colon] !== ":") break;
    const value = readValue(json, behindBlanks(json, colon + 1));
    const key = json.slice(at, keyEnd);
    const isCommand = COMMAND.test(key);
    if (sought === "" && SOUGHT.test(key)) sought = value.text;
    else if (place === "" && PLACE.test(key) && !NO_PLACE.test(key)) place = value.text;
    const isTelling = TELLING.test(key) || (isCommand && BLANK.test(value.text));
    if (isTelling && telling === "") telling = value.text;
    if (isCommand && word === "") word = value.text;
    if (text === "") text = value.text;
    if (number === "") number = value.number;
    at = behindBlanks(json, value.end);
  }
  if (sought !== "") return { value: sought, isText: true, place };
  const known = [telling, word, text].find((one) => one !== "");
  return { value: known ?? number, isText: known !== undefined, place: "" };
}

/** At most one of `text` and `number` is not empty. */
type Value = { readonly text: string; readonly number: string; readonly end: number };

function readValue(json: string, start: number): Value {
  const sign = json[start];
  if (sign === '"') {
    const end = endOfString(json, start);
    return { text: json.slice(start + 1, end), number: "", end: end + 1 };
  }
  if (sign === "[" || sign === "{") return readNested(json, start);
  let end = start;
  while (end < json.length && !",]}".includes(json[end] as string)) end++;
  return { text: "", number: NUMBER.exec(json.slice(start, start + LONGEST_NUMBER))?.[0] ?? "", end };
}

/** A list is represented by all of its own strings; a shell's arguments by the command to run. */
function readNested(json: string, start: number): Value {
  let depth = 0;
  const texts: string[] = [];
  let at = start;
  do {
    const sign = json[at];
    if (sign === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && json[start] === "[") texts.push(json.slice(at + 1, end));
      at = end;
    } else if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth--;
    at++;
  } while (depth > 0 && at < json.length);
  const isShell = RUNNER.test(texts[0] ?? "") && RUNS.test(texts.at(-2) ?? "");
  return { text: (isShell && texts.at(-1)) || texts.join(BETWEEN_TEXTS), number: "", end: at };
}

/** The index of the quote that closes the string at `start`; the end of the text if there is none. */
function endOfString(json: string, start: number): number {
  let at = json.indexOf('"', start + 1);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/** Skips the white space of JSON. */
function behindBlanks(json: string, start: number): number {
  let at = start;
  while (isBlank(json.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}
