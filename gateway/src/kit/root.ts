import { join } from "node:path";

const OWN = join("gateway", "src");
const here = import.meta.dir;

/**
 * The folder of a clone or of the installed package. Both have what is read at run time in the same places; the package
 * has this code in one folder, so nothing is found from where a module lies.
 */
export const ROOT = here.slice(0, here.lastIndexOf(OWN));

/** What the package carries finished, and a clone makes when it is first asked for. */
export const BUILT = join(ROOT, "gateway", "built");
