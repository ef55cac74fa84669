import type { MediaKind, MediaType } from "../media/index.ts";
import { extensionOf } from "./media-extension.ts";

/** A generated file, before it is charged. */
export type NewAsset = {
  readonly type: MediaKind;
  readonly bytes: Uint8Array;
  /** As the provider reported it. What we store and serve is determined by the bytes themselves. */
  readonly mediaType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly prompt: string | null;
};

/** Bytes that are durable but not visible to anybody yet. Plain JSON: the settlement that carries it publishes it. */
export type DraftAsset = {
  readonly id: string;
  readonly type: MediaKind;
  readonly objectKey: string;
  /** Unguessable; anyone who has it may read the bytes. */
  readonly urlToken: string;
  readonly mediaType: MediaType;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly prompt: string | null;
};

/** A published row of the library. */
export type Asset = DraftAsset & {
  readonly orgId: string;
  readonly requestId: string;
  readonly keyId: string;
  readonly memberUserId: string | null;
  readonly model: string;
  readonly creditsCharged: number;
  readonly createdAt: Date;
};

/** Restricts a list; absent fields do not. */
export type AssetFilter = {
  readonly type?: MediaKind | undefined;
  readonly memberUserId?: string | undefined;
  readonly model?: string | undefined;
  /** UTC days on which it was created, `YYYY-MM-DD`, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** `<origin>/library/<token>.<ext>`. Only the HTTP edge knows the origin, so URLs are made there. */
export function assetUrl(publicUrl: string, asset: Pick<DraftAsset, "urlToken" | "mediaType">): string {
  return `${publicUrl}/library/${asset.urlToken}.${extensionOf(asset.mediaType)}`;
}
