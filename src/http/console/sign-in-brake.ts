import { networkOf } from "../../identity/index.ts";
import type { Clock } from "../../kit/index.ts";

/** Every attempt counts as a failure until it has succeeded, so that a thousand at once are no way around. */
export type Attempt =
  | { readonly outcome: "go"; succeed(): void }
  | { readonly outcome: "wait"; readonly retryAfterSeconds: number };

export type SignInBrake = { begin(attempt: { clientAddress: string; email: string }): Attempt };

export type SignInBrakeOptions = {
  clock: Clock;
  failuresPerEmail?: number;
  failuresPerNetwork?: number;
  windowMs?: number;
  /** Of each kind; beyond it the oldest is forgotten. */
  maxRemembered?: number;
};

type Window = { readonly startedMs: number; failures: number };

/**
 * Slows whoever guesses passwords: one address of theirs over many accounts, or many over one account.
 * Who is kept out by other people's guesses still gets in by a one-time link. Each process counts for
 * itself, so with N of them a guesser gets N times as many tries at most.
 */
export function createSignInBrake(options: SignInBrakeOptions): SignInBrake {
  const { clock, failuresPerEmail = 10, failuresPerNetwork = 20 } = options;
  const { windowMs = 15 * 60_000, maxRemembered = 10_000 } = options;
  const emails = new Map<string, Window>();
  const networks = new Map<string, Window>();

  function windowOf(windows: Map<string, Window>, name: string): Window {
    const nowMs = clock.elapsedMs();
    const current = windows.get(name);
    if (current && nowMs - current.startedMs < windowMs) return current;
    windows.delete(name);
    for (const oldest of windows.keys()) {
      if (windows.size < maxRemembered) break;
      windows.delete(oldest);
    }
    const fresh = { startedMs: nowMs, failures: 0 };
    windows.set(name, fresh);
    return fresh;
  }

  return {
    begin({ clientAddress, email }) {
      const ofNetwork = windowOf(networks, networkOf(clientAddress));
      const ofEmail = windowOf(emails, email);
      const full = [
        ofNetwork.failures >= failuresPerNetwork && ofNetwork,
        ofEmail.failures >= failuresPerEmail && ofEmail,
      ].filter((window) => window !== false);
      if (full.length > 0) {
        const endsMs = Math.max(...full.map((window) => window.startedMs + windowMs));
        return {
          outcome: "wait",
          retryAfterSeconds: Math.max(1, Math.ceil((endsMs - clock.elapsedMs()) / 1000)),
        };
      }
      ofNetwork.failures++;
      ofEmail.failures++;
      return {
        outcome: "go",
        succeed() {
          ofNetwork.failures--;
          ofEmail.failures--;
        },
      };
    },
  };
}
