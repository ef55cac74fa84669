import type { ChatMessage } from "../contract/index.ts";

type Turn = Extract<ChatMessage, { role: "assistant" }>;

/**
 * Moves every tool result directly behind the turn that made the call, before anything said in between; wires that we
 * translate to accept no other order. The results of a turn get the order of its calls, because some wires match them
 * by position alone. Assistant text that was said before a result and would now end the conversation is joined to the
 * last turn with calls: at the end, it would be taken as the beginning of the answer. Returns the same array if nothing
 * has to move.
 */
export function withResultsInPlace(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const results = resultsOf(messages);
  if (results === null) return messages;
  const ordered: ChatMessage[] = [];
  /** Index in `ordered` of the last turn with calls, and index in `messages` of the last result of any turn so far. */
  let turnAt = -1;
  let awaitedUntil = -1;
  /** How many messages at the end of `ordered` are assistant text that a result came after. */
  let early = 0;
  for (const [at, message] of messages.entries()) {
    if (results.places.has(at)) continue;
    early = isSaid(message) && at < awaitedUntil ? early + 1 : 0;
    ordered.push(message);
    if (message.role !== "assistant" || !isCalling(message)) continue;
    const own = results.ofTurn.get(at) ?? [];
    turnAt = ordered.length - 1;
    awaitedUntil = Math.max(awaitedUntil, ...own.map((result) => result.at));
    ordered.push(...own.map((result) => result.message));
  }
  if (early > 0) {
    const said = ordered.splice(ordered.length - early) as Turn[];
    ordered[turnAt] = joined(ordered[turnAt] as Turn, said);
  }
  return ordered;
}

/** Index in `messages`, and which of its turn's calls the result answers. */
type Result = { readonly at: number; readonly call: number; readonly message: ChatMessage };

type Results = {
  /** By the index of their turn, in the order of its calls. */
  readonly ofTurn: ReadonlyMap<number, readonly Result[]>;
  /** Indexes in `messages`. Results of calls that were never made are not included. */
  readonly places: ReadonlySet<number>;
};

/** Calls of one turn that share an id (usually one), and how many of them have a result. */
type SameIdCalls = { readonly turn: number; readonly calls: number[]; answered: number };

/** Surplus results with the same id belong to the last call. */
function nextAnswered(same: SameIdCalls): number {
  const next = Math.min(same.answered++, same.calls.length - 1);
  return same.calls[next] ?? 0;
}

/** Null if every result is already behind its turn. */
function resultsOf(messages: readonly ChatMessage[]): Results | null {
  const ofTurn = new Map<number, Result[]>();
  const places = new Set<number>();
  /** By id, only of the last turn that has it: some providers reuse their ids in every turn. */
  const calls = new Map<string, SameIdCalls>();
  let openTurn = -1;
  let isInPlace = true;
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      const made = calls.get(message.toolCallId);
      if (made === undefined) continue;
      places.add(at);
      const { turn } = made;
      const call = nextAnswered(made);
      const own = ofTurn.getOrInsert(turn, []);
      if (turn !== openTurn || (own.at(-1)?.call ?? 0) > call) isInPlace = false;
      own.push({ at, call, message });
    } else if (message.role === "assistant" && isCalling(message)) {
      openTurn = at;
      for (const [call, { id }] of (message.toolCalls ?? []).entries()) {
        const same = calls.get(id);
        if (same?.turn === at) same.calls.push(call);
        else calls.set(id, { turn: at, calls: [call], answered: 0 });
      }
    } else {
      openTurn = -1;
    }
  }
  if (isInPlace) return null;
  for (const own of ofTurn.values()) own.sort((one, other) => one.call - other.call);
  return { ofTurn, places };
}

function isSaid(message: ChatMessage): boolean {
  return message.role === "assistant" && !isCalling(message);
}

function isCalling({ toolCalls }: Turn): boolean {
  return (toolCalls?.length ?? 0) > 0;
}

function joined(turn: Turn, said: readonly Turn[]): Turn {
  const texts = [turn, ...said].map(({ content }) => content).filter((text) => text);
  return { ...turn, content: texts.length === 0 ? null : texts.join("\n\n") };
}
