/**
 * The console: a web app for people, under `/console`, and the one API behind it. Owns sign-in, sign-up, sessions,
 * passwords and what pages may ask for. Refuses to know SQL, how links and members are kept, what a call costs,
 * and the two API interfaces.
 *
 * Invariants:
 * - There is one page, without anything of a request or of the database in it, and only scripts of ours run in it.
 * - Nothing changes except by a command from our own origin that carries this session's, or visitor's, token.
 * - Who may ask is settled before the input is read; a field that nobody asked for is refused.
 * - Nobody learns who has an account: not by signing in, by inviting, or, where mail proves addresses, by signing up.
 * - Sessions live in the database and are asked for on every request, like memberships and roles: who was
 *   signed out or removed sees nothing more. A sign-in always opens a new one.
 * - Opening a link changes nothing; redeeming it works once.
 * - Redirects lead to paths of ours and never to what a request asked for.
 * - The accounts library is loaded when the first session is asked for, and its HTTP routes are not mounted.
 */
export { type Console, createConsole } from "./console.ts";
