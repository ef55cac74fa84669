/**
 * The console: pages for people, under `/console`. Owns sign-in, sessions, passwords, the redeeming of
 * one-time links and the look. Refuses to know SQL, how links and members are kept, what a call costs,
 * and the two API interfaces.
 *
 * Invariants:
 * - No page contains a script, and every value in a page was escaped on its way in.
 * - Nothing changes except by a form from our own origin that carries this session's, or visitor's, token.
 * - Sessions live in the database and are asked for on every request, like memberships and roles: who was
 *   signed out or removed sees nothing more. A sign-in always opens a new one.
 * - Opening a link changes nothing; redeeming it works once.
 * - Redirects lead to paths of ours and never to what a request asked for.
 * - The accounts library is loaded when the first session is asked for, and its HTTP routes are not mounted.
 */
export { type Console, type ConsoleDeps, createConsole } from "./console.ts";
export type { ConsoleConfig } from "./parts.ts";
