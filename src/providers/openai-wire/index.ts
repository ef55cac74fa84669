/**
 * The chat-completions wire: every server that speaks it, each as a small config object of its habits.
 * Refuses to know credits, timeouts and sockets, and which provider it speaks to beyond that object.
 * Invariants: what a client adds never sets the model, the prompt, the stream or a limit; an answer ends in
 * `finish` only if the server said that it ended; every signature goes back only to the provider that made it.
 */
export { createOpenAiWireProvider, type OpenAiWireDeps } from "./provider.ts";
export type { WireVendor } from "./vendor.ts";
export { WIRE_VENDORS, type WireVendorName } from "./vendors.ts";
