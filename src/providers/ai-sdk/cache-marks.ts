import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { AiSdkQuirks } from "./quirks.ts";

/** That one request may have, at everybody who takes any. */
const MOST_MARKS = 4;

type Markable = { providerOptions?: SharedV4ProviderOptions };

/**
 * Takes away marks that are too many: libraries keep the first four, which may all stand in the instructions, and others
 * refuse the call. A conversation grows at its end, so its last ones are worth most; one of the instructions and one of the
 * tools hold what stays the same when it changes.
 */
export function takeOddMarks(
  { prompt, tools = [] }: Pick<LanguageModelV4CallOptions, "prompt" | "tools">,
  { namespace, cacheMark }: AiSdkQuirks,
): void {
  if (cacheMark === null) return;
  const lastFirst = (parts: readonly Markable[]) =>
    parts.filter(({ providerOptions }) => providerOptions?.[namespace] === cacheMark).reverse();
  const [lastTool, ...moreTools] = lastFirst(tools.filter((tool) => tool.type === "function"));
  const [lastSystem, ...moreSystem] = lastFirst(prompt.filter(({ role }) => role === "system"));
  const talk = lastFirst(
    prompt.flatMap((message): Markable[] =>
      message.role === "system" ? [] : [...(message.content as readonly Markable[]), message],
    ),
  );
  const byWorth = [lastTool, lastSystem, ...talk, ...moreSystem, ...moreTools];
  const marked = byWorth.filter((part) => part !== undefined);
  for (const part of marked.slice(MOST_MARKS)) part.providerOptions = {};
}
