/**
 * The files of the library at their own addresses, `/library/<token>.<ext>`, without a key.
 * Owns ranges, caching and the headers that keep a file harmless. Refuses to know where bytes live and who may
 * list them. Invariants: a type is one of our own closed list; a deleted file answers like one that never was;
 * no reader holds more than a piece of a file in our memory.
 */
export { libraryRoutes } from "./library-routes.ts";
