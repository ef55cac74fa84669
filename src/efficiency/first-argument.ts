/** Numbers are read no further. */
const LONGEST_NUMBER = 48;
/** Nobody looks for a name among more arguments. */
const MOST_ARGUMENTS = 32;

/** Arguments that say what a call looks for, whatever it looks in. */
const SOUGHT = /query|regex|(?<!(?:file|path|glob|include|exclude|ignore)s?[_-]?)pattern/i;
/** Arguments that say what a call is about, whatever stands before them. */
const TELLING = /path|(?<!pro)file|url/i;
/** These do, too; a single word among them may say only what is done with a file that another argument names. */
const COMMAND = /command|cmd/i;
const BLANK = /\s/;
const NUMBER = /^-?\d[\d.]{0,20}/;

const QUOTE = 34;
const BACKSLASH = 92;

/** As the model wrote it, without its quotes. */
export type Argument = { readonly value: string; readonly isText: boolean };

/**
 * The argument by which the model knows a call: the first text that says what the call looks for, or else what it is
 * about, or what it does, or the first text, or the first number; of a list of texts the last one. Empty where there is
 * none. Bound: one pass.
 */
export function firstArgument(json: string): Argument {
  let telling = "";
  let word = "";
  let text = "";
  let number = "";
  let at = behindBlanks(json, 0);
  if (json[at++] !== "{") return { value: "", isText: false };
  for (let count = 0; count < MOST_ARGUMENTS; count++) {
    at = behindBlanks(json, json[at] === "," ? at + 1 : at);
    if (json.charCodeAt(at) !== QUOTE) break;
    const keyEnd = endOfString(json, at);
    const colon = behindBlanks(json, keyEnd + 1);
    if (json[colon] !== ":") break;
    const value = readValue(json, behindBlanks(json, colon + 1));
    const key = json.slice(at, keyEnd);
    const isCommand = COMMAND.test(key);
    if (value.text !== "" && SOUGHT.test(key)) return { value: value.text, isText: true };
    const isTelling = TELLING.test(key) || (isCommand && BLANK.test(value.text));
    if (isTelling && telling === "") telling = value.text;
    if (isCommand && word === "") word = value.text;
    if (text === "") text = value.text;
    if (number === "") number = value.number;
    at = behindBlanks(json, value.end);
  }
  const known = [telling, word, text].find((one) => one !== "");
  return { value: known ?? number, isText: known !== undefined };
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
  return { text: "", number: NUMBER.exec(json.slice(start, start + LONGEST_NUMBER))?.[0] ?? "", end };
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
