import type {
  JSONValue,
  Experimental_VideoModelV4 as VideoModelV4,
  Experimental_VideoModelV4CallOptions as VideoModelV4CallOptions,
  Experimental_VideoModelV4File as VideoModelV4File,
} from "@ai-sdk/provider";
import type {
  CallContext,
  KeptFile,
  VideoOperation,
  VideoProvider,
  VideoRequest,
  VideoState,
} from "../../../contract/index.ts";
import { isContentRefusal } from "../../../contract/index.ts";
import { assert, realSignal, type StopSignal } from "../../../kit/index.ts";
import type { PublicFetch } from "../../../outbound/index.ts";
import { failedVideo } from "../../failed-video.ts";
import { pollBriefly } from "../../media/brief-poll.ts";
import type { EmbeddedMedia, Embedding } from "../../media/embedded-media.ts";
import { fetchVideo } from "../../media/hosted-file.ts";
import { failureOfError } from "../failure.ts";
import { callModel } from "./model-call.ts";

type VideoModel = Pick<VideoModelV4, "doStart" | "doStatus">;
type Video = Extract<
  Awaited<ReturnType<NonNullable<VideoModelV4["doStatus"]>>>,
  { status: "completed" }
>["videos"][number];

/** The part of a call that depends on the vendor. */
export type VideoSettings = Partial<
  Pick<VideoModelV4CallOptions, "image" | "inputReferences" | "seed" | "generateAudio" | "aspectRatio">
> & {
  readonly durationSeconds?: number;
  readonly providerOptions: VideoModelV4CallOptions["providerOptions"];
};

type AiSdkVideoOptions = {
  load(): Promise<(modelId: string) => VideoModel>;
  /** Throws a ProviderFailure if the vendor does not support the request. */
  check(request: VideoRequest<unknown>): void;
  keepsExtent?: NonNullable<VideoProvider["keepsExtent"]>;
  encode(request: VideoRequest, embedding: Embedding): VideoSettings;
  /** Must be the same object that the library's fetch has. */
  readonly embedded: EmbeddedMedia;
  /** The final state if the library's error means that the work ended without a video; null for any other error. */
  decodeEnd(error: unknown): VideoState | null;
  readonly fetchPublic: PublicFetch;
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
  readonly maxPollMs?: number;
};

/** The vendor's operation is stored as the library returns it. No vendor here takes our id as an idempotency key. */
export function createAiSdkVideoProvider(options: AiSdkVideoOptions): VideoProvider {
  async function modelOf(upstreamModel: string, context: CallContext): Promise<VideoModel> {
    const models = await callModel(context, options.secrets, options.load);
    return models(upstreamModel);
  }

  return {
    knowsOurId: false,
    check: (request) => options.check(request),
    keepsExtent: (task) => options.keepsExtent?.(task) ?? false,

    async begin(upstreamModel, request, context) {
      options.check(request);
      const embedding = options.embedded.open();
      try {
        const settings = options.encode(request, embedding);
        const model = await modelOf(upstreamModel, context);
        assert(model.doStart !== undefined, "a video model that cannot be started");
        const start = model.doStart.bind(model);
        const { operation } = await callModel(context, options.secrets, () =>
          start(startOptions(request, settings, context)),
        );
        return operation as VideoOperation;
      } finally {
        embedding.close();
      }
    },

    async poll(upstreamModel, { operation }, context) {
      const model = await modelOf(upstreamModel, context);
      assert(model.doStatus !== undefined, "a video model that cannot be asked");
      const ask = model.doStatus.bind(model);
      let end: VideoState | null = null;
      const askBriefly = (brief: CallContext) =>
        callModel(brief, options.secrets, async () => {
          try {
            return await ask({ operation: operation as JSONValue, abortSignal: realSignal(brief.signal) });
          } catch (error) {
            end = brief.signal.aborted
              ? null
              : (options.decodeEnd(error) ?? refusedEnd(error, options.secrets));
            if (end === null) throw error;
            return null;
          }
        });
      const status = await pollBriefly(context, askBriefly, options.maxPollMs);
      if (status === null) return end ?? { state: "running" };
      if (status.status === "pending") return { state: "running" };
      if (status.status === "error") return failedVideo(status.error, options.secrets);
      return videoState(status.videos, { fetchPublic: options.fetchPublic, signal: context.signal });
    },
  };
}

/** The library takes a string as the file's base64 and does not inspect it. */
export function fileOf(file: KeptFile, { base64Of }: Embedding): VideoModelV4File {
  return { type: "file", data: base64Of(file), mediaType: file.mediaType };
}

/** A refusal because of content is final; any other failed poll says nothing of the work. */
function refusedEnd(error: unknown, secrets: readonly string[]): VideoState | null {
  const { kind, publicMessage } = failureOfError(error, secrets);
  return kind === "rejected" && isContentRefusal(publicMessage) ? failedVideo(publicMessage, secrets) : null;
}

function startOptions(
  { prompt }: VideoRequest,
  { durationSeconds, ...settings }: VideoSettings,
  { signal }: CallContext,
): VideoModelV4CallOptions {
  return {
    prompt: prompt ?? undefined,
    n: 1,
    resolution: undefined,
    duration: durationSeconds,
    fps: undefined,
    frameImages: undefined,
    image: undefined,
    inputReferences: undefined,
    seed: undefined,
    generateAudio: undefined,
    aspectRatio: undefined,
    ...settings,
    abortSignal: realSignal(signal),
  };
}

async function videoState(
  videos: readonly Video[],
  { fetchPublic, signal }: { readonly fetchPublic: PublicFetch; readonly signal: StopSignal },
): Promise<VideoState> {
  const [video] = videos;
  if (video?.type !== "url") return failedVideo("", []);
  return fetchVideo(video.url, { fetchPublic, signal });
}
