/**
 * A vendor of models that makes everything itself, offline: scripted answers, and images, videos, speech and music
 * from the words of a prompt; for a newcomer's first minute, a customer's test mode and our own tests. It speaks
 * OpenAI's wire and fal's queue. It owns the chat engine, the renderers with the process that they run in, and the
 * `[sandbox:…]` directives. Refuses to know credits and who calls. It fetches nothing and runs no code of a client, and
 * of its patterns only classes of one character.
 *
 * Invariants:
 * - The same request gives the same answer and the same file.
 * - Everything says that it is the sandbox.
 * - Of a conversation, only the user's last message and the tool results after it are read.
 * - No wait is longer than 120 s, and each ends at once when its client leaves.
 * - Rendering code is loaded only in the render process, which starts with its first job, has a bounded queue and ends
 *   with the program.
 */
export { createRenderer } from "./render/create-renderer.ts";
export { startSandboxServer } from "./server/serve.ts";
