import type { ChatStream } from "../../generation/index.ts";
import { createFairShares } from "../../kit/index.ts";
import { tooManyAtOnce } from "./body.ts";

/**
 * The memory of large bodies after they were read. A call keeps its prompt, and what it sends of it, in memory until it
 * ends, and a slow provider can make that last for minutes.
 */
type KeptBodies = {
  /** Null for a body that is not large. Throws if there is no room; then nothing was taken. */
  take(owner: string, sizeBytes: number): KeptBody | null;
};

export type KeptBody = {
  /** The call was answered: releases the body, unless a stream keeps it. */
  handled(): void;
  letGo(): void;
  /** The same stream, which releases the body when it is over, or once it has wound up after its reader disconnects. */
  keptWith(stream: ChatStream): ChatStream;
};

type KeptBodiesOptions = { readonly bigBodyBytes: number; readonly bigBodiesBytes: number };

export function createKeptBodies({ bigBodyBytes, bigBodiesBytes: most }: KeptBodiesOptions): KeptBodies {
  const kept = createFairShares({ most });
  return {
    take(owner, sizeBytes) {
      if (sizeBytes <= bigBodyBytes) return null;
      if (!kept.take(owner, sizeBytes)) throw tooManyAtOnce();
      return createKeptBody(() => kept.giveBack(owner, sizeBytes));
    },
  };
}

function createKeptBody(giveBack: () => void): KeptBody {
  let isKept = true;
  let hasStream = false;

  function letGo(): void {
    if (isKept) giveBack();
    isKept = false;
  }

  return {
    letGo,
    handled() {
      if (!hasStream) letGo();
    },
    keptWith(stream) {
      hasStream = true;
      return {
        ...stream,
        async next() {
          const part = await stream.next();
          if (part?.type !== "events") letGo();
          return part;
        },
        async leave() {
          await stream.leave();
          letGo();
        },
      };
    },
  };
}
