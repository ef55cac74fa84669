/**
 * The shared ground: errors, credits, ids, hashes, batching and fail points.
 * Refuses to know any business rule. Of the business terms it has only those that every room uses: credits and the
 * ten error codes.
 * Imports nothing from other rooms. Everything here is bounded, and uses neither network nor database.
 */
export * from "./abort.ts";
export * from "./assert.ts";
export * from "./at-most.ts";
export * from "./backoff.ts";
export * from "./batch/batch.ts";
export * from "./ciphertext.ts";
export * from "./clock.ts";
export * from "./closed-for-good.ts";
export * from "./credits.ts";
export * from "./data-url.ts";
export * from "./deadline-queue.ts";
export * from "./error.ts";
export * from "./error-codes.ts";
export * from "./error-message.ts";
export {
  armFailpoint,
  armFailpointsFromText,
  type FailPoint,
  FailpointError,
  failpoint,
  faultOfFailpoints,
} from "./failpoint.ts";
export * from "./failure-reason.ts";
export * from "./fair-share.ts";
export * from "./free-bytes.ts";
export * from "./gate.ts";
export * from "./hash.ts";
export * from "./id.ts";
export * from "./json/canonical-json.ts";
export * from "./json/exact-json.ts";
export {
  excessOf,
  ForeignExcess,
  MAX_FOREIGN_KEYS,
  MAX_FOREIGN_VALUES,
  parseForeignJson,
} from "./json/foreign-json.ts";
export * from "./json/is-json.ts";
export * from "./json/is-object.ts";
export * from "./json/json-texts.ts";
export * from "./json/object-text.ts";
export * from "./json/own-fields.ts";
export * from "./lazily.ts";
export * from "./loopback.ts";
export * from "./name-in-email.ts";
export * from "./not-connected.ts";
export * from "./out-of-room.ts";
export * from "./root.ts";
export * from "./sealer.ts";
export { createShares } from "./shares.ts";
export * from "./signed-place.ts";
export * from "./sse.ts";
export * from "./steps.ts";
export * from "./sync-to-disk.ts";
export * from "./whole-characters.ts";
