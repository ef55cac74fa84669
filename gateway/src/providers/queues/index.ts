/**
 * Vendors that make only media: fal, Replicate, ElevenLabs. Fal's images and ElevenLabs' voices use the AI SDK's
 * models; everything else uses our own adapters. Refuses to know credits, timeouts and the network: it is given a fetch
 * that handles those, and a guarded one for files that a response names.
 *
 * Invariants:
 * - An order is placed once.
 * - An unknown status never ends the work.
 * - Every wait for music or an image is bounded.
 * - An address from a vendor is only fetched under the guard.
 */
export { createElevenLabsProvider } from "./elevenlabs.ts";
export { createFalProvider } from "./fal.ts";
export { createReplicateProvider } from "./replicate.ts";
export { createSandboxQueue } from "./sandbox-queue.ts";
