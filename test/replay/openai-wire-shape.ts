import type { WireEvent } from "../../gateway/src/contract/index.ts";
import { type Fields, fields, list } from "./neutral-request.ts";

/** What a client assembles from a stream or finds in a reply. */
export type Assembled = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
};

const REASONS = ["stop", "length", "tool_calls", "content_filter"];
/** Set by the gateway's HTTP edge, so a provider's events must not contain them as well. */
const OURS = ["id", "object", "created", "model", "usage"];

class Broken extends Error {}

function must(holds: boolean, rule: string): void {
  if (!holds) throw new Broken(rule);
}

/** The first rule of the wire that `work` finds broken, or null. */
export function brokenRule(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Broken) return error.message;
    throw error;
  }
}

/** Reads chunks as the strictest client does; throws at the first that breaks a rule. */
export function assembleChunks(told: readonly WireEvent[]): Assembled {
  // Events about the whole reply go on the last chunk, and have no `choices`.
  const events = told.filter(({ isBeside }) => isBeside !== true);
  const calls: { name: string; arguments: string }[] = [];
  let text = "";
  let reasoning = "";
  let written = "";
  for (const [at, event] of events.entries()) {
    const choice = choiceOf(event);
    const delta = fields(choice["delta"]);
    must("role" in delta === (at === 0), "the first delta alone has the role");
    must(at > 0 || delta["role"] === "assistant", "the role is assistant");
    must((choice["finish_reason"] !== null) === (event.isClosing === true), "the end is marked");
    must(choice["finish_reason"] === null || at === events.length - 1, "the end is last");
    must(isText(delta["content"]), "content is text");
    text += delta["content"] ?? "";
    reasoning += delta["reasoning_content"] ?? "";
    if ("tool_calls" in delta) addFragment(list(delta["tool_calls"]), calls);
    written += event.written;
  }
  must(choiceOf(events.at(-1))["finish_reason"] !== null, "the last chunk says how it ended");
  const names = calls.map(({ name }) => name).join("");
  const args = calls.map((call) => call.arguments).join("");
  must(written.length >= (text + reasoning + names + args).length, "all that was written is counted");
  return { text, reasoning, calls };
}

function choiceOf(event: WireEvent | undefined): Fields {
  const chunk = fields(JSON.parse(`{${event?.members ?? ""}}`));
  must(!/[\r\n]/.test(event?.members ?? ""), "an event is one line");
  must(!OURS.some((name) => name in chunk), "what we say ourselves is left out");
  const choices = list(chunk["choices"]);
  must(choices.length === 1, "a chunk has one choice");
  const choice = fields(choices[0]);
  must(Number.isInteger(choice["index"]), "a choice has its index");
  must("logprobs" in choice && "finish_reason" in choice, "a choice has logprobs and finish_reason");
  const reason = choice["finish_reason"];
  must(reason === null || REASONS.includes(String(reason)), `finish_reason ${reason} is known`);
  return choice;
}

function addFragment(fragments: readonly Fields[], calls: { name: string; arguments: string }[]): void {
  must(fragments.length === 1, "a chunk has one fragment of a call");
  const [fragment = {}] = fragments;
  const { name, arguments: text } = fields(fragment["function"]);
  must(typeof text === "string", "a fragment has arguments");
  const call = calls[Number(fragment["index"])];
  if (call === undefined) {
    must(fragment["index"] === calls.length, "calls are counted from 0");
    must(text === "" && fragment["type"] === "function", "the first fragment has a type and no arguments");
    must(Boolean(fragment["id"]) && Boolean(name), "the first fragment has id and name");
    calls.push({ name: String(name), arguments: "" });
    return;
  }
  must(!("id" in fragment) && name === undefined, "later fragments have neither id nor name");
  call.arguments += text;
}

/** Reads a whole reply as the strictest client does; throws at the first rule that it breaks. */
export function assembleReply(reply: unknown): Assembled {
  const [choice = {}] = list(fields(reply)["choices"]);
  must(choice["index"] === 0 && "logprobs" in choice, "a choice has index and logprobs");
  must(REASONS.includes(String(choice["finish_reason"])), "finish_reason is known");
  const message = fields(choice["message"]);
  must(message["role"] === "assistant", "the role is assistant");
  for (const name of ["content", "refusal"]) {
    must(name in message && isText(message[name]), `${name} is there, a text or null`);
  }
  const calls = list(message["tool_calls"] ?? []);
  must(!("tool_calls" in message) || calls.length > 0, "no calls are not an empty list");
  return {
    text: String(message["content"] ?? ""),
    reasoning: String(message["reasoning_content"] ?? ""),
    calls: calls.map((call) => {
      const { name, arguments: text } = fields(call["function"]);
      must(Boolean(call["id"]) && call["type"] === "function", "a call has id and type");
      must(typeof name === "string" && typeof text === "string", "a call has name and arguments");
      return { name: String(name), arguments: String(text) };
    }),
  };
}

function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}
