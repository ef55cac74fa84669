import type { ChatRequest } from "../../providers/index.ts";
import type { PromptKind, TokenSumStore } from "../../usage/index.ts";
import { type AgreedCorrection, agreedOn } from "./agreed-correction.ts";
import { correctedTokens } from "./correction-formula.ts";
import {
  addedOf,
  factorOf,
  type LearnedModel,
  learnReport,
  nothingLearned,
  type PromptEstimate,
  putBack,
  setStored,
  takeUnsaved,
} from "./correction-sums.ts";
import { type Asker, OwnLearned } from "./own-learned.ts";

export type { PromptEstimate };

/**
 * How a model's token count differs from ours: one factor for the text, and a fixed number for what its provider adds,
 * both learned from reported usage. Use it only for quotes and displayed numbers: it differs between nodes and over
 * time, so nothing that must stay the same from call to call may depend on it. Anyone can move it by sending text that
 * we misjudge. So displayed numbers use everybody's calls; what is held from an organization uses its own calls and
 * what several others agree on; and nothing is charged by it.
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

export function createTokenCorrections(store: TokenSumStore): TokenCorrections {
  return new LearnedCorrections(store);
}

class LearnedCorrections implements TokenCorrections {
  readonly #store: TokenSumStore;
  /** By everybody's calls; bounded by the catalog, whose models alone are learned. */
  readonly #models = new Map<string, LearnedModel>();
  readonly #own = new OwnLearned();
  /** By model, as of the last exchange. */
  #agreed: ReadonlyMap<string, AgreedCorrection> = new Map();
  /** Until others' own sums were read once, and again after they could not be. */
  #hasMissed = true;
  /** One at a time: what one has given away, another may not put back. */
  #exchanging: Promise<void> | null = null;

  constructor(store: TokenSumStore) {
    this.#store = store;
  }

  of(model: string): number {
    return factorOf(this.#models.get(model) ?? NOTHING);
  }

  correct(model: string, estimate: PromptEstimate): number {
    return correctedBy(this.#models.get(model) ?? NOTHING, estimate);
  }

  correctFor(asker: Asker, estimate: PromptEstimate): number {
    const byOwn = correctedBy(this.#own.find(asker) ?? NOTHING, estimate);
    const agreed = this.#agreed.get(asker.model);
    if (agreed === undefined) return byOwn;
    return Math.max(byOwn, correctedTokens(estimate.tokens, agreed.factor, agreed.added[estimate.kind]));
  }

  learn(asker: Asker, estimate: PromptEstimate, reportedTokens: number): void {
    if (!(estimate.tokens > 0 && Number.isSafeInteger(reportedTokens) && reportedTokens > 0)) return;
    learnReport(this.#ofModel(asker.model), estimate, reportedTokens);
    learnReport(this.#own.toLearn(asker), estimate, reportedTokens);
  }

  exchange(): Promise<void> {
    this.#exchanging ??= this.#exchangeAll().finally(() => {
      this.#exchanging = null;
    });
    return this.#exchanging;
  }

  async #exchangeAll(): Promise<void> {
    await this.#exchangeModels();
    await this.#exchangeOwn();
    this.#agreed = agreedByModel(this.#own);
  }

  async #exchangeModels(): Promise<void> {
    const taken = [...this.#models].flatMap(([model, learned]) =>
      takeUnsaved(learned).map((sums) => ({ model, ...sums })),
    );
    try {
      const stored = await this.#store.add(taken);
      for (const sums of stored) setStored(this.#ofModel(sums.model)[sums.kind], sums);
    } catch (error) {
      for (const sums of taken) putBack(this.#ofModel(sums.model)[sums.kind], sums);
      throw error;
    }
  }

  async #exchangeOwn(): Promise<void> {
    const taken = [...this.#own.entries].flatMap(({ asker, learned }) =>
      takeUnsaved(learned).map((sums) => ({ ...asker, ...sums })),
    );
    const from = this.#hasMissed ? "ever" : "lately";
    this.#hasMissed = true;
    try {
      const stored = await this.#store.addOwn(taken, from);
      for (const sums of stored) setStored(this.#own.toLearn(sums)[sums.kind], sums);
      this.#hasMissed = false;
    } catch (error) {
      for (const sums of taken) putBack(this.#own.toLearn(sums)[sums.kind], sums);
      throw error;
    }
  }

  #ofModel(model: string): LearnedModel {
    const known = this.#models.get(model);
    if (known !== undefined) return known;
    const learned = nothingLearned();
    this.#models.set(model, learned);
    return learned;
  }
}

const NOTHING = nothingLearned();

function correctedBy(learned: LearnedModel, { tokens, kind }: PromptEstimate): number {
  return correctedTokens(tokens, factorOf(learned), addedOf(learned, kind));
}

function agreedByModel(own: OwnLearned): ReadonlyMap<string, AgreedCorrection> {
  const agreed = new Map<string, AgreedCorrection>();
  for (const [model, entries] of Map.groupBy(own.entries, ({ asker }) => asker.model)) {
    const shared = agreedOn(entries.map(({ learned }) => learned));
    if (shared !== null) agreed.set(model, shared);
  }
  return agreed;
}

export function promptKindOf({
  tools,
  responseFormat,
}: Pick<ChatRequest, "tools" | "responseFormat">): PromptKind {
  if (tools !== undefined && tools.length > 0) return "tools";
  return responseFormat?.type === "json_schema" ? "schema" : "plain";
}
