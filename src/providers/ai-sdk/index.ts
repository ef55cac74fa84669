/**
 * Providers that the AI SDK has a package for: Anthropic, Google (its API and its cloud), Bedrock, Cohere.
 * Each is a small config object over one adapter.
 * Refuses to know credits, retries, timeouts and the network: it is given a way out that minds those.
 * Invariants: the output limit that goes upstream is never above the request's, thinking included; nothing is
 * read from the environment and nothing printed; a package is loaded at its provider's first call; every
 * signature goes back only to the provider that made it.
 */
export { createAnthropicProvider } from "./anthropic.ts";
export { createBedrockProvider } from "./bedrock.ts";
export { createCohereProvider } from "./cohere.ts";
export { createGoogleProvider, createVertexProvider } from "./google.ts";
