/**
 * The chat completions wire and the Responses wire: every server that speaks them, each described by a small config
 * object. A neutral request is translated; a request in one of these wires is passed on (passthrough/, responses/), or
 * translated into the other one if a model accepts it in no other way.
 * Refuses to know credits, timeouts and sockets, and which provider it talks to beyond that object.
 *
 * Invariants:
 * - Fields added by a client never set the model, the stream or a limit, nor anything that no price covers.
 * - An answer ends in `finish` only if the server said that it ended, and is either all wire or all neutral.
 * - A signature goes back only to the provider that made it.
 */

export { createOpenAiWireProvider } from "./provider.ts";
export type { WireVendor } from "./vendor.ts";
