import type { ImageProvider } from "../../../contract/index.ts";
import { type PublicFetch, readJson } from "../../../outbound/index.ts";
import { makeInRounds } from "../../media/in-rounds.ts";
import type { WireAddress } from "../address.ts";
import type { ImageHabits } from "./images-habits.ts";
import { decodeImageReply, imageReportIn } from "./images-reply.ts";
import { encodeImageRequest, hasQualities, imagesPerCall } from "./images-request.ts";
import type { MediaCall } from "./media-call.ts";

/** Ten of the largest images as text. A reply near this size is no image that anyone asked for. */
const MAX_REPLY_BYTES = 96 << 20;

type WireImagesDeps = {
  readonly address: WireAddress;
  readonly call: MediaCall;
  readonly fetchPublic: PublicFetch;
};

export function createWireImages(habits: ImageHabits, deps: WireImagesDeps): ImageProvider {
  const { address, call, fetchPublic } = deps;
  const { secrets } = address;
  return {
    isTierQuality: hasQualities,
    makeImages(model, request, context, note) {
      const target = { model, habits };
      const { signal } = context;
      return makeInRounds({
        n: request.n,
        perCall: imagesPerCall(target),
        signal,
        async make(n) {
          const body = encodeImageRequest(request, target, n);
          const accept = "application/json";
          const response = await call({ path: habits.path, model, body, accept }, context);
          const reply = await readJson(response, MAX_REPLY_BYTES);
          const made = await decodeImageReply(reply, n, { fetchPublic, signal, secrets });
          note?.(imageReportIn(reply));
          return made;
        },
      });
    },
  };
}
