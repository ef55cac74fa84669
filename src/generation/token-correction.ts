import type { ChatRequest } from "../providers/index.ts";
import type { PromptKind, TokenSumStore } from "../usage/index.ts";
import { agreedOn } from "./agreed-correction.ts";
import {
  DOUBT_CALLS,
  DOUBT_TOKENS,
  keep,
  type Learned,
  type LearnedModel,
  learnReport,
  nothingLearned,
  putBack,
  takeFresh,
} from "./token-correction-sums.ts";

/** A prompt's tokens by our own count, and what kind of prompt it is. */
export type PromptEstimate = { readonly tokens: number; readonly kind: PromptKind };

/**
 * How a model counts tokens, against how we do: one factor for the text and a fixed number for what its provider
 * adds, learned from reported usage. For quotes and shown numbers only: it differs between nodes and over time, so
 * what must stay the same from call to call may not ask it. Whoever writes what we misjudge moves it: what is shown
 * goes by everybody's calls, what is held from an organization by its own and by what several others agree on, and
 * nothing is charged by it.
 */
export type TokenCorrections = {
  /** From 0.5 to 2; 1 for a model of which nothing is known yet. */
  of(model: string): number;
  /** The tokens that the model's provider will probably report, by everybody's calls: to be shown. */
  correct(model: string, estimate: PromptEstimate): number;
  /** The same by the organization's own calls, or by what several organizations agree on if that is more: to be held for. */
  correctFor(asker: Asker, estimate: PromptEstimate): number;
  /** What was reported for a prompt of text alone, estimated as it was sent. Nonsense is ignored. */
  learn(asker: Asker, estimate: PromptEstimate, reportedTokens: number): void;
  /** Gives to the other nodes what this one has learned and takes what they have: at the start, then every minute. */
  exchange(): Promise<void>;
};

export type Asker = { readonly orgId: string; readonly model: string };

const LEAST_FACTOR = 0.5;
const MOST_FACTOR = 2;
/** More than any provider is known to add for tools. */
const MOST_ADDED_TOKENS = 1_000;

/** Organizations times models whose own calls a node remembers: a few megabytes. */
const MOST_OWN = 10_000;

export function createTokenCorrections(store: TokenSumStore): TokenCorrections {
  /** Bounded by the catalog, whose models alone are learned. */
  const models = new Map<string, LearnedModel>();
  /** Whoever has learned last stands last. */
  const own = new Map<string, LearnedModel>();
  /** By model, as of the last exchange. */
  let agreed: ReadonlyMap<string, LearnedModel> = new Map();
  /** Until others' sums were read once, and again after they could not be. */
  let hasMissed = true;
  /** One at a time: what one has given away, another may not put back. */
  let exchanging: Promise<void> | null = null;

  function learnedOf(model: string): LearnedModel {
    const known = models.get(model);
    if (known !== undefined) return known;
    const learned = nothingLearned();
    models.set(model, learned);
    return learned;
  }

  function ownOf(asker: Asker): LearnedModel {
    const key = ownKey(asker);
    const learned = own.get(key) ?? nothingLearned();
    own.delete(key);
    if (own.size >= MOST_OWN) own.delete(own.keys().next().value ?? "");
    own.set(key, learned);
    return learned;
  }

  async function exchangeAll(): Promise<void> {
    await exchangeOnce();
    await exchangeOwn();
    agreed = agreedIn(own);
  }

  async function exchangeOwn(): Promise<void> {
    const taken = takeFresh(own).map(({ model: key, ...sums }) => ({ ...sums, ...askerOf(key) }));
    const from = hasMissed ? "ever" : "lately";
    hasMissed = true;
    try {
      const stored = await store.addOwn(taken, from);
      for (const sums of stored) keep(ownOf(sums)[sums.kind], sums);
      hasMissed = false;
    } catch (error) {
      for (const sums of taken) putBack(ownOf(sums)[sums.kind], sums);
      throw error;
    }
  }

  async function exchangeOnce(): Promise<void> {
    const taken = takeFresh(models);
    try {
      const stored = await store.add(taken);
      for (const sums of stored) keep(learnedOf(sums.model)[sums.kind], sums);
    } catch (error) {
      for (const sums of taken) putBack(learnedOf(sums.model)[sums.kind], sums);
      throw error;
    }
  }

  return {
    of: (model) => factorFrom(models.get(model) ?? NOTHING),
    correct: (model, estimate) => corrected(models.get(model) ?? NOTHING, estimate),
    correctFor(asker, estimate) {
      const byOwn = corrected(own.get(ownKey(asker)) ?? NOTHING, estimate);
      const byOthers = agreed.get(asker.model);
      return byOthers === undefined ? byOwn : Math.max(byOwn, corrected(byOthers, estimate));
    },

    learn(asker, estimate, reportedTokens) {
      if (!(estimate.tokens > 0 && Number.isSafeInteger(reportedTokens) && reportedTokens > 0)) return;
      for (const learned of [learnedOf(asker.model), ownOf(asker)]) {
        learnFrom(learned, estimate, reportedTokens);
      }
    },

    exchange() {
      exchanging ??= exchangeAll().finally(() => {
        exchanging = null;
      });
      return exchanging;
    },
  };
}

