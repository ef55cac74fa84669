import type { PostProblem } from "./smtp.ts";

/** Judges by the server's replies whether the server itself is in trouble, and how long to leave it alone. */
type ServerTrouble = {
  /** Failures of the server since an email was last accepted. */
  readonly tries: number;
  readonly waitMs: number;
  /**
   * Records a problem. True if it is the server's: the reply says so, or another address has had one since the last
   * success.
   */
  meet(address: string, whose: PostProblem["whose"]): boolean;
  /** An email was accepted. */
  end(): void;
};

export function watchServer(retryMs: readonly number[]): ServerTrouble {
  let tries = 0;
  let lastMet: string | null = null;
  return {
    get tries() {
      return tries;
    },
    get waitMs() {
      return retryMs[tries - 1] ?? retryMs.at(-1) ?? 0;
    },
    meet(address, whose) {
      if (whose === "letter") return false;
      const isServers = whose === "server" || (lastMet !== null && lastMet !== address);
      lastMet = address;
      if (isServers) tries++;
      return isServers;
    },
    end() {
      tries = 0;
      lastMet = null;
    },
  };
}
