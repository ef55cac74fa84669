import type { ChatMessage } from "./contract.ts";

type Turn = Extract<ChatMessage, { role: "assistant" }>;

/**
 * The same conversation with every tool's result right behind the turn that asked for it, before whatever was said
 * meanwhile: no other order is taken by those to whom a conversation is translated. Results of one turn stand in the order
 * of its calls, since some of these know a call by its place alone. Words of the model's own that were said
 * before a result and would be the end now join the last turn that called something: at the end they would be taken for
 * the beginning of the answer. The very list where all stands in place.
 */
export function withResultsInPlace(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const results = resultsOf(messages);
  if (results === null) return messages;
  const ordered: ChatMessage[] = [];
  /** Where the last turn that called something stands now, and where the last result of any turn so far stood. */
  let turnAt = -1;
  let awaitedUntil = -1;
  /** How many of the last ones are words of the model's that a result came after. */
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

/** Where it stands now, and which of its turn's calls it answers. */
type Result = { readonly at: number; readonly call: number; readonly message: ChatMessage };

type Results = {
  /** By the place of their turn, in the order of its calls. */
  readonly ofTurn: ReadonlyMap<number, readonly Result[]>;
  /** Where they stand now; a result of a call that nobody made is none of them. */
  readonly places: ReadonlySet<number>;
};

/** Calls of one turn that share an id, mostly one, and how many of them are answered. */
type SameIdCalls = { readonly turn: number; readonly calls: number[]; answered: number };

/** The last one is answered by whatever else has the id. */
function nextAnswered(same: SameIdCalls): number {
  const next = Math.min(same.answered++, same.calls.length - 1);
  return same.calls[next] ?? 0;
}

/** Null where each stands behind its turn already. */
function resultsOf(messages: readonly ChatMessage[]): Results | null {
  const ofTurn = new Map<number, Result[]>();
  const places = new Set<number>();
  /** By their id, those of the last turn that has it: there are providers that begin their ids anew with every turn. */
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
      const own = ofTurn.get(turn) ?? [];
      if (turn !== openTurn || (own.at(-1)?.call ?? 0) > call) isInPlace = false;
      own.push({ at, call, message });
      ofTurn.set(turn, own);
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
