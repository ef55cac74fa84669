import type { Database } from "../db/index.ts";
import { SECOND_MS } from "../kit/index.ts";
import { deleteOldRefusals, type Refusal, saveRefusals } from "./refusal-store.ts";

/** Refused calls: counted in memory and written once a second, so that no refusal waits for it. */
export type RefusalCounts = {
  count(refusal: Refusal): void;
  flush(): Promise<void>;
  /** Deletes what no report shows any more. */
  forgetOld(): Promise<void>;
  close(): Promise<void>;
};

/** Most different counts between two writes; refusals beyond them are in the metrics alone. */
const MAX_COUNTS = 10_000;

type Counts = Map<string, Refusal & { requests: number }>;

export function createRefusalCounts(deps: {
  db: Database;
  /** Called once for failures in a row. What could not be written is tried again. */
  onFailed(error: unknown): void;
}): RefusalCounts {
  const { db, onFailed } = deps;
  let counts: Counts = new Map();
  let writing: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isFailing = false;

  function add(refusal: Refusal, requests: number): void {
    const { orgId, keyId, model, code } = refusal;
    const name = `${orgId} ${keyId} ${code} ${model}`;
    const known = counts.get(name);
    if (known) known.requests += requests;
    else if (counts.size < MAX_COUNTS) counts.set(name, { ...refusal, requests });
    flushSoon();
  }

  function flushSoon(): void {
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, SECOND_MS).unref();
  }

  async function write(): Promise<void> {
    const batch = [...counts.values()];
    counts = new Map();
    try {
      await saveRefusals(db, batch);
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailed(error);
      isFailing = true;
      for (const counted of batch) add(counted, counted.requests);
    } finally {
      writing = null;
      // Counted while it wrote, or not written.
      if (counts.size > 0) flushSoon();
    }
  }

  async function flush(): Promise<void> {
    if (counts.size > 0) writing ??= write();
    await writing;
  }

  return {
    count: (refusal) => add(refusal, 1),
    flush,
    forgetOld: () => deleteOldRefusals(db),
    async close() {
      await writing;
      await flush();
      // What could not be written is given up.
      if (timer !== null) clearTimeout(timer);
    },
  };
}
