import type { MediaKind, MediaType } from "../kit/index.ts";
import { extensionOf } from "./media-extension.ts";

/** Something that was made, before anybody was charged for it. */
export type NewAsset = {
  readonly type: MediaKind;
  readonly bytes: Uint8Array;
  /** What the maker says; what we store and serve is what the bytes themselves say. */
  readonly mediaType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly prompt: string | null;
};

/** Bytes that are durable and that nobody sees yet. Plain JSON: the settlement that carries it publishes it. */
export type DraftAsset = {
  readonly id: string;
  readonly type: MediaKind;
  readonly objectKey: string;
  /** Unguessable; whoever has it may read the bytes. */
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

/** What a list shows; absent: everything. */
export type AssetFilter = {
  readonly type?: MediaKind;
  readonly memberUserId?: string;
  readonly model?: string;
};

/** `<origin>/library/<token>.<ext>`. The origin is the edge's to know, so a reply's URL is made there. */
export function assetUrl(publicUrl: string, asset: Pick<DraftAsset, "urlToken" | "mediaType">): string {
  return `${publicUrl}/library/${asset.urlToken}.${extensionOf(asset.mediaType)}`;
}
