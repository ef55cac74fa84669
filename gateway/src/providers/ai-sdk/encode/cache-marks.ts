import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ChatMessage } from "../../../contract/index.ts";
import type { AiSdkQuirks } from "../quirks.ts";

/** Per request, with every provider that supports cache marks. */
const MOST_MARKS = 4;

type Markable = { providerOptions?: SharedV4ProviderOptions };

/** All of these support prompt caching; some older ones, and some of other vendors, refuse a call that asks for it. */
export const KEEPS_PROMPTS = /claude-[a-z]+-[4-9]/;

type Markables = Pick<LanguageModelV4CallOptions, "prompt" | "tools">;

/**
 * Marks an agent's conversation for caching if the caller has marked nothing: agents on the OpenAI wire know no marks,
 * and send the whole conversation again with each tool result. Cache reads cost a tenth, writes a quarter more, and
 * after one tool result another call nearly always follows. The end of the previous turn is marked as well: a provider
 * looks back only a few parts for a cached prefix, and a turn may have more.
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
 * Whether the next call will begin like this one. Instructions are sent first, so those that an agent adds along the
 * way change the beginning, and cache writes would be wasted.
 */
export function keepsItsBeginning(messages: readonly ChatMessage[]): boolean {
  const first = messages.findIndex((message) => !isInstruction(message));
  return !messages.slice(first).some(isInstruction);
}

function isInstruction({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

/**
 * Removes surplus marks: some libraries keep the first four, which may all be in the instructions, and others refuse
 * the call. A conversation grows at its end, so the last marks are worth most; one mark in the instructions and one in
 * the tools keep what stays the same when the conversation changes.
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
