/**
 * The provider that is us: scripted answers, offline, for a newcomer's first minute, a customer's test mode
 * and our own tests. It owns the chat engine and the `[sandbox:…]` directives.
 * Refuses to know models, prices, the clock and the network; it runs no code and no expression of a client.
 * Invariants: the same messages give the same answer; every plain answer says that it is the sandbox; only
 * what the user wrote last and the tool results after it are read; no wait is longer than 120 s, and each ends
 * at once when the call's signal fires.
 */
export type { TokenEstimator } from "./engine.ts";
export { createRenderer } from "./media/create-renderer.ts";
export type { Renderer } from "./media/renderer.ts";
export { createSandboxProvider } from "./provider.ts";
