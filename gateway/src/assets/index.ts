/**
 * The library of generated files, kept until someone deletes them, and the objects that store their bytes.
 * Owns the object store, the rows of assets, the tokens in their URLs, and the sweep of objects that were never
 * published.
 * Refuses to know prices, providers and wires. The settlement that charges for a file publishes its row, in SQL.
 *
 * Invariants:
 * - No row exists without its complete bytes.
 * - No bytes exist without a row, or without a note that the sweep will act on.
 * - An object's key is never made from text that anyone supplied.
 */
export { type Asset, assetUrl, type DraftAsset, type NewAsset } from "./asset.ts";
export { checkObjectStore } from "./check-store.ts";
export { createLibrary, type Library } from "./library.ts";
export { extensionOf } from "./media-extension.ts";
export { isObjectKey } from "./object-key.ts";
export { nameObjectsPlace, nameOfObjectsPlace, PLACE_FILE } from "./objects-place.ts";
export type { OpenAsset } from "./open-asset.ts";
export { type ObjectStoreSettings, openObjectStore } from "./open-store.ts";
export { UnusableAsset } from "./unusable-asset.ts";
