import type { MusicRequest, Provider } from "../../contract/index.ts";
import type { WaysOut } from "../../outbound/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { vendorSecrets } from "../vendor-secrets.ts";
import { encodeVideo } from "./fal.ts";
import { createFalQueue } from "./fal-queue.ts";
import { createWorkMusic } from "./work-music.ts";
import { createWorkVideo } from "./work-video.ts";

/** Where the program listens unless it is told otherwise. */
const BASE_URL = "http://127.0.0.1:9000";

/** The sandbox's music and video: fal's queue, beside the `/v1` of its other wire and with fields of its own. */
export function createSandboxQueue(
  given: ProviderSettings,
  { outbound, fetchPublic }: WaysOut,
): Pick<Provider, "music" | "video"> {
  const settings = { ...given, baseUrl: given.baseUrl?.replace(/\/v1$/, "") ?? BASE_URL };
  const work = createFalQueue(settings, outbound, true);
  const shared = { work, fetchPublic, secrets: vendorSecrets(settings) };
  return {
    music: createWorkMusic({
      ...shared,
      encode: encodeMusic,
      takesPictures: true,
      decidesLength: () => false,
      // Its status waits for the end, so that asking at once is no haste.
      firstWaitMs: 20,
    }),
    video: createWorkVideo({
      ...shared,
      knowsOurId: true,
      mayKeepExtent: false,
      check: () => {},
      encode: (model, request, embedding) => ({
        ...encodeVideo(model, request, embedding),
        draft: request.draft,
      }),
    }),
  };
}

function encodeMusic(_upstreamModel: string, request: MusicRequest) {
  const { prompt, style, durationMs, referenceImages } = request;
  const pictures = referenceImages.map(
    ({ bytes, mediaType }) => `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`,
  );
  return { prompt, style, duration: durationMs / 1_000, image_urls: pictures };
}
