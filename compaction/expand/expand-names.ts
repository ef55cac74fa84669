import type { ChatMessage, ToolCall } from "../src/message.ts";

/** How references name a text; later texts may change that. */
export type Name = () => string;

/** Every text has a name; texts with the same one are numbered if there are several so far. */
export function createNames() {
  const all: string[] = [];

  /** The text that is being read is not counted yet. */
  function name(said: string): Name {
    const place = all.push(said) - 1;
    const number = all.filter((one) => one === said).length;
    return () => {
      const isAlone = all.slice(place + 1, -1).every((one) => one !== said);
      return number === 1 && isAlone ? said : `${said} #${number}`;
    };
  }

  return {
    ofResult: (call: ToolCall | undefined) => name(call === undefined ? "tool result" : nameOf(call)),
    ofCall: (call: ToolCall) => name(`call ${nameOf(call)}`),
    ofRole: (role: ChatMessage["role"]) => name(`${role} message`),
  };
}

const SOUGHT = /query|regex|pattern/i;
const NO_PATTERN = /(?:file|path|glob|include|exclude|ignore)s?[_-]?pattern/i;

/** What it searches for, else the file or address, else what it runs, else its first text, else its first number. */
function nameOf({ name, arguments: json }: ToolCall): string {
  const members = membersOf(json.slice(0, 2_000));
  const texts = members.filter(({ isNumber }) => !isNumber);
  const isSought = (key: string) =>
    /query|regex/i.test(key) || (SOUGHT.test(key) && SOUGHT.test(key.replace(NO_PATTERN, "")));
  const isPlace = (key: string) => /path|file|url/i.test(key.replace(/profile/gi, ""));
  const best =
    texts.find(({ key }) => isSought(key)) ??
    texts.find(({ key }) => isPlace(key)) ??
    texts.find(({ key }) => /command|cmd|script/i.test(key.replace(/description/gi, ""))) ??
    texts[0];
  if (best !== undefined) return `${name} "${shortened(best.value)}"`;
  const [number] = members;
  return number === undefined ? name : `${name} ${number.value}`;
}

type Member = { readonly key: string; readonly value: string; readonly isNumber: boolean };

/** The members of an object as they are written, with their keys. */
function membersOf(json: string): Member[] {
  const found: Member[] = [];
  const member =
    /"([^"\\]{1,64})"\s{0,9}:\s{0,9}(?:"((?:\\.|[^"\\])*)|\[\s{0,9}"((?:\\.|"\s{0,9},\s{0,9}"|[^"\\\]])*)|(-?\d[\d.]{0,20}))/g;
  for (const [, key = "", text, list, number] of json.matchAll(member)) {
    const value = (text ?? list ?? number ?? "").replaceAll(/[\n\r]\s*/g, " ");
    if (value !== "") found.push({ key, value, isNumber: number !== undefined });
  }
  return found;
}

/** More than 64 characters become the first 32 and the last 32, in whole letters. */
function shortened(value: string): string {
  if (value.length <= 64) return value;
  const letters = value.match(/\\u[0-9a-f]{4}|\\.|\p{Surrogate}|[\s\S]/giu) ?? [];
  let head = "";
  while (head.length + (letters[0]?.length ?? 0) <= 32) head += letters.shift();
  let tail = letters.join("");
  while (tail.length > 32) tail = tail.slice(letters.shift()?.length);
  return `${head}…${tail}`;
}
