import type { PostProblem } from "./smtp.ts";

/** Whether the server itself is in trouble, as far as its answers tell, and how long to leave it alone. */
type ServerTrouble = {
  /** How often it was met since a letter was last taken. */
  readonly tries: number;
  readonly waitMs: number;
  /** Takes note of a problem. True where it is the server's: it says so, or another address has met it as well. */
  meet(address: string, whose: PostProblem["whose"]): boolean;
  /** A letter was taken. */
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
