/**
 * HTTP/1.1 over our own connections: what the runtime's client does, without its thread, its streams and its promise
 * per piece.
 * Refuses to follow redirects, to decode or compress, to send an incomplete request, and to know who it talks to.
 *
 * Invariants:
 * - A request is sent once, or a second time if its connection was already dead and the request may be repeated.
 * - Anything but strictly valid HTTP is no response.
 * - An unread response holds the provider back.
 * - Nothing is sent to a server whose certificate is not valid.
 */

export type { Exchange } from "./exchange.ts";
export { http1Exchange } from "./http1-exchange.ts";
export type { Pieces } from "./request-bytes.ts";
