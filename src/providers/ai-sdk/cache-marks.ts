import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ChatMessage } from "../contract.ts";
import type { AiSdkQuirks } from "./quirks.ts";

/** That one request may have, at everybody who takes any. */
const MOST_MARKS = 4;

type Markable = { providerOptions?: SharedV4ProviderOptions };

/** All of these keep prompts; of older ones, and of other vendors' models, some refuse a call that asks for it. */
export const KEEPS_PROMPTS = /claude-[a-z]+-[4-9]/;

type Markables = Pick<LanguageModelV4CallOptions, "prompt" | "tools">;

/**
 * Marks the conversation of an agent whose caller has marked nothing: agents of the OpenAI wire know no marks, and send all
 * of it again with each result of a tool. What is read from the cache costs a tenth, what is written to it a quarter more;
 * whoever has sent one result nearly always comes again. The end of the turn before is marked, too: a provider looks back
 * for what it has kept over a few parts alone, and a turn may have more of them.
 */
export function markAgentTalk({ prompt, tools = [] }: Markables, quirks: AiSdkQuirks): void {
  const { namespace, cacheMark } = quirks;
  const isAgentTalk = prompt.some(({ role }) => role === "tool");
  if (cacheMark === null || !isAgentTalk) return;
  const all = [...prompt, ...tools.filter((tool) => tool.type === "function"), ...prompt.flatMap(partsOf)];
  if (marked(all, quirks).length > 0) return;
  const lastAnswer = prompt.findLastIndex(({ role }) => role === "assistant");
  const before = prompt.findLastIndex(({ role }, at) => at < lastAnswer && role !== "assistant");
  for (const message of [prompt[before], prompt.at(-1)]) {
    if (message?.role === "user" || message?.role === "tool") {
      message.providerOptions = { [namespace]: cacheMark };
    }
  }
}

/**
 * Whether the next call begins as this one: instructions go first, so those that an agent adds along the way change the
 * beginning, and all that is written to the cache would be written in vain.
 */
export function keepsItsBeginning(messages: readonly ChatMessage[]): boolean {
  const first = messages.findIndex((message) => !isInstruction(message));
  return !messages.slice(first).some(isInstruction);
}

function isInstruction({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

/**
 * Takes away marks that are too many: libraries keep the first four, which may all stand in the instructions, and others
 * refuse the call. A conversation grows at its end, so its last ones are worth most; one of the instructions and one of the
 * tools hold what stays the same when it changes.
 */
export function takeOddMarks({ prompt, tools = [] }: Markables, quirks: AiSdkQuirks): void {
  if (quirks.cacheMark === null) return;
  const lastFirst = (parts: readonly Markable[]) => marked(parts, quirks).reverse();
  const [lastTool, ...moreTools] = lastFirst(tools.filter((tool) => tool.type === "function"));
  const [lastSystem, ...moreSystem] = lastFirst(prompt.filter(({ role }) => role === "system"));
  const talk = lastFirst(
    prompt.flatMap((message): Markable[] =>
      message.role === "system" ? [] : [...partsOf(message), message],
    ),
  );
  const byWorth = [lastTool, lastSystem, ...talk, ...moreSystem, ...moreTools];
  const worthFirst = byWorth.filter((part) => part !== undefined);
  for (const part of worthFirst.slice(MOST_MARKS)) part.providerOptions = {};
}

function marked(parts: readonly Markable[], { namespace, cacheMark }: AiSdkQuirks): Markable[] {
  return parts.filter(({ providerOptions }) => providerOptions?.[namespace] === cacheMark);
}

function partsOf({ role, content }: LanguageModelV4Message): readonly Markable[] {
  return role === "system" ? [] : (content as readonly Markable[]);
}
