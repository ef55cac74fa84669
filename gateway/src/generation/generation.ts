import { createKnownCounts, estimateTokens } from "../../../compaction/src/index.ts";
import type { Admitter } from "../admission/index.ts";
import type { Library } from "../assets/index.ts";
import { type ImageModel, imageCost, pricedImages } from "../catalog/index.ts";
import type { ImageReport, ImageRequest, Registry } from "../contract/index.ts";
import type { Clock } from "../kit/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { TIER_SIDES } from "../media/index.ts";
import type { Breaker, PublicFetch } from "../outbound/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { createAnswerPace } from "./answer/answer-pace.ts";
import { createThinkingPace } from "./answer/thinking-pace.ts";
import type { CacheMarks } from "./cache-marks/cache-marks.ts";
import { createChat } from "./chat.ts";
import type { ChatCall } from "./chat-call.ts";
import { type ChatStream, createChatStream } from "./chat-stream.ts";
import { type CreateAudio, createAudio } from "./media/audio.ts";
import { priceMadeImages } from "./media/image-cost.ts";
import { commonSize, type ImageOutcome, joinedReport, keptAsset } from "./media/media-outcome.ts";
import { createMediaMaker, type MakeMedia } from "./media/media-work.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import { createCallMetrics } from "./paid-call/call-metrics.ts";
import { createLearnedOutcomes } from "./paid-call/learned-outcome.ts";
import { createPaidCall } from "./paid-call/paid-call.ts";
import type { RunningCalls } from "./paid-call/running-calls.ts";
import { createSureSettler } from "./paid-call/settle-surely.ts";
import type { ResolvedCall } from "./resolved-call.ts";
import type { TokenCorrections } from "./token-correction/token-correction.ts";

/** A decoded and resolved image call: everything a wire knows about it. */
type ImageCall = ResolvedCall<ImageModel> & { readonly request: ImageRequest };

const MEGAPIXEL_SIDE = TIER_SIDES["1k"];

type CreateImage = (call: ImageCall) => Promise<Paid<ImageOutcome>>;

type ImageDeps = { readonly makeMedia: MakeMedia; readonly registry: Pick<Registry, "image"> };

/** Charges what was made: fewer or smaller images than requested cost less. */
function createImage({ makeMedia, registry }: ImageDeps): CreateImage {
  return (call) => {
    const { model, request } = call;
    const { tier, aspectRatio, n } = request;
    let isTierQuality = false;
    let reports: ImageReport[] = [];
    return makeMedia<ImageOutcome>({
      call,
      kind: "image",
      prompt: request.prompt,
      quote: imageCost({ model, tier, aspectRatio, n }),
      most: n,
      weight: n * (TIER_SIDES[tier] / MEGAPIXEL_SIDE) ** 2,
      ask(to) {
        const provider = registry.image(to.provider);
        // The last provider that is asked is the one that makes the images.
        isTierQuality = provider.isTierQuality?.(to.model) === true;
        reports = [];
        const note = (report: ImageReport) => void reports.push(report);
        return (upstreamModel, context) => provider.makeImages(upstreamModel, request, context, note);
      },
      price: (files) =>
        isTierQuality
          ? pricedImages({ model, made: [{ tier, n: files.length }], aspectRatio })
          : priceMadeImages({ model, tier, aspectRatio, files }),
      outcome: (assets) => ({
        model: model.id,
        images: assets.map(keptAsset),
        size: commonSize(assets),
        report: joinedReport(reports),
      }),
    });
  };
}

export type Generation = {
  /** One reply; null if its client left. Refusals and failures are thrown. */
  chat(call: ChatCall): Promise<Paid<ChatOutcome> | null>;
  /** A reply in parts. Refusals are thrown; later failures are a part of the stream. */
  chatStream(call: ChatCall): Promise<ChatStream>;
  /** Files that are stored, published and paid for. Refusals and failures are thrown. */
  readonly image: CreateImage;
  readonly audio: CreateAudio;
};

export function createGeneration(input: {
  admitter: Admitter;
  ledger: Ledger;
  registry: Registry;
  breaker: Breaker;
  running: RunningCalls;
  metrics: Metrics;
  log: Log;
  clock: Clock;
  corrections: TokenCorrections;
  marks: CacheMarks;
  library: Pick<Library, "store">;
  /** For URLs that clients supply. */
  fetchPublic: PublicFetch;
  callTimeoutMs: number;
  /** Time limit for a provider's first byte; a non-streamed answer must be complete by then. */
  firstByteMs: number;
  /** How long a settlement is retried before its outcome counts as unknown. */
  settleTimeoutMs: number;
  /** What a provider is told instead of an identity that a caller of this organization chose. */
  sealed(orgId: string, identity: string): string;
}): Generation {
  const { log, clock, registry, breaker, admitter, running, corrections, callTimeoutMs: timeoutMs } = input;
  const metrics = createCallMetrics(input.metrics);
  const settler = createSureSettler({
    ledger: input.ledger,
    log,
    clock,
    giveUpAfterMs: input.settleTimeoutMs,
    learned: createLearnedOutcomes({ metrics, log }),
  });
  input.metrics
    .gauge("bursar_settlements_waiting", "Settlements waiting for their batch or for a retry.")
    .read(() => settler.waiting);
  const startCall = createPaidCall({ admitter, settler, running, metrics, log, clock });
  const pace = createAnswerPace({ firstByteMs: input.firstByteMs });
  const thinking = createThinkingPace();
  const countFor = createKnownCounts(estimateTokens);
  const { sealed, marks } = input;
  const reading = { registry, breaker, metrics, log, clock, corrections, thinking };
  const deps = { ...reading, startCall, pace, timeoutMs, countFor, sealed, marks };
  const { library, fetchPublic } = input;
  const { isRepeat } = admitter;
  const makeMedia = createMediaMaker({ startCall, isRepeat, breaker, library, timeoutMs });
  return {
    chat: createChat(deps),
    chatStream: createChatStream(deps),
    image: createImage({ makeMedia, registry }),
    audio: createAudio({ makeMedia, registry, fetchPublic, isRepeat }),
  };
}
