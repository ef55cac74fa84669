/** Prices the models below at one credit per token, so that a charge is a token count. */
const ONE_PER_TOKEN = 1_000_000;

/**
 * `scripted` is reached by chat completions only, `scripted-both` by the wire of the request, `scripted-openai` like
 * OpenAI itself, which refuses unknown fields, and `scripted-blind` takes no images.
 */
export function scriptedSettings(baseUrl: string): object {
  const model = (id: string, provider: string, capabilities: readonly string[]) => ({
    id,
    name: "Scripted",
    type: "text",
    targets: [{ provider, model: "scripted" }],
    credits_per_request: 1,
    price: { input_per_million: ONE_PER_TOKEN, output_per_million: ONE_PER_TOKEN },
    limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
    capabilities,
  });
  return {
    providers: {
      chat: { kind: "openai-wire", base_url: baseUrl, api_key: "sk-scripted", responses: false },
      both: { kind: "openai-wire", base_url: baseUrl, api_key: "sk-scripted", responses: true },
      strict: { kind: "openai", base_url: baseUrl, api_key: "sk-scripted" },
    },
    models: [
      model("scripted", "chat", ["images"]),
      model("scripted-both", "both", ["images"]),
      model("scripted-openai", "strict", ["images"]),
      model("scripted-blind", "chat", []),
    ],
  };
}
