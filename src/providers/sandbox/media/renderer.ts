import type { StopSignal } from "../../../kit/index.ts";
import type {
  GivenFile,
  ImageRequest,
  KeptFile,
  MadeFile,
  MusicRequest,
  SpeechRequest,
  VideoRequest,
} from "../../media/media-contract.ts";

/** One picture of a request; the same job gives the same bytes. */
export type PictureJob = {
  readonly kind: "image";
  readonly request: Omit<ImageRequest, "n">;
  /** Which of the request's pictures it is, from 0. */
  readonly index: number;
};

export type VideoJob<File = GivenFile> = { readonly kind: "video"; readonly request: VideoRequest<File> };
export type SpeechJob = { readonly kind: "speech"; readonly request: SpeechRequest };
export type MusicJob = { readonly kind: "music"; readonly request: MusicRequest };

/** All that the render process can be asked for: plain data and bytes, since it crosses a pipe. */
export type RenderJob<File = GivenFile> = PictureJob | VideoJob<File> | SpeechJob | MusicJob;
/** The same before it has crossed: what lies in the store is read only on its way. */
export type RenderOrder = RenderJob<GivenFile | KeptFile>;

/** Makes the file of one kind of job, inside the render process. Throws a RenderRefusal where the request is at fault. */
export type Render<Job extends RenderJob> = (job: Job) => Promise<MadeFile>;

/** What the gateway sees of it. */
export type Renderer = {
  /**
   * Waits its turn. Ends by a ProviderFailure (full queue, crash, time limit, a file that cannot be read) or by the
   * signal's reason.
   */
  render(job: RenderOrder, signal: StopSignal): Promise<MadeFile>;
  /** Ends the process; whatever waits or runs fails. */
  close(): Promise<void>;
};
