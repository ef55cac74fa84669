/**
 * How a model is reached: an adapter for each wire that providers speak, and every configured provider
 * by name.
 * Refuses to know credits, the database, HTTP frameworks, organizations and how a call ends.
 *
 * Invariants:
 * - A successful call yields exactly one `finish`, as its last event. Every other end is a ProviderFailure or the
 *   reason of the aborted signal.
 * - A public message contains nothing of a provider's key, host or ids.
 */

export {
  createRenderer,
  createSandboxProvider,
  type DirectiveNote,
  type Renderer,
  SANDBOX_DIRECTIVES,
} from "../../../sandbox/src/index.ts";
export { isContentRefusal } from "./content-refusal.ts";
export {
  isServedTool,
  JoinedChunks,
  repeatedReasoning,
  sentReasoning,
  signedTexts,
  writtenInWhole,
} from "./openai-wire/index.ts";
export { createProviders, createRegistry, type Registry } from "./registry.ts";
export { type ProviderTrial, tryProviders } from "./try-providers.ts";
