import type { VideoProvider, VideoRequest, VideoState } from "../../contract/index.ts";
import type { PublicFetch } from "../../outbound/index.ts";
import { failedVideo } from "../failed-video.ts";
import { pollBriefly } from "../media/brief-poll.ts";
import type { Embedding } from "../media/embedded-media.ts";
import { fetchVideo } from "../media/hosted-file.ts";
import { outputAddress } from "./output-address.ts";
import type { RemoteWork, WorkRequest } from "./remote-work.ts";

type WorkVideoOptions = {
  readonly work: RemoteWork;
  /** Throws a ProviderFailure if the vendor does not support the request. */
  check(request: VideoRequest<unknown>): void;
  encode(upstreamModel: string, request: VideoRequest, embedding: Embedding): WorkRequest;
  readonly fetchPublic: PublicFetch;
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
  readonly maxPollMs?: number;
};

const VIDEO_FIELDS = ["video", "videos", "video_url", "video_file", "output"];

/** Video from a vendor that takes orders. The operation contains the id of the order. */
export function createWorkVideo(options: WorkVideoOptions): VideoProvider {
  const { work, encode, fetchPublic, secrets, maxPollMs } = options;
  return {
    knowsOurId: false,
    // Some of its many models do.
    mayKeepExtent: true,
    check: (request) => options.check(request),

    async begin(upstreamModel, request, context) {
      options.check(request);
      const embedding = work.embedded.open();
      try {
        return {
          id: await work.start(upstreamModel, encode(upstreamModel, request, embedding), context),
        };
      } finally {
        embedding.close();
      }
    },

    async poll(upstreamModel, { operation }, context): Promise<VideoState> {
      const id = String(operation["id"]);
      const now = await pollBriefly(context, (brief) => work.poll(upstreamModel, id, brief), maxPollMs);
      if (now.state === "failed") return failedVideo(now.text, secrets, now.isRejected);
      if (now.state !== "done") return now;
      const address = outputAddress(now.output, VIDEO_FIELDS);
      if (address === null) return failedVideo("The model's provider finished without a video.", secrets);
      return fetchVideo(address, { fetchPublic, signal: context.signal });
    },
  };
}
