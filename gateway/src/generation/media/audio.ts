import type { Admitter } from "../../admission/index.ts";
import {
  type MusicModel,
  musicCost,
  pricedMusic,
  pricedSpeech,
  type SpeechModel,
  type Target,
} from "../../catalog/index.ts";
import type { Registry, SpeechRequest } from "../../contract/index.ts";
import { present } from "../../kit/index.ts";
import type { PublicFetch } from "../../outbound/index.ts";
import type { Paid } from "../outcome.ts";
import { paidLengthMs } from "../paid-length.ts";
import type { ResolvedCall, WaitingCall } from "../resolved-call.ts";
import { createReferenceImages, type ReferenceImages } from "./audio-references.ts";
import { type AudioOutcome, keptAsset } from "./media-outcome.ts";
import type { MakeMedia } from "./media-work.ts";

/** A decoded and resolved audio call: everything a wire knows about it. */
export type SpeechCall = ResolvedCall<SpeechModel> & {
  readonly kind: "speech";
  readonly prompt: string;
  /** The prompt's length in Unicode code points: the charged quantity. */
  readonly characters: number;
  readonly request: SpeechRequest;
};

export type MusicCall = ResolvedCall<MusicModel> &
  WaitingCall & {
    readonly kind: "music";
    readonly prompt: string;
    readonly style: string | null;
    readonly durationMs: number;
    /** Fetched by us, through the guard against private addresses. */
    readonly referenceImageUrls: readonly string[];
  };

/** A few minutes of compressed audio; for the unit see `MediaWork`. */
const AUDIO_WEIGHT = 2;

type AudioCall = SpeechCall | MusicCall;
export type CreateAudio = (call: AudioCall) => Promise<Paid<AudioOutcome>>;

type AudioDeps = {
  readonly makeMedia: MakeMedia;
  readonly registry: Pick<Registry, "serves" | "speech" | "music">;
  readonly fetchPublic: PublicFetch;
  readonly isRepeat: Admitter["isRepeat"];
};

export function createAudio(deps: AudioDeps): CreateAudio {
  const references = createReferenceImages(deps.fetchPublic);
  return (call) => (call.kind === "speech" ? speak(deps, call) : compose(deps, call, references));
}

function speak({ makeMedia, registry }: AudioDeps, call: SpeechCall): Promise<Paid<AudioOutcome>> {
  const { model, characters, prompt, request } = call;
  const price = pricedSpeech({ model, characters });
  return makeMedia<AudioOutcome>({
    call,
    kind: "audio",
    prompt,
    quote: price.cost,
    most: 1,
    weight: AUDIO_WEIGHT,
    ask(to) {
      const provider = registry.speech(to.provider);
      return async (upstreamModel, context) => [await provider.speak(upstreamModel, request, context)];
    },
    price: () => price,
    outcome: (assets) => ({ model: model.id, audioKind: "speech", audio: keptAsset(only(assets)) }),
  });
}

/**
 * References are fetched before the hold: a URL without an image is an invalid field, and leaves no trace. A repeat
 * skips this, since it is answered from the stored reply and its URLs may be gone.
 */
async function compose(
  { makeMedia, registry, isRepeat }: AudioDeps,
  call: MusicCall,
  references: ReferenceImages,
): Promise<Paid<AudioOutcome>> {
  const { model, prompt, style, durationMs, referenceImageUrls: urls, endpoint, idempotency } = call;
  const { keyId, organization } = call.principal;
  const { id: orgId } = organization;
  const isKnown = urls.length > 0 && (await isRepeat({ orgId, keyId, endpoint, idempotency }));
  let referenceImages = isKnown ? null : await references.fetch(orgId, urls);
  if (!isKnown && urls.length > 0) await call.askAgain();
  const longestMs = (to: Target) =>
    registry.music(to.provider).decidesLength?.(to.model) ? model.limits.duration.maxMs : durationMs;
  const served = model.targets.filter(({ provider }) => registry.serves(provider, "music"));
  let mostMs = durationMs;
  return makeMedia<AudioOutcome>({
    call,
    kind: "audio",
    prompt,
    quote: musicCost({ model, durationMs: Math.max(durationMs, ...served.map(longestMs)) }),
    most: 1,
    weight: AUDIO_WEIGHT,
    ask(to) {
      const provider = registry.music(to.provider);
      return async (upstreamModel, context) => {
        // The first call failed between our check and the admission, so this is no repeat after all.
        referenceImages ??= await references.fetch(orgId, urls);
        const request = { prompt, style, durationMs, referenceImages };
        mostMs = longestMs(to);
        return [await provider.compose(upstreamModel, request, context)];
      };
    },
    // A shorter piece costs its own length. So does a longer one if the model derives the length from the prompt,
    // which may have asked for it.
    price: (files) => {
      const madeMs = paidLengthMs(only(files).durationMs ?? durationMs, durationMs);
      return pricedMusic({ model, durationMs: Math.min(madeMs, mostMs) });
    },
    outcome: (assets) => ({ model: model.id, audioKind: "music", audio: keptAsset(only(assets)) }),
  });
}

function only<Made>(made: readonly Made[]): Made {
  return present(made[0], "what was made");
}
