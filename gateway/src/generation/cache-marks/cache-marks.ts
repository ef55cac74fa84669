import { ratesFor, type TextModel, type TextPrice } from "../../catalog/index.ts";
import {
  type ChatMessage,
  type ChatRequest,
  INDEX_OF,
  isInstruction,
  isMarkedByCaller,
  type MarkPlace,
  type TextProvider,
} from "../../contract/index.ts";
import { type Clock, DAY_MS, MINUTE_MS } from "../../kit/index.ts";
import type { CacheHabit, CacheHabitStore } from "../../usage/index.ts";
import { add, fade, type HabitSums, isWorthMarking, noHabit, readShares, SUMS } from "./cache-habits.ts";

/** How long a provider keeps what was marked; each read begins it anew. */
const MARK_LIFE_MS = 5 * MINUTE_MS;
/** Shapes and ends of conversations that a node remembers: about 5 MB each. Whatever was used least recently goes. */
const MOST_SHAPES = 20_000;
const MOST_ENDS = 20_000;
/** No model caches less, so nothing is computed for shorter prompts. */
const LEAST_CACHED_TOKENS = 1_024;
const DIGEST_CHARACTERS = 32;

type Asker = { readonly orgId: string; readonly model: string };

/** One organization's calls of one model with the same instructions and tools; `shape` is empty for all new shapes. */
type Habit = Asker & {
  readonly shape: string;
  /** Of all nodes, as last read, and what this node has seen since. */
  readonly sums: HabitSums;
  readonly unsaved: HabitSums;
  usedAtMs: number;
  lastAtMs: number;
  markedAtMs: number;
  isNew: boolean;
};

/** The end of a prompt that may be gone on with. */
type End = {
  readonly habit: Habit;
  readonly isFirst: boolean;
  readonly isOfNewShape: boolean;
  readonly isMarked: boolean;
  atMs: number;
  isRead: boolean;
};

/**
 * Decides where a prompt is marked for its provider's cache, by what calls of this shape have done in the last day.
 * Knows prompts by digests only. What was learned is shared between nodes, but not the ends of conversations: one that
 * wanders between nodes looks to each as if it went on less often than it does.
 */
export type CacheMarks = {
  /** Where to mark this request, which is about to be sent. Counts it. */
  placesFor(asker: Asker, request: ChatRequest, price: TextPrice): readonly MarkPlace[];
  /** Exchanges what was learned with the other nodes: at the start, then every minute. */
  exchange(): Promise<void>;
};

export type CachingDeps = {
  readonly marks: CacheMarks;
  readonly registry: { text(provider: string): Pick<TextProvider, "cachesBy"> };
  /** What a provider is told instead of an identity that a caller of this organization chose. */
  sealed(orgId: string, identity: string): string;
};

/** How the request asks for a cache, as far as a target of the model has to be asked. */
export function cachingOf(
  { marks, registry, sealed }: CachingDeps,
  { orgId, model, tokens }: { readonly orgId: string; readonly model: TextModel; readonly tokens: number },
  request: ChatRequest,
): Pick<ChatRequest, "cacheMarks" | "cacheKey"> {
  if (tokens < LEAST_CACHED_TOKENS) return {};
  const asked = model.targets.map((to) => registry.text(to.provider).cachesBy?.(to.model));
  const asker = { orgId, model: model.id };
  return {
    ...(asked.includes("marks")
      ? { cacheMarks: marks.placesFor(asker, request, ratesFor(model, tokens)) }
      : {}),
    ...(asked.includes("key") && hasBeginning(request)
      ? { cacheKey: sealed(orgId, `cache ${hashOfBeginning(asker, request).digest("hex")}`) }
      : {}),
  };
}

function hasBeginning({ messages, tools = [] }: ChatRequest): boolean {
  return tools.length > 0 || messages.some(isInstruction);
}

export function createCacheMarks(deps: {
  readonly store: CacheHabitStore;
  readonly clock: Pick<Clock, "elapsedMs">;
}): CacheMarks {
  return new LearnedMarks(deps.store, deps.clock);
}

