import { invalid } from "../kit/index.ts";
import type { Call } from "./context.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Null if none was sent. Two headers arrive joined by a comma and a space, which no key contains. */
export function idempotencyOf(
  headers: Headers,
  rawBody: Uint8Array,
  memberUserId: string | null,
): Call["idempotency"] {
  const key = headers.get("idempotency-key");
  if (key === null) return null;
  if (!KEY.test(key))
    throw invalid("Idempotency-Key", "must be 1 to 255 visible ASCII characters, sent once");
  return { key, fingerprint: fingerprintOf(rawBody, memberUserId, headers.get("x-efficiency")) };
}

/** What makes two calls the same: their bytes, the member they are for, and how they ask to be compacted. */
function fingerprintOf(
  rawBody: Uint8Array,
  memberUserId: string | null,
  efficiency: string | null,
): Uint8Array {
  // Neither header can contain a line break, so different triples never give the same bytes.
  return new Bun.CryptoHasher("sha256")
    .update(`${memberUserId ?? ""}\n${efficiency ?? ""}\n`)
    .update(rawBody)
    .digest();
}
