import { type MusicProvider, type MusicRequest, ProviderFailure } from "../../contract/index.ts";
import type { PublicFetch } from "../../outbound/index.ts";
import { fetchHosted } from "../media/hosted-file.ts";
import { createFinishedWork } from "./finished-work.ts";
import { SOUND_FIELDS } from "./output-address.ts";
import type { RemoteWork, WorkRequest } from "./remote-work.ts";

type WorkMusicOptions = {
  readonly work: RemoteWork;
  encode(upstreamModel: string, request: MusicRequest): WorkRequest;
  readonly takesPictures?: boolean;
  readonly decidesLength: NonNullable<MusicProvider["decidesLength"]>;
  readonly fetchPublic: PublicFetch;
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
  readonly firstWaitMs?: number;
};

const LONGEST_WAIT_MS = 5_000;

/** Music from a vendor that takes orders. */
export function createWorkMusic({
  encode,
  fetchPublic,
  takesPictures,
  ...options
}: WorkMusicOptions): MusicProvider {
  const finish = createFinishedWork({
    ...options,
    what: "music",
    fields: SOUND_FIELDS,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  return {
    decidesLength: options.decidesLength,

    async compose(upstreamModel, request, context) {
      if (request.referenceImages.length > 0 && !takesPictures) {
        throw new ProviderFailure("rejected", "This model takes no reference images.");
      }
      const address = await finish(upstreamModel, encode(upstreamModel, request), context);
      return fetchHosted(address, "audio", { fetchPublic, signal: context.signal });
    },
  };
}
