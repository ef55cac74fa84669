/**
 * What the bytes of a media file say: its type, its size in pixels, how long it plays, whether it is whole.
 * Refuses to know where a file came from and what it may cost.
 *
 * Invariants:
 * - Everything is bounded: no file, however crafted, costs more than a few reads of its own length.
 * - What cannot be read is refused, never guessed.
 */
export type { ImageSize } from "./covering-size.ts";
export { afterId3Tag } from "./id3-tag.ts";
export { hasTooManyPixels, imageSize, MAX_PIXELS } from "./image-size.ts";
export { type IsoBudget, isoBoxesAt, isoBrands, isoTopBoxes } from "./iso-boxes.ts";
export { isoDurationMs } from "./iso-length.ts";
export { mediaDurationMs } from "./media-duration.ts";
export { MEDIA_TYPES, type MediaKind, type MediaType, mediaKindOf, sniffMediaType } from "./media-type.ts";
export { beginsAsMp3, mp3LengthMs } from "./mp3-length.ts";
export { oggLengthMs } from "./ogg-length.ts";
export { RESOLUTION_TIERS, type ResolutionTier, TIER_SIDES } from "./resolution-tier.ts";
export { isUsableMedia } from "./usable-media.ts";
export { videoHead } from "./video-head.ts";
export { type PcmFormat, readWav, type Wav, wavLengthMs, writeWav } from "./wav.ts";
