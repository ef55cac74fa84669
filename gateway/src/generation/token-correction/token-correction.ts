import type { ChatRequest } from "../../contract/index.ts";
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
  sumOf,
  takeUnsaved,
} from "./correction-sums.ts";

type Asker = { readonly orgId: string; readonly model: string };

/** Pairs of organization and model that a node remembers: a few megabytes. */
const MOST_ENTRIES = 10_000;

type Entry = { readonly asker: Asker; readonly learned: LearnedModel };

/**
 * What each organization's own calls have taught about each model; the pair that learned least recently is evicted
 * first.
 */
class OwnLearned {
  /** Ordered by when they last learned, the most recent at the end. */
  readonly #entries = new Map<string, Entry>();
  #last: Entry | undefined;

  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  find(asker: Asker): LearnedModel | undefined {
    return this.#entries.get(keyOf(asker))?.learned;
  }

  /** Moves the entry to the end; the caller updates what it returns. */
  toLearn({ orgId, model }: Asker): LearnedModel {
    const key = keyOf({ orgId, model });
    const entry = this.#entries.get(key) ?? { asker: { orgId, model }, learned: nothingLearned() };
    if (entry === this.#last) return entry.learned;
    this.#entries.delete(key);
    if (this.#entries.size >= MOST_ENTRIES) this.#entries.delete(this.#entries.keys().next().value ?? "");
    this.#entries.set(key, entry);
    this.#last = entry;
    return entry.learned;
  }
}

function keyOf({ orgId, model }: Asker): string {
  return `${orgId} ${model}`;
}

export type { PromptEstimate };

/**
 * How a model's token counts differ from ours: one factor for the text and a constant that its provider adds, learned
 * from reported usage. Only for quotes and shown numbers: it differs between nodes and over time, so anything that
 * must be the same from call to call may not use it. A sender whose text we misjudge moves it. So shown numbers use
 * everybody's calls, the holds of an organization use its own calls and what several others agree on, and charges do
 * not use it at all.
 */
export type TokenCorrections = {
  /** The tokens that the model's provider will probably report, by everybody's calls: for shown numbers. */
  correct(model: string, estimate: PromptEstimate): number;
  /**
   * The same by the organization's own calls, or by what several organizations agree on if that is more: for holds.
   */
  correctFor(asker: Asker, estimate: PromptEstimate): number;
  /** Learns from the usage reported for a text-only prompt, estimated as it was sent. Ignores nonsense. */
  learn(asker: Asker, estimate: PromptEstimate, reportedTokens: number): void;
  /** Exchanges what was learned with the other nodes: at the start, then every minute. */
  exchange(): Promise<void>;
};

export function createTokenCorrections(store: TokenSumStore): TokenCorrections {
  return new LearnedCorrections(store);
}

class LearnedCorrections implements TokenCorrections {
  readonly #store: TokenSumStore;
  readonly #own = new OwnLearned();
  /** By everybody's calls: of each model the sum at the last exchange, and what this node has learned since. */
  #models = new Map<string, LearnedModel>();
  /** By model, as of the last exchange. */
  #agreed = new Map<string, AgreedCorrection>();
  /** True until the sums of all organizations were read once, and again after a read failed. */
  #hasMissed = true;
  /** One at a time: an exchange must not put back what another one has saved. */
  #exchanging: Promise<void> | null = null;

  constructor(store: TokenSumStore) {
    this.#store = store;
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
    const ofModel = this.#models.getOrInsertComputed(asker.model, nothingLearned);
    learnReport(ofModel, estimate, reportedTokens);
    learnReport(this.#own.toLearn(asker), estimate, reportedTokens);
  }

  exchange(): Promise<void> {
    this.#exchanging ??= this.#exchangeAll().finally(() => {
      this.#exchanging = null;
    });
    return this.#exchanging;
  }

  async #exchangeAll(): Promise<void> {
    const taken = [...this.#own.entries].flatMap(({ asker, learned }) =>
      takeUnsaved(learned).map((sums) => ({ ...asker, ...sums })),
    );
    const from = this.#hasMissed ? "ever" : "lately";
    this.#hasMissed = true;
    try {
      const stored = await this.#store.add(taken, from);
      for (const sums of stored) setStored(this.#own.toLearn(sums)[sums.kind], sums);
      this.#hasMissed = false;
    } catch (error) {
      for (const sums of taken) putBack(this.#own.toLearn(sums)[sums.kind], sums);
      throw error;
    }
    this.#combine();
  }

  #combine(): void {
    this.#models = new Map();
    this.#agreed = new Map();
    for (const [model, entries] of Map.groupBy(this.#own.entries, ({ asker }) => asker.model)) {
      const own = entries.map(({ learned }) => learned);
      this.#models.set(model, sumOf(own));
      const agreed = agreedOn(own);
      if (agreed !== null) this.#agreed.set(model, agreed);
    }
  }
}

const NOTHING = nothingLearned();

function correctedBy(learned: LearnedModel, { tokens, kind }: PromptEstimate): number {
  return correctedTokens(tokens, factorOf(learned), addedOf(learned, kind));
}

export function promptKindOf({
  tools,
  responseFormat,
}: Pick<ChatRequest, "tools" | "responseFormat">): PromptKind {
  if (tools !== undefined && tools.length > 0) return "tools";
  return responseFormat?.type === "json_schema" ? "schema" : "plain";
}
