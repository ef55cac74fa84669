import type { ImageProvider, ImageRequest } from "../../contract/index.ts";
import type { PublicFetch } from "../../outbound/index.ts";
import { fetchHosted } from "../media/hosted-file.ts";
import { makeInRounds } from "../media/in-rounds.ts";
import { createFinishedWork } from "./finished-work.ts";
import type { RemoteWork, WorkRequest } from "./remote-work.ts";

type WorkImagesOptions = {
  readonly work: RemoteWork;
  /** Must ask for exactly one image. */
  encode(request: ImageRequest): WorkRequest;
  readonly fetchPublic: PublicFetch;
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
  readonly firstWaitMs?: number;
};

const PICTURE_FIELDS = ["image", "images", "output"];
/** Most images take seconds, and the caller is waiting. */
const LONGEST_WAIT_MS = 1_000;

/** Images from a vendor that takes orders, one per order. */
export function createWorkImages({ encode, fetchPublic, ...options }: WorkImagesOptions): ImageProvider {
  const finish = createFinishedWork({
    ...options,
    what: "picture",
    fields: PICTURE_FIELDS,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  return {
    makeImages(upstreamModel, request, context) {
      const { signal } = context;
      const input = encode(request);
      const make = async () => {
        const address = await finish(upstreamModel, input, context);
        return [await fetchHosted(address, "image", { fetchPublic, signal })];
      };
      return makeInRounds({ n: request.n, perCall: 1, signal, make });
    },
  };
}