const NOTHING = nothingLearned();

function ownKey({ orgId, model }: Asker): string {
  return `${orgId} ${model}`;
}

/** No id has a space in it. */
function askerOf(key: string): Asker {
  const at = key.indexOf(" ");
  return { orgId: key.slice(0, at), model: key.slice(at + 1) };
}

function agreedIn(own: ReadonlyMap<string, LearnedModel>): ReadonlyMap<string, LearnedModel> {
  const byModel = new Map<string, LearnedModel[]>();
  for (const [key, learned] of own) {
    const { model } = askerOf(key);
    const others = byModel.get(model);
    if (others === undefined) byModel.set(model, [learned]);
    else others.push(learned);
  }
  const agreed = new Map<string, LearnedModel>();
  for (const [model, all] of byModel) {
    const shared = agreedOn(all);
    if (shared !== null) agreed.set(model, shared);
  }
  return agreed;
}

function corrected(learned: LearnedModel, { tokens, kind }: PromptEstimate): number {
  return Math.ceil(tokens * factorFrom(learned) + addedFrom(learned, kind));
}

function learnFrom(learned: LearnedModel, { tokens, kind }: PromptEstimate, reportedTokens: number): void {
  const factor = factorFrom(learned);
  learnReport(learned[kind], { tokens, reportedTokens, factor, addedTokens: addedFrom(learned, kind) });
}

export function promptKindOf({
  tools,
  responseFormat,
}: Pick<ChatRequest, "tools" | "responseFormat">): PromptKind {
  if (tools !== undefined && tools.length > 0) return "tools";
  return responseFormat?.type === "json_schema" ? "schema" : "plain";
}

/** The text's factor is the same with tools and without. */
function factorFrom({ plain, schema, tools }: LearnedModel): number {
  const reported = DOUBT_TOKENS + reportedIn(plain) + reportedIn(schema) + reportedIn(tools);
  const estimated = DOUBT_TOKENS + estimatedIn(plain) + estimatedIn(schema) + estimatedIn(tools);
  return clamp(reported / estimated, LEAST_FACTOR, MOST_FACTOR);
}

function reportedIn({ kept, fresh }: Learned): number {
  return kept.reported + fresh.reported;
}

function estimatedIn({ kept, fresh }: Learned): number {
  return kept.estimated + fresh.estimated;
}

function addedFrom(learned: LearnedModel, kind: PromptKind): number {
  const { kept, fresh } = learned[kind];
  return clamp((kept.beyond + fresh.beyond) / (kept.calls + fresh.calls + DOUBT_CALLS), 0, MOST_ADDED_TOKENS);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
