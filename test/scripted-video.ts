import type { Provider, VideoRequest, VideoState } from "../gateway/src/contract/index.ts";
import { isoBox, isoWords } from "../gateway/src/media/iso-testing.ts";

/**
 * A video provider that behaves as the test says and records its requests. For tests of video jobs without HTTP;
 * `test/upstream/video-queue.ts` is a vendor behind HTTP.
 */
export type ScriptedVideo = {
  readonly provider: Provider;
  /** Every request to start a video. */
  readonly begun: {
    readonly requestId: string;
    readonly request: VideoRequest;
    /** A copy of its bytes at that time, because they are deleted when the job ends. */
    readonly picture: Uint8Array | null;
  }[];
  looks: number;
  /** Results of successive requests, the last one repeated for ever; an Error is thrown. */
  begins: (Error | null)[];
  states: (VideoState | Error)[];
  /** Thrown for a request before anything is held for it; null to accept. */
  refusal: Error | null;
  /** Whether an edit keeps the length and size of the source video. */
  keepsExtent: boolean;
  /** Whether an edit might keep them, whatever was requested. */
  mayKeepExtent: boolean;
};

/** The smallest file that passes for an MP4 by its first bytes: its brands, and a box of `sizeBytes`. */
export function tinyVideo(sizeBytes = 64): Uint8Array {
  const video = new Uint8Array(24 + 8 + sizeBytes);
  const view = new DataView(video.buffer);
  const write = (at: number, text: string) => video.set(new TextEncoder().encode(text), at);
  view.setUint32(0, 24);
  write(4, "ftypisom");
  write(16, "isommp41");
  view.setUint32(24, 8 + sizeBytes);
  write(28, "mdat");
  return video;
}

/**
 * The smallest video that is accepted from a provider: `tinyVideo` plus a header that says one minute, which is longer
 * than any requested.
 */
export function wholeVideo(): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(36);
  header.writeUInt32BE(36, 0);
  header.write("moov", 4, "latin1");
  header.writeUInt32BE(28, 8);
  header.write("mvhd", 12, "latin1");
  header.writeUInt32BE(1_000, 28);
  header.writeUInt32BE(60_000, 32);
  return Uint8Array.from([...tinyVideo(), ...header]);
}

/** The smallest video that is accepted from a caller: 2.5 seconds, whose only picture is one H.264 unit. */
export function usableVideo(picture = Buffer.from("\0\0\0\x05\x65abcd", "latin1")): Buffer {
  const brands = isoBox("ftyp", Buffer.from("isom\0\0\0\0isommp41", "latin1"));
  const coding = isoBox("avcC", Buffer.from([1, 66, 0, 30, 0xff, 0xe0, 0]));
  const samples = isoBox(
    "stbl",
    isoBox("stsd", isoWords(0, 1), isoBox("avc1", Buffer.alloc(78), coding)),
    isoBox("stsz", isoWords(0, 0, 1, picture.length)),
    isoBox("stco", isoWords(0, 1, brands.length + 8)),
  );
  const handler = isoBox("hdlr", Buffer.from(`${"\0".repeat(8)}vide${"\0".repeat(13)}`, "latin1"));
  const track = isoBox("trak", isoBox("mdia", handler, isoBox("minf", samples)));
  const header = isoBox("mvhd", isoWords(0, 0, 0, 1_000, 2_500));
  return Buffer.concat([brands, isoBox("mdat", picture), isoBox("moov", header, track)]);
}

export function videoState(
  changes: {
    width?: number | null;
    height?: number | null;
    durationMs?: number | null;
    hasSound?: boolean;
  } = {},
) {
  const made = { width: 854, height: 480, durationMs: 4_000, ...changes };
  return { state: "succeeded", file: { bytes: tinyVideo(), mediaType: "video/mp4", ...made } } as const;
}

export function createScriptedVideo(options: { name?: string; knowsOurId?: boolean } = {}): ScriptedVideo {
  const { name = "acme", knowsOurId = false } = options;
  const script: ScriptedVideo = {
    begun: [],
    looks: 0,
    begins: [],
    states: [videoState()],
    refusal: null,
    keepsExtent: false,
    mayKeepExtent: false,
    provider: {
      name,
      video: {
        knowsOurId,
        check() {
          if (script.refusal !== null) throw script.refusal;
        },
        get mayKeepExtent() {
          return script.mayKeepExtent;
        },
        keepsExtent: (task) => script.keepsExtent && task === "edit",
        async begin(_, request, { requestId }) {
          const file = request.referenceImage;
          const picture = file === null ? null : await file.read(0, file.sizeBytes);
          script.begun.push({ requestId, request, picture });
          const failure = script.begins.length > 1 ? script.begins.shift() : script.begins[0];
          if (failure) throw failure;
          return { id: `operation of ${requestId}` };
        },
        async poll() {
          script.looks++;
          const state = script.states.length > 1 ? script.states.shift() : script.states[0];
          if (state instanceof Error || state === undefined) throw state ?? new Error("no state");
          return state;
        },
      },
    },
  };
  return script;
}