class LearnedMarks implements CacheMarks {
  readonly #store: CacheHabitStore;
  readonly #clock: Pick<Clock, "elapsedMs">;
  /** Both ordered by their last use. */
  readonly #habits = new Map<string, Habit>();
  readonly #ends = new Map<string, End>();
  #hasMissed = true;
  #exchanging: Promise<void> | null = null;

  constructor(store: CacheHabitStore, clock: Pick<Clock, "elapsedMs">) {
    this.#store = store;
    this.#clock = clock;
  }

  placesFor(asker: Asker, request: ChatRequest, price: TextPrice): readonly MarkPlace[] {
    if (isMarkedByCaller(request)) return [];
    const { tools = [] } = request;
    const nowMs = this.#clock.elapsedMs();
    const { shape, lastTurn, end } = digestsOf(asker, request);
    const ofNew = this.#habit({ ...asker, shape: "" });
    const habit = this.#habit({ ...asker, shape });
    const { isNew } = habit;
    const isLive = (atMs: number) => nowMs - atMs <= MARK_LIFE_MS;
    const seen = this.#ends.get(lastTurn) ?? this.#ends.get(end);
    const before = seen !== undefined && isLive(seen.atMs) ? seen : null;
    if (before !== null) this.#noteRead(before, ofNew, nowMs);
    if (isLive(habit.lastAtMs)) {
      note(habit, { again: 1 });
      if (habit.sums.firsts + habit.sums.laters === 1) note(ofNew, { again: 1 });
    }
    const shares = readShares(habit.sums, ofNew.sums, tools.length > 0);
    // One that is resumed after a pause is no first call, though nothing of it is cached any more.
    const isFirst = before === null && !this.#ends.has(lastTurn);
    const places: MarkPlace[] = [];
    const marksEnd = isWorthMarking(isFirst ? shares.firsts : shares.laters, price);
    if (marksEnd) places.push("end");
    if (lastTurn !== "" && (marksEnd || before?.isMarked === true)) places.push("last turn");
    // Beside another mark it costs nothing; one that is still cached is read only if it is marked again.
    const marksBeginning =
      places.length > 0 || isLive(habit.markedAtMs) || isWorthMarking(shares.again, price);
    if (marksBeginning && hasBeginning(request)) {
      places.push("beginning");
      habit.markedAtMs = nowMs;
    }
    note(habit, isFirst ? { firsts: 1 } : { laters: 1 });
    if (isNew) note(ofNew, { firsts: 1 });
    habit.isNew = false;
    habit.lastAtMs = nowMs;
    const isMarked = marksEnd;
    this.#ends.delete(end);
    this.#ends.set(end, { habit, isFirst, isOfNewShape: isNew, isMarked, atMs: nowMs, isRead: false });
    if (this.#ends.size > MOST_ENDS) this.#ends.delete(this.#ends.keys().next().value ?? "");
    return places;
  }

  #noteRead(end: End, ofNew: Habit, nowMs: number): void {
    end.atMs = nowMs;
    if (end.isRead) return;
    end.isRead = true;
    note(end.habit, end.isFirst ? { firstsRead: 1 } : { latersRead: 1 });
    if (end.isOfNewShape) note(ofNew, { firstsRead: 1 });
  }

  /** Moves it to the end of the line. */
  #habit({ orgId, model, shape }: Asker & { readonly shape: string }): Habit {
    const key = `${orgId} ${model} ${shape}`;
    const usedAtMs = this.#clock.elapsedMs();
    const known = this.#habits.get(key);
    const habit =
      known !== undefined && usedAtMs - known.usedAtMs < DAY_MS
        ? known
        : {
            ...{ orgId, model, shape, sums: noHabit(), unsaved: noHabit(), usedAtMs },
            ...{ lastAtMs: Number.NEGATIVE_INFINITY, markedAtMs: Number.NEGATIVE_INFINITY, isNew: true },
          };
    habit.usedAtMs = usedAtMs;
    this.#habits.delete(key);
    this.#habits.set(key, habit);
    if (this.#habits.size > MOST_SHAPES) this.#habits.delete(this.#habits.keys().next().value ?? "");
    return habit;
  }

