import { mayTake } from "../kit/index.ts";
import type { PassedOver } from "./video-store.ts";

/** The organization a step works for and the provider it waits for; the limits apply per each. */
type PlaceHolder = { readonly orgId: string; readonly provider: string };

/** A step mostly waits, but may hold a whole video in memory while storing it. */
const MAX_AT_ONCE = 12;
/**
 * At most half of the places for one organization and two thirds for one provider, so that neither can block the
 * others.
 */
const PER_LEFT = { ofOrganization: 1, ofProvider: 2 } as const;

/**
 * Organizations and providers at their limit, whose jobs must wait for one of their steps to end. Null if all places
 * are taken.
 */
export function passedOver(running: readonly PlaceHolder[]): PassedOver | null {
  const taken = running.length;
  if (taken >= MAX_AT_ONCE) return null;
  const atTheirLimit = (names: readonly string[], perLeft: number) =>
    [...countOf(names)]
      .filter(([, own]) => !mayTake({ most: MAX_AT_ONCE, taken, own, perLeft }, 1))
      .map(([name]) => name);
  return {
    orgIds: atTheirLimit(
      running.map(({ orgId }) => orgId),
      PER_LEFT.ofOrganization,
    ),
    providers: atTheirLimit(
      running.map(({ provider }) => provider),
      PER_LEFT.ofProvider,
    ),
  };
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
