import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ChatRequest, MarkPlace } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import type { AiSdkQuirks } from "../quirks.ts";

/** Per request, with every provider that supports cache marks. */
const MOST_MARKS = 4;

type Markable = { providerOptions?: SharedV4ProviderOptions };

type Markables = Pick<LanguageModelV4CallOptions, "prompt" | "tools">;

/** All of these support prompt caching; some older ones, and some of other vendors, refuse a call that asks for it. */
const KEEPS_PROMPTS = /claude-[a-z]+-[4-9]/;

export function cachesMarked(model: string): "marks" | null {
  return KEEPS_PROMPTS.test(model) ? "marks" : null;
}

/** Where to mark what its caller has not marked: where we want it, or all of it if that is the caller's only wish. */
export function ownMarks(
  model: string,
  { cacheMarks = [], wireFields = {} }: ChatRequest,
  { cacheMark, cachesWhole }: AiSdkQuirks,
): readonly MarkPlace[] {
  if (cacheMark === null || cachesMarked(model) === null) return [];
  if (!isObject(wireFields["cache_control"])) return cacheMarks;
  return cachesWhole ? [] : ["last turn", "end"];
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
