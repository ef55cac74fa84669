/**
 * Vendors that make media and nothing else: fal, Replicate, ElevenLabs. Pictures of the first and voices of the last go
 * by the AI SDK's models; the rest by adapters of our own.
 * Refuses to know credits, timeouts and the network: it is given a way out that minds those, and a guarded one for
 * files that an answer names.
 * Invariants: an order is placed once; a status that nobody knows is never an end; every wait for music or a picture is
 * bounded; no address that a vendor writes is gone to but under the guard.
 */
export { createElevenLabsProvider } from "./elevenlabs.ts";
export { createFalProvider } from "./fal.ts";
export { createReplicateProvider } from "./replicate.ts";