  exchange(): Promise<void> {
    this.#exchanging ??= this.#exchangeAll().finally(() => {
      this.#exchanging = null;
    });
    return this.#exchanging;
  }

  async #exchangeAll(): Promise<void> {
    const taken = [...this.#habits.values()].filter(isWorthSaving).map((habit) => {
      const sums = { ...habit.unsaved };
      add(habit.unsaved, sums, -1);
      return { habit, sums };
    });
    const from = this.#hasMissed ? "ever" : "lately";
    this.#hasMissed = true;
    try {
      const given = taken.map(({ habit: { orgId, model, shape }, sums }) => ({
        orgId,
        model,
        shape,
        ...sums,
      }));
      for (const stored of await this.#store.add(given, from)) this.#take(stored);
      this.#hasMissed = false;
    } catch (error) {
      for (const { habit, sums } of taken) add(habit.unsaved, sums);
      throw error;
    }
  }

  #take(stored: CacheHabit): void {
    const habit = this.#habit(stored);
    habit.isNew = false;
    for (const sum of SUMS) habit.sums[sum] = stored[sum] + habit.unsaved[sum];
  }
}

function note({ sums, unsaved }: Habit, seen: Partial<HabitSums>): void {
  add(sums, seen);
  add(unsaved, seen);
  fade(sums);
  fade(unsaved);
}

/** A shape that was called once says nothing, and instructions that hold the time are called once each. */
function isWorthSaving({ shape, sums, unsaved }: Habit): boolean {
  const isCalledAgain = shape === "" || sums.firsts + sums.laters > 1;
  return isCalledAgain && SUMS.some((sum) => unsaved[sum] !== 0);
}

type Digests = {
  readonly shape: string;
  /** Of the call before this one; empty if this is the first of its conversation. */
  readonly lastTurn: string;
  readonly end: string;
};

function digestsOf(asker: Asker, request: ChatRequest): Digests {
  const { messages } = request;
  const hash = hashOfBeginning(asker, request);
  const digest = () => hash.copy().digest("hex").slice(0, DIGEST_CHARACTERS);
  const shape = digest();
  const lastTurnAt = INDEX_OF["last turn"](messages);
  let lastTurn = "";
  for (const [at, message] of messages.entries()) {
    if (!isInstruction(message)) putMessage(hash, message);
    if (at === lastTurnAt) lastTurn = digest();
  }
  return { shape, lastTurn, end: digest() };
}

/** Tools and instructions, which providers are sent first. A tool counts by name and description: a schema takes long. */
function hashOfBeginning({ orgId, model }: Asker, { messages, tools = [] }: ChatRequest): Bun.CryptoHasher {
  const hash = new Bun.CryptoHasher("sha256");
  put(hash, orgId);
  put(hash, model);
  for (const { name, description = "" } of tools) {
    put(hash, name);
    put(hash, description);
  }
  for (const message of messages) if (isInstruction(message)) putMessage(hash, message);
  return hash;
}

function putMessage(hash: Bun.CryptoHasher, message: ChatMessage): void {
  put(hash, message.role);
  for (const text of textsOf(message)) put(hash, text);
}

/** With its length, so that two texts are not taken for one. */
function put(hash: Bun.CryptoHasher, text: string): void {
  hash.update(`${text.length} `).update(text);
}

function* textsOf(message: ChatMessage): Generator<string> {
  const { content } = message;
  if (typeof content === "string") yield content;
  else
    for (const part of content ?? []) {
      if (part.type === "text") yield part.text;
      else if (part.type === "image") yield part.url;
      else if (part.type === "file") yield part.data;
    }
  if (message.role !== "assistant") return;
  for (const { name, arguments: json } of message.toolCalls ?? []) {
    yield name;
    yield json;
  }
}
