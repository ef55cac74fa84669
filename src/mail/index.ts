/**
 * Letters to people, over SMTP. Owns the connection, the queue and the tries; refuses to know why somebody is
 * written to. Invariants: a request never waits for a mail server; the queue, the tries and the wait are bounded; no
 * password, address or text of a letter reaches the log; one letter goes to one address and no line of it can
 * become a header.
 */
export { createMailer, type Mailer } from "./mailer.ts";
