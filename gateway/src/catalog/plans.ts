import { z } from "zod";
import { type Credits, credits, present } from "../kit/index.ts";
import { usd, wholeNumber } from "./load/entry-fields.ts";

/** What an organization subscribes to. The limits apply to the organization; a key may have lower ones. */
export type Plan = {
  readonly name: string;
  readonly usdCents: number;
  readonly monthlyCredits: Credits;
  readonly requestsPerMinute: number;
  readonly inFlight: number;
  readonly videoJobs: number;
};

/** Anytime credits, bought once. */
export type Pack = { readonly name: string; readonly usdCents: number; readonly credits: Credits };

/** The plan of organizations created without one; it always exists. */
export const DEFAULT_PLAN = "free";

const MAX_GRANT = 1_000_000_000_000;

export const planEntry = z.strictObject({
  usd,
  monthly_credits: wholeNumber(0, MAX_GRANT),
  requests_per_minute: wholeNumber(1, 1_000_000),
  in_flight: wholeNumber(1, 100_000),
  video_jobs: wholeNumber(0, 100_000),
});

export const packEntry = z.strictObject({ usd, credits: wholeNumber(1, MAX_GRANT) });

export function buildPlan(name: string, entry: z.output<typeof planEntry>): Plan {
  return Object.freeze({
    name,
    usdCents: entry.usd,
    monthlyCredits: credits(entry.monthly_credits),
    requestsPerMinute: entry.requests_per_minute,
    inFlight: entry.in_flight,
    videoJobs: entry.video_jobs,
  });
}

export function buildPack(name: string, entry: z.output<typeof packEntry>): Pack {
  return Object.freeze({ name, usdCents: entry.usd, credits: credits(entry.credits) });
}

/** The plan, or the default plan for an organization whose plan was removed from the catalog. */
export function planOf(plans: ReadonlyMap<string, Plan>, name: string): Plan {
  return plans.get(name) ?? present(plans.get(DEFAULT_PLAN), `plan ${DEFAULT_PLAN}`);
}
