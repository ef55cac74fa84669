/**
 * Providers with an AI SDK package: Anthropic, Google (its API and its cloud), Bedrock, Cohere. Each is a small config
 * object for one adapter. Refuses to know credits, retries, timeouts and the network: it is given a fetch that handles
 * those.
 *
 * Invariants:
 * - The output limit sent upstream, thinking included, never exceeds the request's.
 * - Nothing is read from the environment, and nothing is printed.
 * - A package is loaded on its provider's first call.
 * - A signature is only returned to the provider that made it.
 */
export { createAnthropicProvider } from "./anthropic.ts";
export { createBedrockProvider } from "./bedrock.ts";
export { createCohereProvider } from "./cohere.ts";
export { createGoogleProvider, createVertexProvider } from "./google.ts";
export { tokenQuestion, withServiceAccount } from "./service-account-token.ts";
