/**
 * Images, voices and videos through the AI SDK's models: Google (its API and its cloud), xAI, fal, ElevenLabs. Each
 * vendor is a small encoder for one adapter per medium. Refuses to know credits, retries, timeouts and the network: it
 * is given a fetch that handles those, and a guarded one for files that a response names.
 *
 * Invariants:
 * - Nothing is read from the environment.
 * - A package is loaded on its provider's first call.
 * - Everything that a library fetches goes through these two fetches.
 * - What a vendor does not support is refused, never dropped.
 */
export { createElevenLabsSpeech } from "./elevenlabs-media.ts";
export { createFalMedia } from "./fal-media.ts";
export { createGoogleMedia, createVertexMedia } from "./google-media.ts";
export { createXaiMedia } from "./xai-media.ts";
