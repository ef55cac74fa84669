/**
 * The folder of a clone or of the installed package. Both have what is read at run time in the same places; the package
 * has this code in one folder, so nothing is found from where a module lies. Empty in the sandbox's own package, which
 * has the kit without a gateway.
 */
export const ROOT = /^.*(?=[\\/]gateway[\\/]src)/.exec(import.meta.dir)?.[0] ?? "";

/** What the package carries finished, and a clone makes when it is first asked for. */
export const BUILT = `${ROOT}/gateway/built`;
