import { createKnownCounts, estimateTokens } from "../../../compaction/src/index.ts";
import { modelFrom } from "../catalog/testing.ts";
import { credits, finishSteps } from "../kit/index.ts";
import { noopTracer } from "../telemetry/index.ts";
import type { TokenSumStore } from "../usage/index.ts";
import { type AnswerPace, createAnswerPace } from "./answer/answer-pace.ts";
import type { CacheMarks } from "./cache-marks/cache-marks.ts";
import { type ChatCall, type QuoteDeps, type QuotedChat, quoteSteps } from "./chat-call.ts";
import type { ChatPrompt } from "./prompt/chat-prompt.ts";
import { createTokenCorrections, type TokenCorrections } from "./token-correction/token-correction.ts";

export const knownCounts = createKnownCounts(estimateTokens);

export const MODEL = modelFrom({
  type: "text",
  credits_per_request: 1,
  price: { input_per_million: 1_000, output_per_million: 1_000 },
  limits: { context_tokens: 100_000, max_output_tokens: 100 },
});

export const NO_SUMS: TokenSumStore = { add: async () => [] };
export const noMarks: CacheMarks = { placesFor: () => [], exchange: async () => {} };
const ignorant = createTokenCorrections(NO_SUMS);

type QuoteSetting = {
  efficiency?: ChatCall["efficiency"];
  corrections?: TokenCorrections;
  model?: typeof MODEL;
  pace?: AnswerPace;
  maxTokens?: number | null;
  registry?: QuoteDeps["registry"];
  countFor?: QuoteDeps["countFor"];
  marks?: CacheMarks;
};

/** A registry whose targets accept everything. */
export const WILLING: QuoteDeps["registry"] = { text: () => ({}) };

/** A quoted call with defaults; prompt and settings can be overridden. */
export function quote(
  changes: Partial<ChatPrompt> = {},
  {
    efficiency = "off",
    corrections = ignorant,
    model = MODEL,
    pace = createAnswerPace({ firstByteMs: 120_000 }),
    maxTokens = 100,
    registry = WILLING,
    countFor = knownCounts,
    marks = noMarks,
  }: QuoteSetting = {},
): QuotedChat {
  const call: ChatCall = {
    principal: {
      organization: {
        id: "o",
        name: "Acme",
        slug: "acme",
        plan: "free",
        active: true,
        efficiency: "off",
        disabledModels: new Set(),
      },
      keyId: "k",
      scopes: new Set(),
      limits: { requestsPerMinute: null, inFlight: null },
    },
    plan: {
      name: "free",
      usdCents: 0,
      monthlyCredits: credits(0),
      requestsPerMinute: 60,
      inFlight: 5,
      videoJobs: 1,
    },
    memberUserId: null,
    requestId: "r",
    endpoint: "test",
    model,
    prompt: { messages: [{ role: "user", content: "hi" }], ...changes },
    maxTokens,
    lowersLimit: false,
    efficiency,
    idempotency: null,
    span: noopTracer.start("test"),
    turns: { inTurns: finishSteps },
    watchClient: () => () => {},
  };
  const deps = { registry, corrections, pace, timeoutMs: 1_000, countFor, marks, sealed: () => "" };
  return finishSteps(quoteSteps(call, deps));
}
