import manifest from "../package.json" with { type: "json" };

/** Of the product, as the manifest says it; the interface has a version of its own. */
export const VERSION: string = manifest.version;
