/**
 * The library: what was made, kept until somebody deletes it; and the objects its bytes live in.
 * Owns the object store, the rows of assets, their URLs' tokens and the sweep of what nobody published.
 * Refuses to know prices, providers and wires; a row is published by the settlement that charges for it, in SQL.
 * Invariants: no row without its whole bytes; no bytes without a row, or without a note that the sweep will act on;
 * an object's key is never made of anybody's text.
 */
export { type Asset, assetUrl, type DraftAsset, type NewAsset } from "./asset.ts";
export { checkObjectStore } from "./check-store.ts";
export { createLibrary, type Library } from "./library.ts";
export { extensionOf } from "./media-extension.ts";
export { isObjectKey } from "./object-key.ts";
export { nameObjectsPlace, namesOfObjectsPlace, PLACE_FILE } from "./objects-place.ts";
export type { OpenAsset } from "./open-asset.ts";
export { type ObjectStoreSettings, openObjectStore } from "./open-store.ts";
export { UnusableAsset } from "./unusable-asset.ts";
