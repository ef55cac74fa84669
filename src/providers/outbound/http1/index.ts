/**
 * HTTP/1.1 over connections of our own: what the runtime's client does, without its thread, its streams and its
 * promises for every piece.
 * Refuses to follow, decode or compress anything, to send what is not whole, and to know who it speaks to.
 * Invariants: a request goes out once, or once more where its connection was dead before and it may be; what is not
 * HTTP to the letter is no answer; an unread answer holds the provider back; a certificate that does not fit is never spoken to.
 */

export type { Exchange } from "./exchange.ts";
export { http1Exchange } from "./http1-exchange.ts";
