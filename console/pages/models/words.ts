const PROVIDERS: Readonly<Record<string, string>> = {
  sandbox: "Sandbox: test mode",
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google",
  openrouter: "OpenRouter",
  groq: "Groq",
  mistral: "Mistral",
  deepseek: "DeepSeek",
  xai: "xAI",
  together: "Together",
  fal: "fal",
  replicate: "Replicate",
  elevenlabs: "ElevenLabs",
};

/** A provider added by an operator keeps its own name. */
export function providerWords(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}

const CAPABILITIES: Readonly<Record<string, string>> = {
  tools: "Tools",
  images: "Sees images",
  files: "Reads files",
  reasoning: "Reasoning",
  structured_output: "Structured output",
  logprobs: "Log probabilities",
};

export function capabilityWords(capability: string): string {
  const words = capability.replaceAll("_", " ");
  return CAPABILITIES[capability] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
