import { networkOf } from "../../identity/index.ts";
import type { Clock } from "../../kit/index.ts";
import { createFailureWindows } from "./failure-windows.ts";

/** Every attempt counts as a failure until it succeeds, so that a thousand at once cannot get around the limit. */
type Attempt =
  | { readonly outcome: "go"; succeed(): void }
  | { readonly outcome: "wait"; readonly retryAfterSeconds: number };

/** `target` is what is being tried: an account's email address, or an invitation. */
export type SignInBrake = { begin(attempt: { clientAddress: string; target: string }): Attempt };

type SignInBrakeOptions = {
  clock: Clock;
  failuresPerTarget?: number;
  failuresPerNetwork?: number;
  windowMs?: number;
  /** Per kind; beyond this, the entries with the fewest failures are forgotten. */
  maxRemembered?: number;
};

/**
 * Slows down password guessing, both from one network against many accounts and from many networks against one
 * account. Someone locked out by other people's guesses still gets in by a one-time link. Each process counts for
 * itself, so with N processes a guesser gets at most N times as many attempts.
 */
export function createSignInBrake(options: SignInBrakeOptions): SignInBrake {
  const { clock, failuresPerTarget = 10, failuresPerNetwork = 20 } = options;
  const { windowMs = 15 * 60_000, maxRemembered = 10_000 } = options;
  const bounds = { clock, windowMs, maxRemembered };
  const targets = createFailureWindows({ ...bounds, failures: failuresPerTarget });
  const networks = createFailureWindows({ ...bounds, failures: failuresPerNetwork });

  return {
    begin({ clientAddress, target }) {
      const network = networkOf(clientAddress);
      // A refused attempt is not recorded: made-up targets would push out those that someone is really guessing at.
      const fullUntilMs = Math.max(networks.fullUntilMs(network), targets.fullUntilMs(target));
      if (fullUntilMs > 0) {
        const retryAfterSeconds = Math.max(1, Math.ceil((fullUntilMs - clock.elapsedMs()) / 1000));
        return { outcome: "wait", retryAfterSeconds };
      }
      const takeBack = [networks.count(network), targets.count(target)];
      return {
        outcome: "go",
        succeed() {
          for (const take of takeBack) take();
        },
      };
    },
  };
}
