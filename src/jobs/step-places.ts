import { mayTake } from "../kit/index.ts";
import type { PassedOver } from "./video-store.ts";

/** Whom a step is for and whom it waits for: what its place is counted by. */
type PlaceHolder = { readonly orgId: string; readonly provider: string };

/** A step is mostly waiting; each may hold a whole video in memory while it stores it. */
const MAX_AT_ONCE = 12;
/** Half of them at most are one organization's, and two thirds one provider's: neither may keep the others waiting. */
const PER_LEFT = { ofOrganization: 1, ofProvider: 2 } as const;

/** Whose steps must wait until one of theirs has ended; null: there is no place for anybody. */
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
