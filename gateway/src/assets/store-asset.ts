import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { failpoint, HOUR_MS, newId } from "../kit/index.ts";
import { imageSize, type MediaType, mediaKindOf, sniffMediaType } from "../media/index.ts";
import type { DraftAsset, NewAsset } from "./asset.ts";
import type { KeepObject } from "./keep-object.ts";
import { MAX_OBJECT_BYTES } from "./object-store.ts";
import { UnusableAsset } from "./unusable-asset.ts";

/** Longer than any call or job lives: by then it has been settled or never will be. */
const UNPAID_MS = 2 * HOUR_MS;
const TOKEN_BYTES = 24;
/** How much is hashed before yielding to the event loop: less than a millisecond's worth. */
const HASH_STEP_BYTES = 256 * 1024;

export async function storeAsset(keep: KeepObject, orgId: string, asset: NewAsset): Promise<DraftAsset> {
  const { type, bytes } = asset;
  const mediaType = mediaTypeOf(asset);
  const sha256 = await hashOf(bytes);
  const objectKey = await keep({ orgId, area: "assets", bytes, mediaType, keepForMs: UNPAID_MS });
  const armed = failpoint("asset_after_write");
  if (armed) await armed;
  // The size of an image is read from its bytes, whatever the provider says.
  const size = type === "image" ? imageSize(bytes) : null;
  return {
    id: newId(),
    type,
    objectKey,
    urlToken: randomBytes(TOKEN_BYTES).toString("base64url"),
    mediaType,
    sizeBytes: bytes.byteLength,
    sha256,
    width: wholeOrNull(size?.width ?? asset.width),
    height: wholeOrNull(size?.height ?? asset.height),
    durationMs: wholeOrNull(asset.durationMs),
    // Text that PostgreSQL cannot store must not fail the settlement, long after the input was validated.
    prompt: asset.prompt?.toWellFormed().replaceAll("\0", "") ?? null,
  };
}

function mediaTypeOf({ type, bytes, mediaType }: NewAsset): MediaType {
  const found = bytes.byteLength <= MAX_OBJECT_BYTES ? sniffMediaType(bytes) : null;
  if (found !== null && mediaKindOf(found) === type) return found;
  throw new UnusableAsset(
    NAMES[type],
    `${bytes.byteLength} bytes said to be ${mediaType}, found to be ${found}`,
  );
}

const NAMES = { image: "an image", video: "a video", audio: "a sound" } as const;
const MAX_WHOLE = 2 ** 31 - 1;

function wholeOrNull(value: number | null): number | null {
  if (value === null || !(value > 0) || value > MAX_WHOLE) return null;
  return Math.round(value);
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for (let at = 0; at < bytes.byteLength; at += HASH_STEP_BYTES) {
    hasher.update(bytes.subarray(at, at + HASH_STEP_BYTES));
    if (at + HASH_STEP_BYTES < bytes.byteLength) await setImmediate();
  }
  return hasher.digest("hex");
}
