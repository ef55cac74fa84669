/**
 * The console: a web app for people, under `/console`, and the one API behind it. Owns sign-in, sign-up, sessions,
 * passwords and what pages may request. Refuses to know SQL, how links and members are stored, what a call costs, and
 * the two API interfaces.
 *
 * Invariants:
 * - There is one HTML page, with nothing in it from a request or the database, and only our own scripts run in it.
 * - Nothing changes except by a command from our own origin that carries the token of this session or visitor.
 * - The caller's rights are checked before the input is read; unknown fields are refused.
 * - Nobody learns who has an account: not by signing in, by inviting or, if mail proves addresses, by signing up.
 * - Sessions live in the database and are looked up on every request, like memberships and roles: someone who was
 *   signed out or removed sees nothing more. A sign-in always opens a new session.
 * - Opening a link changes nothing; redeeming it works once.
 * - Redirects lead to our own paths, never to a destination that a request names.
 * - The accounts library is loaded when the first session is needed, and its HTTP routes are not mounted.
 */
export { type Console, createConsole, createInvitationBrake } from "./console.ts";
