/**
 * Emails to people, over SMTP.
 * Owns the connection, the queue and the retries.
 * Refuses to know why an email is sent.
 *
 * Invariants:
 * - A request never waits for a mail server. The queue, the retries and the wait are bounded.
 * - No password, address or text of an email reaches the log.
 * - An email goes to one address, and no line of its text can become a header.
 */
export { createMailer, type Mailer } from "./mailer.ts";
