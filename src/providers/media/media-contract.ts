/**
 * How pictures, sound and video are asked for, in our own words. Whoever serves them answers with bytes: what a
 * provider hosts was fetched under the guard of `outbound` before it comes here.
 */
import type { ResolutionTier } from "../../kit/index.ts";
import type { CallContext } from "../call-context.ts";

/** One thing that was made. Sizes and lengths are what the provider says, or what its bytes say; null: unknown. */
export type MadeFile = {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  /** Of video; absent or null: unknown. */
  readonly hasSound?: boolean | null;
};

/** Reference media as the caller gave it: checked by size and magic bytes, nothing of it decoded. */
export type GivenFile = { readonly bytes: Uint8Array; readonly mediaType: string };

/** The same of a job, lying where it was kept: read piece by piece by whoever sends it on, never whole. */
export type KeptFile = {
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Exactly so many bytes; rejects where they are gone. */
  read(start: number, length: number): Promise<Uint8Array>;
};

/** How a picture is to be written, as far as a model can be told; what is absent is the provider's own choice. */
export type ImageFinish = {
  readonly format?: "png" | "jpeg" | "webp";
  /** 0 to 100, of JPEG and WebP: how much of the picture is kept. */
  readonly compression?: number;
  readonly background?: "transparent" | "opaque";
};

export type ImageRequest = {
  readonly prompt: string;
  readonly negativePrompt?: string;
  /** `W:H`, one of the model's. */
  readonly aspectRatio: string;
  readonly tier: ResolutionTier;
  /** At least 1. */
  readonly n: number;
  /** Absent where nothing of it was asked for. */
  readonly finish?: ImageFinish;
};

export type ImageProvider = {
  /** At least one and at most `n`: what was made is what is charged. */
  makeImages(
    upstreamModel: string,
    request: ImageRequest,
    context: CallContext,
  ): Promise<readonly MadeFile[]>;
  /** A higher tier of this model is a finer picture, not a larger one: its size does not tell what was made. */
  isTierQuality?(upstreamModel: string): boolean;
};

/** Changes of voice at most, since one that speaks with one voice at a time is called once for each: more is a play. */
export const MAX_SPOKEN_TURNS = 64;

/** A stretch of the text, in the voice that reads it. */
export type SpokenLine = { readonly voice: string | null; readonly text: string };

export type SpeechRequest = {
  /** Never empty. One line, unless several speakers were named; null voice: the provider's own choice. */
  readonly lines: readonly SpokenLine[];
  /** 1 is the voice's own pace. */
  readonly speed: number;
  /** Of the model's voices, for a vendor that has no choice of its own and must be told one. */
  readonly firstVoice?: string | undefined;
};

export type SpeechProvider = {
  speak(upstreamModel: string, request: SpeechRequest, context: CallContext): Promise<MadeFile>;
};

export type MusicRequest = {
  readonly prompt: string;
  readonly style: string | null;
  readonly durationMs: number;
  readonly referenceImages: readonly GivenFile[];
};

export type MusicProvider = {
  /** Whether this model has no field for the length, so that the words of a prompt decide it. */
  decidesLength?(upstreamModel: string): boolean;
  compose(upstreamModel: string, request: MusicRequest, context: CallContext): Promise<MadeFile>;
};

export const VIDEO_TASKS = ["text_to_video", "image_to_video", "reference_to_video", "edit"] as const;
export type VideoTask = (typeof VIDEO_TASKS)[number];

export type VideoRequest<File = KeptFile> = {
  readonly task: VideoTask;
  readonly prompt: string | null;
  readonly durationMs: number;
  readonly resolution: string;
  readonly aspectRatio: string;
  /** Sound is wanted. */
  readonly sound: boolean;
  readonly draft: boolean;
  /** Of the reference video. */
  readonly keepAudio: boolean;
  readonly seed: number | null;
  readonly referenceImage: File | null;
  readonly referenceVideo: File | null;
  readonly referenceAudio: File | null;
};

/** What a provider calls the work it has begun; plain JSON, kept in the job's row. */
export type VideoOperation = Readonly<Record<string, unknown>>;

/** Why video was not made; a closed list, since callers see it. */
export type VideoFailureReason = "rejected" | "content_filter" | "provider_error" | "timeout" | "unknown";

export type VideoState =
  | { readonly state: "queued" | "starting" | "running" }
  | { readonly state: "succeeded"; readonly file: MadeFile }
  /** `message` is already free of keys, hosts and ids, at most 300 characters. */
  | { readonly state: "failed"; readonly reason: VideoFailureReason; readonly message: string };

export type VideoProvider = {
  /** It takes our request id as its key, so that beginning twice is beginning once. */
  readonly knowsOurId: boolean;
  /** Throws a ProviderFailure for what it can never make, before anything is held; no file is looked into. */
  check?(request: VideoRequest<unknown>): void;
  /** Whether a video of this task has the length, size, shape and sound of its reference: none of them can be asked for. */
  keepsExtent?(task: VideoTask): boolean;
  /** Whether some of its models make a video as long and as large as its reference media, whatever they are asked for. */
  readonly mayKeepExtent?: boolean;
  begin(upstreamModel: string, request: VideoRequest, context: CallContext): Promise<VideoOperation>;
  /**
   * One look. `request` reads the job's request again, for a provider that keeps nothing between looks. Work that is
   * done and whose file nobody can use has failed. A ProviderFailure says nothing of the job: it is looked at again.
   */
  look(
    upstreamModel: string,
    job: { readonly operation: VideoOperation; request(): Promise<VideoRequest> },
    context: CallContext,
  ): Promise<VideoState>;
};
