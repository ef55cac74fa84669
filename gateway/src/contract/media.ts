/**
 * How images, audio and video are requested, in neutral terms. Providers return bytes: files that they host have
 * already been downloaded under the guard of `outbound`.
 */
import type { ResolutionTier } from "../media/index.ts";
import type { CallContext } from "./call-context.ts";

/** One generated file. Sizes and durations are those that the provider reports or the bytes show; null if unknown. */
export type MadeFile = {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  /** For video; absent or null if unknown. */
  readonly hasSound?: boolean | null;
};

/** Reference media from the caller: size and magic bytes are checked, nothing is decoded. */
export type GivenFile = { readonly bytes: Uint8Array; readonly mediaType: string };

/** Reference media of a job, still in storage: read in pieces while it is sent, never as a whole. */
export type KeptFile = {
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** Exactly `length` bytes; rejects if they are gone. */
  read(start: number, length: number): Promise<Uint8Array>;
};

/** Output options of an image, as far as models support them. Absent: the provider's default. */
export type ImageFinish = {
  readonly format?: "png" | "jpeg" | "webp";
  /** Quality of JPEG and WebP, 0 to 100 (the least compressed). */
  readonly compression?: number;
  readonly background?: "transparent" | "opaque";
};

export type ImageRequest = {
  readonly prompt: string;
  readonly negativePrompt?: string;
  /** `W:H`, one of the model's ratios. */
  readonly aspectRatio: string;
  readonly tier: ResolutionTier;
  /** At least 1. */
  readonly n: number;
  /** Absent if none of it was requested. */
  readonly finish?: ImageFinish;
};

/** What a provider reports of one of its calls beside the images: shown, never charged by. */
export type ImageReport = {
  readonly quality?: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
};

export type ImageProvider = {
  /** Returns at least one and at most `n` images; those returned are charged. */
  makeImages(
    upstreamModel: string,
    request: ImageRequest,
    context: CallContext,
    note?: (report: ImageReport) => void,
  ): Promise<readonly MadeFile[]>;
  /** Whether a higher tier of this model means finer images, not larger ones, so that their size does not show it. */
  isTierQuality?(upstreamModel: string): boolean;
};

/** The most changes of voice. A provider with one voice at a time is called once for each. */
export const MAX_SPOKEN_TURNS = 64;

/** A piece of the text, with the voice that reads it. */
export type SpokenLine = { readonly voice: string | null; readonly text: string };

export type SpeechRequest = {
  /** Never empty. One line unless several speakers were named. A null voice is the provider's default. */
  readonly lines: readonly SpokenLine[];
  /** 1 is the voice's normal pace. */
  readonly speed: number;
  /** The model's first voice, for vendors that have no default and require one. */
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
  /** Whether this model has no field for the duration, so that only the prompt can ask for it. */
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
  /** Whether the video should have sound. */
  readonly sound: boolean;
  readonly draft: boolean;
  /** Whether to keep the sound of the reference video. */
  readonly keepAudio: boolean;
  readonly seed: number | null;
  readonly referenceImage: File | null;
  readonly referenceVideo: File | null;
  readonly referenceAudio: File | null;
};

/** A provider's reference to work in progress; plain JSON, stored in the job's row. */
export type VideoOperation = Readonly<Record<string, unknown>>;

/** Why a video was not made. A closed list, since callers see it. */
export type VideoFailureReason = "rejected" | "content_filter" | "provider_error" | "timeout" | "unknown";

export type VideoState =
  /** `readyInMs`: when it may be ready, if the provider knows. The next poll is not later than that. */
  | { readonly state: "queued" | "starting" | "running"; readonly readyInMs?: number }
  | { readonly state: "succeeded"; readonly file: MadeFile }
  /** `message` contains no keys, hosts or ids; at most 300 characters. */
  | { readonly state: "failed"; readonly reason: VideoFailureReason; readonly message: string };

export type VideoProvider = {
  /** It uses our request id as an idempotency key, so beginning twice starts the work once. */
  readonly knowsOurId: boolean;
  /** Throws a ProviderFailure if it can never make this video, before credits are held. Does not inspect files. */
  check?(request: VideoRequest<unknown>): void;
  /**
   * Whether videos of this task copy duration, size, aspect ratio and sound from their reference, so that none of them
   * can be requested.
   */
  keepsExtent?(task: VideoTask): boolean;
  /** Whether some of its models give a video the duration and size of its reference media, whatever is requested. */
  readonly mayKeepExtent?: boolean;
  begin(upstreamModel: string, request: VideoRequest, context: CallContext): Promise<VideoOperation>;
  /**
   * Polls once. `request` loads the job's request again, for providers that keep no state between polls. Finished work
   * whose file is unusable has failed. A ProviderFailure says nothing about the job, which is polled again.
   */
  poll(
    upstreamModel: string,
    job: { readonly operation: VideoOperation; request(): Promise<VideoRequest> },
    context: CallContext,
  ): Promise<VideoState>;
};
