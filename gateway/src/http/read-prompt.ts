import type { ChatPrompt } from "../generation/index.ts";
import { isObject } from "../kit/index.ts";
import { decodeJson } from "./body/json-body.ts";
import type { HttpSettings } from "./context.ts";
import { checkFields } from "./fields/check-fields.ts";
import { chatBodySchema } from "./native/chat-schema.ts";
import { decodeChat } from "./openai/chat/chat-decode.ts";
import type { JsonObject } from "./openai/json-fields.ts";
import { decodeResponseRequest } from "./openai/responses/decode/decode-request.ts";
import { createCallSeal } from "./openai/sealed/sealed-call-id.ts";
import { createReasoningSeal } from "./openai/sealed/sealed-reasoning.ts";
import { wholeChatResults, wholeResponseResults } from "./openai/whole-results.ts";

/** Saved bodies may lack a model. */
const ANY_MODEL = { model: "any" };

/**
 * Reads the prompt of a chat call from its body, like its route does: the main interface, or the two endpoints of the
 * compatible one, which are told apart by their fields. A bare list is taken as the messages.
 */
export function readPrompt(
  json: Uint8Array,
  context: {
    readonly isMain: boolean;
    readonly settings: Pick<HttpSettings, "messages" | "jsonDepth" | "privateMediaHosts">;
    /** Opens what clients carry for us from one turn to the next. */
    readonly secret: string;
  },
): { readonly modelId: string; readonly prompt: ChatPrompt } {
  const { isMain, settings, secret } = context;
  const given = decodeJson(json, settings.jsonDepth, isMain ? undefined : wholeResults);
  const body = bodyOf(given);
  if (isMain) {
    const { model, messages } = checkFields(chatBodySchema(settings.messages), body);
    return { modelId: model, prompt: { messages } };
  }
  const callSeal = createCallSeal(secret);
  const privateHosts = new Set(settings.privateMediaHosts);
  if (isChat(body)) return decodeChat(body, { maxMessages: settings.messages, callSeal, privateHosts });
  const seals = { callSeal, reasoningSeal: createReasoningSeal(secret) };
  return decodeResponseRequest(body, { seals, maxItems: settings.messages, privateHosts });
}

function bodyOf(given: unknown): JsonObject {
  return isObject(given) ? { ...ANY_MODEL, ...given } : { ...ANY_MODEL, messages: given };
}

function isChat(body: JsonObject): boolean {
  return "messages" in body || !("input" in body);
}

function wholeResults(given: unknown): void {
  const body = bodyOf(given);
  if (isChat(body)) wholeChatResults(body);
  else wholeResponseResults(body);
}
