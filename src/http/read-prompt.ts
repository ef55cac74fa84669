import type { ChatPrompt } from "../generation/index.ts";
import { isObject } from "../kit/index.ts";
import { decodeJson } from "./body/json-body.ts";
import type { HttpSettings } from "./context.ts";
import { chatFields } from "./native/chat-fields.ts";
import { chatBodySchema } from "./native/chat-schema.ts";
import { decodeChat } from "./openai/chat/chat-decode.ts";
import type { JsonObject } from "./openai/json-fields.ts";
import { decodeResponseRequest } from "./openai/responses/decode-request.ts";
import { createCallSeal } from "./openai/sealed/sealed-call-id.ts";
import { createReasoningSeal } from "./openai/sealed/sealed-reasoning.ts";
import { wholeChatResults, wholeResponseResults } from "./openai/whole-results.ts";

/** Bodies are kept without a model as well. */
const ANY_MODEL = { model: "any" };

/**
 * What a chat call would ask of a model, read from its body as its route reads it: of the main interface, or of the
 * compatible one, whose two endpoints have other fields. A list alone is that of the messages.
 */
export function readPrompt(
  json: Uint8Array,
  context: {
    readonly isMain: boolean;
    readonly settings: Pick<HttpSettings, "messages" | "jsonDepth" | "privateMediaHosts">;
    /** Opens what clients carry for us. */
    readonly secret: string;
  },
): { readonly modelId: string; readonly prompt: ChatPrompt } {
  const { isMain, settings, secret } = context;
  const given = decodeJson(json, settings.jsonDepth, isMain ? undefined : wholeResults);
  const body = bodyOf(given);
  if (isMain) {
    const { model, messages } = chatFields(chatBodySchema(settings.messages), settings.messages, body);
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
