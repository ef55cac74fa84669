import type { ChatMessage, ToolCall } from "../providers/index.ts";

/** How much of an argument stands in the name of a call. */
const MOST_ARGUMENT = 48;

const QUOTE = 34;
const BACKSLASH = 92;

/** Names the texts of a conversation in words that the model knows: a tool and its first argument, or a role. */
export type Origins = {
  ofToolResult(call: ToolCall | undefined): string;
  ofArguments(call: ToolCall): string;
  ofFence(): string;
  ofMessage(role: Exclude<ChatMessage["role"], "tool">): string;
};

export function createOrigins(): Origins {
  const names = new Map<ToolCall, string>();
  const counts = new Map<string, number>();

  /** Texts with the same name are told apart by their number. */
  function count(name: string): string {
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return number === 1 ? name : `${name} #${number}`;
  }

  /** Asked twice for most calls: what they were given, and what came of it. */
  function nameOf(call: ToolCall): string {
    const known = names.get(call);
    if (known !== undefined) return known;
    const argument = firstArgument(call.arguments);
    const name = argument === "" ? call.name : `${call.name} ${argument}`;
    names.set(call, name);
    return name;
  }

  return {
    ofToolResult: (call) => count(call === undefined ? "tool result" : nameOf(call)),
    ofArguments: (call) => count(`call ${nameOf(call)}`),
    ofFence: () => count("fence"),
    ofMessage: (role) => count(`${role} message`),
  };
}

/** The beginning of the first value, as the model wrote it; empty where the arguments are no object. */
function firstArgument(json: string): string {
  const key = json.indexOf('"');
  const colon = key < 0 ? -1 : json.indexOf(":", endOfString(json, key));
  if (colon < 0 || colon > MOST_ARGUMENT * 2) return "";
  let at = colon + 1;
  while (json.charCodeAt(at) === 32) at++;
  if (json.charCodeAt(at) === QUOTE) return `${json.slice(at, endOfString(json, at))}"`;
  return json.slice(at, endOfWord(json, at));
}

/** Where the string that opens at `start` closes, or where enough of it was read; no escape is torn. */
function endOfString(json: string, start: number): number {
  const limit = Math.min(json.length, start + 1 + MOST_ARGUMENT);
  let at = start + 1;
  while (at < limit) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}

function endOfWord(json: string, start: number): number {
  let end = start;
  while (end < json.length && end - start < MOST_ARGUMENT && !",]} \n".includes(json[end] ?? "")) end++;
  return end;
}
