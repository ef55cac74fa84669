/**
 * Our own provider: scripted answers, and images, videos, speech and music generated from the words of a prompt,
 * offline; for a newcomer's first minute, a customer's test mode and our own tests. It owns the chat engine, the
 * renderers with the process that they run in, and the `[sandbox:…]` directives. Refuses to know models, prices and the
 * network; it runs no code of a client, and of its patterns only classes of one character.
 *
 * Invariants:
 * - The same request gives the same answer and the same file.
 * - Everything says that it is the sandbox.
 * - Of a conversation, only the user's last message and the tool results after it are read.
 * - No wait is longer than 120 s, and each ends at once when the call's signal aborts.
 * - Rendering code is loaded only in the render process, which starts with its first job, has a bounded queue and ends
 *   with the gateway.
 */
export { SANDBOX_DIRECTIVES } from "./directives/directive-list.ts";
export { createRenderer } from "./media/create-renderer.ts";
export type { Renderer } from "./media/renderer.ts";
export { createSandboxProvider } from "./provider.ts";
