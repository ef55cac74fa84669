import { networkOf } from "../../identity/index.ts";
import type { Clock } from "../../kit/index.ts";
import { createFailureWindows } from "./failure-windows.ts";

/** Every attempt counts as a failure until it has succeeded, so that a thousand at once are no way around. */
type Attempt =
  | { readonly outcome: "go"; succeed(): void }
  | { readonly outcome: "wait"; readonly retryAfterSeconds: number };

/** What is tried at: the address of an account, or an invitation. */
export type SignInBrake = { begin(attempt: { clientAddress: string; target: string }): Attempt };

type SignInBrakeOptions = {
  clock: Clock;
  failuresPerTarget?: number;
  failuresPerNetwork?: number;
  windowMs?: number;
  /** Of each kind; beyond it those with the fewest failures are forgotten. */
  maxRemembered?: number;
};

/**
 * Slows whoever guesses passwords: one address of theirs over many accounts, or many over one account.
 * Who is kept out by other people's guesses still gets in by a one-time link. Each process counts for
 * itself, so with N of them a guesser gets N times as many tries at most.
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
      // Who is refused leaves no trace: made-up addresses would push out those that somebody is guessing at.
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
