import {
  type CallContext,
  ProviderFailure,
  type VideoProvider,
  type VideoRequest,
  type VideoState,
} from "../../contract/index.ts";
import type { PublicFetch } from "../../outbound/index.ts";
import { failedVideo } from "../failed-video.ts";
import { pollBriefly } from "../media/brief-poll.ts";
import type { Embedding } from "../media/embedded-media.ts";
import { fetchVideo } from "../media/hosted-file.ts";
import { outputAddress } from "./output-address.ts";
import type { RemoteWork, WorkRequest } from "./remote-work.ts";

type WorkVideoOptions = Partial<Pick<VideoProvider, "knowsOurId" | "mayKeepExtent">> & {
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
  const { work, encode, fetchPublic, secrets, maxPollMs, knowsOurId = false, mayKeepExtent = true } = options;

  async function begin(upstreamModel: string, request: VideoRequest, context: CallContext) {
    options.check(request);
    const embedding = work.embedded.open();
    try {
      return { id: await work.start(upstreamModel, encode(upstreamModel, request, embedding), context) };
    } finally {
      embedding.close();
    }
  }

  return {
    knowsOurId,
    // Some of its many models do.
    mayKeepExtent,
    check: (request) => options.check(request),

    begin,

    async poll(upstreamModel, { operation, request }, context): Promise<VideoState> {
      const id = String(operation["id"]);
      const poll = () => pollBriefly(context, (brief) => work.poll(upstreamModel, id, brief), maxPollMs);
      const now = await poll().catch(async (error) => {
        // It lost a file of the order, or another of its machines has it: by our id, the same order again is the same.
        if (!(knowsOurId && error instanceof ProviderFailure && error.detail.status === 404)) throw error;
        await begin(upstreamModel, await request(), context);
        return poll();
      });
      if (now.state === "failed") return failedVideo(now.text, secrets, now.reason);
      if (now.state !== "done") return now;
      const address = outputAddress(now.output, VIDEO_FIELDS);
      if (address === null) return failedVideo("The model's provider finished without a video.", secrets);
      return fetchVideo(address, { fetchPublic, signal: context.signal });
    },
  };
}
