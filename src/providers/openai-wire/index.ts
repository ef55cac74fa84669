/**
 * The chat-completions wire and the responses wire: every server that speaks them, each as a small config object of its
 * habits. A neutral request is translated; a request in one of these wires is passed on (passthrough/, responses/), or
 * said in the other one where a model takes it in no other way.
 * Refuses to know credits, timeouts and sockets, and which provider it speaks to beyond that object.
 * Invariants: what a client adds never sets the model, the stream or a limit, nor what no price covers; an answer ends
 * in `finish` only if the server said that it ended, and is either all wire or all neutral; every signature goes back
 * only to the provider that made it.
 */

export { writtenInWhole } from "./decode/written-in-whole.ts";
export { repeatedThoughts, sentThoughts } from "./encode/sent-thoughts.ts";
export { signedTexts } from "./encode/signed-texts.ts";
export { JoinedChunks } from "./passthrough/joined-chunks.ts";
export { createOpenAiWireProvider } from "./provider.ts";
export { isServedTool } from "./responses/response-tools.ts";
export type { WireVendor } from "./vendor.ts";
export { WIRE_VENDORS, type WireVendorName } from "./vendors.ts";
