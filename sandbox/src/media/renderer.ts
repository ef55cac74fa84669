import type {
  GivenFile,
  ImageRequest,
  KeptFile,
  MadeFile,
  MusicRequest,
  SpeechRequest,
  VideoRequest,
} from "../../../gateway/src/contract/index.ts";
import type { StopSignal } from "../../../gateway/src/kit/index.ts";

/** One image of a request; the same job gives the same bytes. */
export type PictureJob = {
  readonly kind: "image";
  readonly request: Omit<ImageRequest, "n">;
  /** Index of the image in its request. */
  readonly index: number;
  /** The picture that it changes; absent for a new one. */
  readonly edit?: PictureEdit;
};

/** The mask is transparent where something may change; null if there is none. */
export type PictureEdit = { readonly image: GivenFile; readonly mask: GivenFile | null };

export type VideoJob<File = GivenFile> = { readonly kind: "video"; readonly request: VideoRequest<File> };
export type SpeechJob = { readonly kind: "speech"; readonly request: SpeechRequest };
export type MusicJob = { readonly kind: "music"; readonly request: MusicRequest };

/** All jobs of the render process: plain data and bytes, since they cross a pipe. */
export type RenderJob<File = GivenFile> = PictureJob | VideoJob<File> | SpeechJob | MusicJob;
/** A job before it crosses the pipe: stored files are only read while they are sent. */
export type RenderOrder = RenderJob<GivenFile | KeptFile>;

/** Makes the file for one kind of job, inside the render process. Throws a RenderRefusal if the request is at fault. */
export type Render<Job extends RenderJob> = (job: Job) => Promise<MadeFile>;

/** The gateway's side of rendering. */
export type Renderer = {
  /**
   * Queues the job. Fails with a ProviderFailure (full queue, crash, timeout, unreadable file) or the signal's reason.
   */
  render(job: RenderOrder, signal: StopSignal): Promise<MadeFile>;
  /** Ends the processes; all waiting and running jobs fail. */
  close(): Promise<void>;
};
