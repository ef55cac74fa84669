/** How much of an argument stands in the name of a call. */
const MOST_ARGUMENT = 48;
/** A longer value without blanks is no path that anybody knows by its end. */
const LONGEST_PATH = 400;
/** Nobody looks for a name among more arguments. */
const MOST_ARGUMENTS = 32;

/** Arguments that say what a call is about, whatever stands before them. */
const TELLING = /path|(?<!pro)file|query|url|pattern/i;
/** These do, too; a single word among them may say only what is done with a file that another argument names. */
const COMMAND = /command|cmd/i;
const BLANK = /\s/;
const BROKEN = /[\n\r]/;
const NUMBER = /^-?\d[\d.]{0,20}/;

const QUOTE = 34;
const BACKSLASH = 92;
const HIGH_ESCAPE = /^\\u[dD][89abAB]/;
const LOW_ESCAPE = /^\\u[dD][c-fC-F]/;

/**
 * The argument by which the model knows a call, as it wrote it: the first text that says what the call is about, or what
 * it does, or the first text, or the first number; of a list of texts the last one. Empty where there is none. A path is shortened at its
 * front, since its end tells it from others. Bound: one pass.
 */
export function firstArgument(json: string): string {
  let word = "";
  let text = "";
  let number = "";
  let at = behindBlanks(json, 0);
  if (json[at++] !== "{") return "";
  for (let count = 0; count < MOST_ARGUMENTS; count++) {
    at = behindBlanks(json, json[at] === "," ? at + 1 : at);
    if (json.charCodeAt(at) !== QUOTE) break;
    const keyEnd = endOfString(json, at);
    const colon = behindBlanks(json, keyEnd + 1);
    if (json[colon] !== ":") break;
    const value = readValue(json, behindBlanks(json, colon + 1));
    const key = json.slice(at, keyEnd);
    const isCommand = COMMAND.test(key);
    const isTelling = TELLING.test(key) || (isCommand && BLANK.test(value.text));
    if (isTelling && value.text !== "") return quoted(value.text);
    if (isCommand && word === "") word = value.text;
    if (text === "") text = value.text;
    if (number === "") number = value.number;
    at = behindBlanks(json, value.end);
  }
  const known = word === "" ? text : word;
  return known === "" ? number : quoted(known);
}

/** One of them at most is not empty. */
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
  return { text: "", number: NUMBER.exec(json.slice(start, start + MOST_ARGUMENT))?.[0] ?? "", end };
}

/** A list is known by the last of its own texts: that of a shell's arguments is the command. */
function readNested(json: string, start: number): Value {
  let depth = 0;
  let text = "";
  let at = start;
  do {
    const sign = json[at];
    if (sign === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && json[start] === "[") text = json.slice(at + 1, end);
      at = end;
    } else if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth--;
    at++;
  } while (depth > 0 && at < json.length);
  return { text, number: "", end: at };
}

/** Where the string that opens at `start` closes; the end where it does not. */
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

/** Those that JSON has. */
function behindBlanks(json: string, start: number): number {
  let at = start;
  while (isBlank(json.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** No name goes over the end of a line. */
function quoted(text: string): string {
  if (text.length <= MOST_ARGUMENT) return BROKEN.test(text) ? "" : `"${text}"`;
  const isPath = text.length <= LONGEST_PATH && !BLANK.test(text);
  const part = isPath ? `…${endOf(text)}` : `${startOf(text)}…`;
  return BROKEN.test(part) ? "" : `"${part}"`;
}

function startOf(text: string): string {
  let end = 0;
  for (let next = 0; next <= MOST_ARGUMENT; next = behindLetter(text, next)) end = next;
  return text.slice(0, end);
}

/** From a whole name of a folder on, where there is one. */
function endOf(text: string): string {
  let from = 0;
  while (text.length - from > MOST_ARGUMENT) from = behindLetter(text, from);
  const folder = text.indexOf("/", from);
  return text.slice(folder < 0 || folder === text.length - 1 ? from : folder);
}

/** Behind the letter that begins here, which may be written as an escape or two, or have two code units. */
function behindLetter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) {
    if (text[at + 1] !== "u") return at + 2;
    const isPair = HIGH_ESCAPE.test(text.slice(at, at + 6)) && LOW_ESCAPE.test(text.slice(at + 6, at + 12));
    return at + (isPair ? 12 : 6);
  }
  return (text.codePointAt(at) as number) > 0xffff ? at + 2 : at + 1;
}
