import type { ProviderFailureKind, TextProvider } from "../../gateway/src/contract/index.ts";
import { createProviders } from "../../gateway/src/providers/index.ts";
import type { WireVendorName } from "../../gateway/src/providers/wire-vendors-testing.ts";
import type { Recording } from "./recording.ts";
import { readRecording } from "./wire-reading.ts";

const timeouts = { connectMs: 5_000, firstByteMs: 20_000, idleMs: 20_000 };

/** Folders whose name differs from the vendor's. */
const KINDS: Readonly<Record<string, WireVendorName>> = {
  alibaba: "alibaba",
  azure: "azure",
  cerebras: "cerebras",
  deepseek: "deepseek",
  groq: "groq",
  huggingface: "huggingface",
  mistral: "mistral",
  moonshotai: "moonshot",
  ollama: "ollama",
  openai: "openai",
  openrouter: "openrouter",
  perplexity: "perplexity",
  togetherai: "together",
  xai: "xai",
  zai: "zai",
};

export function vendorNameOf({ url, provider }: Recording): WireVendorName {
  return url.includes(".azure.com") ? "azure" : (KINDS[provider] ?? "openai-wire");
}

export function providerFor(recording: Recording, baseUrl: string): TextProvider {
  const kind = vendorNameOf(recording);
  const settings = { name: recording.provider, kind, baseUrl: `${baseUrl}/v1`, apiKey: "replayed" };
  const [provider] = createProviders(new Map([[settings.name, settings]]), { timeouts });
  if (provider?.text === undefined) throw new Error("a wire provider serves text");
  return provider.text;
}

/** The recorded model, because some models are read differently. */
export function modelOf({ request }: Recording): string {
  const hasModel = typeof request === "object" && request !== null && "model" in request;
  return hasModel && typeof request.model === "string" ? request.model : "replayed";
}

export function isNamedTool(request: unknown): boolean {
  if (typeof request !== "object" || request === null || !("tool_choice" in request)) return false;
  return typeof request.tool_choice === "object" && request.tool_choice !== null;
}

export type Summary = Readonly<Record<string, unknown>>;

export function expectedOf(recording: Recording): Summary | ProviderFailureKind {
  if (recording.status >= 400) return failureOf(recording);
  if (!/json|event-stream/.test(recording.contentType)) return "unavailable";
  const { failed, finish, ...rest } = readRecording(recording);
  if (failed)
    return new TextDecoder().decode(recording.body).includes('"error"') ? "rejected" : "unavailable";
  return { ...rest, finish: isNamedTool(recording.request) && finish === "tool_calls" ? "any" : finish };
}

const OVERFLOW = /context length|too_many_prompt_tokens/;

function failureOf({ status, body }: Recording): ProviderFailureKind {
  if (status === 429) return "rate_limited";
  if (status === 401 || status === 404) return "unauthorized";
  return OVERFLOW.test(new TextDecoder().decode(body)) ? "context_overflow" : "rejected";
}

export function difference(expected: Summary, actual: Summary): string | null {
  const wrong = Object.keys(expected).filter(
    (field) => expected[field] !== "any" && !Bun.deepEquals(expected[field], actual[field]),
  );
  if (wrong.length === 0) return null;
  return wrong.map((field) => `${field} ${show(actual[field])}, not ${show(expected[field])}`).join("; ");
}

export function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 160);
}
