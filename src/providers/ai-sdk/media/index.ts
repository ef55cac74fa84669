/**
 * Pictures, voices and videos by the models of the AI SDK: Google (its API and its cloud), xAI, fal, ElevenLabs. Each
 * is a few words of how a request is said there, over one adapter to a kind of medium.
 * Refuses to know credits, retries, timeouts and the network: it is given a way out that minds those, and a
 * guarded one for files that an answer names.
 * Invariants: nothing is read from the environment; a package is loaded at its provider's first call; whatever a
 * library fetches goes through our own two ways; what a vendor has no word for is refused, never left out.
 */
export { createElevenLabsSpeech } from "./elevenlabs-media.ts";
export { createFalMedia } from "./fal-media.ts";
export { createGoogleMedia, createVertexMedia } from "./google-media.ts";
export { createXaiMedia } from "./xai-media.ts";
