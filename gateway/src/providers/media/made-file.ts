import { type MadeFile, UnusableFile } from "../../contract/index.ts";
import {
  imageSize,
  type MediaKind,
  type MediaType,
  mediaDurationMs,
  mediaKindOf,
  mp3LengthMs,
  oggLengthMs,
  sniffMediaType,
  videoHead,
  wavLengthMs,
} from "../../media/index.ts";

export const UNREADABLE_FILE = "The model's provider sent a file that we cannot read.";

/** Describes a file by its own bytes; the provider's content type is not trusted. */
export function madeFile(bytes: Uint8Array, kind: MediaKind): MadeFile {
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null || mediaKindOf(mediaType) !== kind) {
    const found = `${bytes.byteLength} bytes of ${mediaType ?? "no known kind"}`;
    throw new UnusableFile(UNREADABLE_FILE, `${found}, not ${kind}`);
  }
  const head = headOf(bytes, mediaType);
  if (head === null && isEmpty(bytes, mediaType)) {
    throw new UnusableFile(UNREADABLE_FILE, `${bytes.byteLength} bytes of ${mediaType} that hold nothing`);
  }
  return { bytes, mediaType, ...UNKNOWN, ...head };
}

const UNKNOWN = { width: null, height: null, durationMs: null } as const;

type Head = Partial<Pick<MadeFile, keyof typeof UNKNOWN | "hasSound">>;

/** What a file cheaply reveals about its content; null if it has none, or is cut off before that. */
function headOf(bytes: Uint8Array, mediaType: MediaType): Head | null {
  switch (mediaType) {
    case "audio/wav":
      return lasting(wavLengthMs(bytes));
    case "audio/mpeg":
      return lasting(mp3LengthMs(bytes));
    case "audio/flac":
      return lasting(mediaDurationMs(bytes, mediaType));
    case "audio/ogg":
      return lasting(oggLengthMs(bytes));
    case "audio/mp4":
      return soundHead(bytes);
    case "video/mp4":
      return videoHead(bytes);
    case "video/webm":
      return {};
    default:
      return imageSize(bytes) ?? {};
  }
}

/** Whether a file without a readable head is worthless; one that is cut off may still be of use to the caller. */
function isEmpty(bytes: Uint8Array, mediaType: MediaType): boolean {
  if (mediaType === "audio/wav") return true;
  if (mediaType !== "video/mp4" && mediaType !== "audio/mp4") return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUInt32BE(0) >= bytes.byteLength;
}

function soundHead(bytes: Uint8Array): Head | null {
  const head = videoHead(bytes);
  return head && { durationMs: head.durationMs };
}

/** Null: there is no audio. Undefined: the file does not say how long it is. */
function lasting(durationMs: number | null | undefined): Head | null {
  return durationMs === null ? null : { durationMs: durationMs ?? null };
}
