import { networkOf } from "../../identity/index.ts";
import type { Clock } from "../../kit/index.ts";
import { createFailureWindows } from "./failure-windows.ts";

/** Every attempt counts as a failure until it succeeds, so that a thousand at once cannot get around the limit. */
type Attempt =
  | { readonly outcome: "go"; succeed(): void }
  | { readonly outcome: "wait"; readonly retryAfterSeconds: number };

/**
 * `target` is what is being tried: an account's email address, or an invitation. `knownBrowser` names a browser that
 * has signed in to that account before.
 */
type Tried = { clientAddress: string; target: string; knownBrowser?: string | null };

export type SignInBrake = { begin(attempt: Tried): Attempt };

type SignInBrakeOptions = {
  clock: Clock;
  /** Of one target from one network. */
  failuresPerPair?: number;
  failuresPerTarget?: number;
  failuresPerNetwork?: number;
  windowMs?: number;
  /** Per kind; beyond this, the entries with the fewest failures are forgotten. */
  maxRemembered?: number;
};

/**
 * Slows down password guessing, both from one network against many accounts and from many networks against one
 * account. Strangers' guesses do not lock out the account's own people: a browser that has signed in before is counted
 * by itself, and anyone else gets in by a one-time link. Each process counts for itself, so with N processes a guesser
 * gets at most N times as many attempts.
 */
export function createSignInBrake(options: SignInBrakeOptions): SignInBrake {
  const { clock, failuresPerPair = 10, failuresPerTarget = 50, failuresPerNetwork = 20 } = options;
  const { windowMs = 15 * 60_000, maxRemembered = 10_000 } = options;
  const bounds = { clock, windowMs, maxRemembered };
  const pairs = createFailureWindows({ ...bounds, failures: failuresPerPair });
  const targets = createFailureWindows({ ...bounds, failures: failuresPerTarget });
  const networks = createFailureWindows({ ...bounds, failures: failuresPerNetwork });

  /** Where this attempt counts. */
  function countersOf({ clientAddress, target, knownBrowser }: Tried) {
    if (knownBrowser) return [{ windows: pairs, name: `${knownBrowser} ${target}` }];
    const network = networkOf(clientAddress);
    return [
      { windows: networks, name: network },
      { windows: targets, name: target },
      { windows: pairs, name: `${network} ${target}` },
    ];
  }

  return {
    begin(tried) {
      const counters = countersOf(tried);
      // A refused attempt is not recorded: made-up targets would push out those that someone is really guessing at.
      const fullUntilMs = Math.max(...counters.map(({ windows, name }) => windows.fullUntilMs(name)));
      if (fullUntilMs > 0) {
        const retryAfterSeconds = Math.max(1, Math.ceil((fullUntilMs - clock.elapsedMs()) / 1000));
        return { outcome: "wait", retryAfterSeconds };
      }
      const takeBack = counters.map(({ windows, name }) => windows.count(name));
      return {
        outcome: "go",
        succeed() {
          for (const take of takeBack) take();
        },
      };
    },
  };
}
