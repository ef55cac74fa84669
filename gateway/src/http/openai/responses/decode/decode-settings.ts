import type { z } from "zod";
import type { ResponseFormat } from "../../../../contract/index.ts";
import { invalid, isObject } from "../../../../kit/index.ts";
import { checkFields } from "../../../fields/check-fields.ts";
import type { JsonObject } from "../../json-fields.ts";
import { TOOL_MODES } from "../../tool-choice.ts";
import { settingsSchema } from "../responses-schema.ts";
import { decodeFormat } from "./decode-format.ts";

/** What a request sets besides model and input. */
export type ResponseSettings = z.output<typeof settingsSchema> & {
  readonly format: ResponseFormat | undefined;
  /** As sent: which of them can be served is decided elsewhere. */
  readonly tools: readonly unknown[];
  /** As sent, except that the mode `any` becomes `required`. */
  readonly tool_choice: unknown;
};

export function decodeSettings(body: JsonObject): ResponseSettings {
  const settings = checkFields(settingsSchema, body);
  const tools = body["tools"] ?? [];
  if (!Array.isArray(tools)) throw invalid("tools", "must be a list");
  return { ...settings, format: decodeFormat(settings.text ?? {}), tools, tool_choice: toolChoiceOf(body) };
}

function toolChoiceOf(body: JsonObject): unknown {
  const choice = body["tool_choice"] ?? undefined;
  const mode = TOOL_MODES.get(isObject(choice) ? choice["mode"] : choice);
  if (mode === undefined) return choice;
  return isObject(choice) ? { ...choice, mode } : mode;
}
