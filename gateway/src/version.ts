import manifest from "../package.json" with { type: "json" };

/** The product's version, from its package.json; the API has its own version. */
export const VERSION: string = manifest.version;
