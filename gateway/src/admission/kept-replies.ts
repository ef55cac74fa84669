import type { Database } from "../db/index.ts";
import { createGate, overloaded } from "../kit/index.ts";
import { loadReply, type ReplyQuestion } from "./store.ts";

/**
 * A reply may be a megabyte, and a repeat costs neither rate nor credits. Replies are therefore read apart from
 * admissions, over the pool and a few at a time, so that no caller waits for another's reply.
 */
const AT_ONCE = {
  slots: 4,
  // A waiting question takes a few hundred bytes.
  maxWaiting: 2_048,
  maxWaitMs: 10_000,
  ofOne: { slots: 2, maxWaiting: 1_536 },
  lends: true,
};

/** Null if the reply could not be stored. */
type ReadReply = (question: ReplyQuestion) => Promise<string | null>;

export function createReadReply(db: Database): ReadReply {
  const gate = createGate(AT_ONCE);
  /** By request id, so that concurrent repeats share one read: a stored reply never changes. */
  const reading = new Map<string, Promise<string | null>>();

  async function read(question: ReplyQuestion): Promise<string | null> {
    const leave = await gate.enter(question.orgId);
    try {
      const kept = await loadReply(db, question);
      if (kept === null) throw overloaded("the key of a repeat was forgotten after it was found");
      return kept.reply;
    } finally {
      leave();
    }
  }

  return (question) => {
    const { requestId } = question;
    const shared = reading.get(requestId);
    if (shared !== undefined) return shared;
    const own = read(question).finally(() => reading.delete(requestId));
    reading.set(requestId, own);
    return own;
  };
}
