/**
 * Serves the library's files at their own URLs, `/library/<token>.<ext>`, without a key.
 * Owns ranges, caching and the headers that keep a file harmless. Refuses to know where bytes are stored and who may
 * list them. Invariants: a type is from our own closed list; a deleted file answers like one that never existed; no
 * reader holds more than one piece of a file in our memory.
 */
export { libraryRoutes } from "./library-routes.ts";
