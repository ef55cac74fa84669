import type { ReasoningMark } from "../../../../contract/index.ts";
import type { ChatPrompt } from "../../../../generation/index.ts";
import { invalid, isObject } from "../../../../kit/index.ts";
import { exactNumbersIn, refuseEndlessNumbers } from "../../../body/exact-numbers.ts";
import { writtenPartsIn } from "../../../body/written-parts.ts";
import { refuseInsideRequest } from "../../companion-content.ts";
import { booleanOf } from "../../json-fields.ts";
import { isContextManaged } from "../../managed-context.ts";
import type { PrivateHosts } from "../../media-address.ts";
import { modelIdOf } from "../../request-fields.ts";
import { withoutMark } from "../../sealed/sealed-reasoning.ts";
import { decodeInput } from "./decode-input.ts";
import type { ItemSeals } from "./decode-item.ts";
import { decodeSettings, type ResponseSettings } from "./decode-settings.ts";
import { decodeToolChoice } from "./decode-tool-choice.ts";
import { decodeTools } from "./decode-tools.ts";
import { itemTexts } from "./item-texts.ts";
import { unseenImages, unseenResponseText, unseenResponseTokens } from "./response-unseen.ts";
import { refuseState } from "./stateless.ts";
import { createToolTable, type ToolTable } from "./tool-table.ts";

type Bound = { readonly field: string; readonly text: string };

/**
 * Finds items other than reasoning that a provider has encrypted and that are marked as its own. Nothing else in the
 * conversation has their content (a compaction replaces everything before it), so no other provider can serve the call.
 * Undefined if there are none.
 */
function unreadableItems(input: unknown, mark: ReasoningMark): ChatPrompt["unreadableTo"] {
  if (!Array.isArray(input)) return undefined;
  const bound = input.flatMap((item, at) => boundItem(item, `input[${at}]`));
  if (bound.length === 0) return undefined;
  return (provider) => bound.find(({ text }) => mark.unmark(text, provider) === null)?.field ?? null;
}

function boundItem(item: unknown, at: string): readonly Bound[] {
  const { type, encrypted_content: text } = isObject(item) ? item : {};
  if (type === "reasoning" || typeof text !== "string" || withoutMark(text) === text) return [];
  return [{ field: `${at}.encrypted_content`, text }];
}

/** A request's fields, after the only validation there is. */
export type ResponseFields = {
  readonly modelId: string;
  readonly isStreamed: boolean;
  /** The caller's own limit, which may be above the model's. */
  readonly maxTokens: number | null;
  readonly prompt: ChatPrompt;
  readonly table: ToolTable;
  readonly settings: ResponseSettings;
};

export function decodeResponseRequest(
  body: unknown,
  context: { readonly seals: ItemSeals; readonly maxItems: number; readonly privateHosts?: PrivateHosts },
): ResponseFields {
  if (!isObject(body)) throw invalid("body", "must be a JSON object");
  const modelId = modelIdOf(body);
  refuseState(body);
  refuseInsideRequest(body, context.privateHosts);
  const isStreamed = booleanOf(body, "stream") ?? false;
  const settings = decodeSettings(body);
  const table = createToolTable();
  decodeTools(settings.tools, "tools", table);
  const instructions = settings.instructions ?? undefined;
  const input = decodeInput(body["input"], { ...context, instructions, table });
  const { messages, places, wireInput, unheard } = input;
  const wireBody = wireInput === body["input"] ? body : { ...body, input: wireInput };
  const unreadableTo = unreadableItems(body["input"], context.seals.reasoningSeal);
  const offered = decodeToolChoice(settings.tool_choice, table);
  const prompt: ChatPrompt = {
    messages,
    ...offered,
    ...samplingOf(settings),
    wireFields: chatFieldsOf(settings, { hasTools: offered.tools !== undefined }),
    wire: {
      kind: "responses",
      body: wireBody,
      texts: itemTexts(wireBody, places),
      reasoningMark: context.seals.reasoningSeal,
      exactNumbers: exactNumbersIn(body),
    },
    asWritten: writtenPartsIn(body),
    ...(isContextManaged(body) ? { isContextManaged: true } : {}),
    ...(unreadableTo === undefined ? {} : { unreadableTo }),
  };
  refuseEndlessNumbers(body);
  const known = { table, unheard };
  const unseenTokens = unseenResponseTokens(wireBody, prompt, known);
  const unseenIn: ChatPrompt["unseenIn"] = (sent) => unseenResponseText(wireBody, prompt, known, sent);
  const images = unseenImages(wireBody);
  return {
    modelId,
    isStreamed,
    maxTokens: settings.max_output_tokens ?? null,
    prompt: {
      ...prompt,
      ...(unseenTokens > 0 ? { unseenTokens, unseenIn } : {}),
      ...(images > 0 ? { unseenImages: images } : {}),
    },
    table,
    settings,
  };
}

function samplingOf(
  settings: ResponseSettings,
): Pick<ChatPrompt, "responseFormat" | "reasoningEffort" | "temperature" | "topP"> {
  const { format, reasoning, temperature, top_p: topP } = settings;
  return {
    ...(format === undefined ? {} : { responseFormat: format }),
    ...(reasoning?.effort == null ? {} : { reasoningEffort: reasoning.effort }),
    ...(temperature == null ? {} : { temperature }),
    ...(topP == null ? {} : { topP }),
  };
}

/**
 * For providers that are called with chat completions: only what changes the answer. The rest (cache keys, identifiers,
 * verbosity) would change nothing there, and strict servers refuse fields that they do not know.
 */
function chatFieldsOf(
  settings: ResponseSettings,
  { hasTools }: { readonly hasTools: boolean },
): Readonly<Record<string, unknown>> {
  const { parallel_tool_calls, presence_penalty, frequency_penalty, include } = settings;
  const top_logprobs = settings.top_logprobs ?? 0;
  const wantsLogprobs = top_logprobs > 0 || include?.includes("message.output_text.logprobs");
  return {
    ...(parallel_tool_calls === false && hasTools ? { parallel_tool_calls } : {}),
    ...(presence_penalty == null ? {} : { presence_penalty }),
    ...(frequency_penalty == null ? {} : { frequency_penalty }),
    ...(wantsLogprobs ? { logprobs: true, top_logprobs } : {}),
  };
}
