import { z } from "zod";
import { ERROR_CODES, FAILURE_REASONS } from "../../kit/index.ts";
import { nameSchemas } from "../route.ts";

const dateTime = z.iso.datetime();
const wholeCredits = z.int();

const ledgerEntry = z.strictObject({
  id: z.string(),
  created_at: dateTime,
  type: z.enum(["grant", "charge", "expire", "adjust"]),
  pool: z.enum(["subscription", "anytime"]),
  amount: wholeCredits.describe("Signed number of credits."),
  balance_after: wholeCredits.describe("Balance of that pool, including held credits."),
  request_id: z.uuid().nullable(),
  description: z.string(),
});

export const balanceViewSchema = z.strictObject({
  org_id: z.uuid(),
  plan: z.string(),
  balance: z.strictObject({
    subscription_credits: wholeCredits,
    anytime_credits: wholeCredits,
    total_credits: wholeCredits.describe("What can be spent now, without held credits."),
    held_credits: wholeCredits.describe("Held for running calls."),
    subscription_credits_expire_at: dateTime.nullable().describe("Null if no period is open."),
  }),
  recent_ledger: z.array(ledgerEntry).describe("Newest first, up to `limit`."),
});

const cacheSaved = z
  .number()
  .describe(
    "What providers' caches saved of the price of the input, less what writing to them cost: negative if that was more.",
  );

const day = z.strictObject({ date: z.iso.date(), requests: z.int(), credits_charged: wholeCredits });

const summary = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  days: z.int(),
  requests: z.int(),
  failed_requests: z.int(),
  credits_charged: wholeCredits,
  input_tokens: z.int(),
  output_tokens: z.int(),
  tokens_saved: z.int(),
  cache: z
    .strictObject({ read_tokens: z.int(), written_tokens: z.int(), saved_credits: cacheSaved })
    .describe("Input tokens that providers read from their caches of prompts, or wrote to them."),
  by_day: z.array(day).describe("Every day of the range, in UTC, including days without calls."),
  by_model: z.array(
    z.strictObject({
      model: z.string(),
      type: z.string(),
      requests: z.int(),
      credits_charged: wholeCredits,
      cache_saved_credits: cacheSaved,
    }),
  ),
  refused_requests: z
    .int()
    .describe(
      "Calls that were refused before they cost anything; not among `requests`. Kept for 90 days, without their members.",
    ),
  refusals_by_code: z
    .array(z.strictObject({ code: z.enum(ERROR_CODES), requests: z.int() }))
    .describe("The same by error code, most first."),
});

const byApiKey = z.strictObject({
  api_key_id: z
    .uuid()
    .nullable()
    .describe("Null in the last row, which combines all keys that spent less than the thousand before it."),
  name: z.string().nullable(),
  last_four: z.string().nullable(),
  requests: z.int(),
  credits_charged: wholeCredits,
  last_used_at: dateTime.nullable(),
  cache_saved_credits: cacheSaved,
});

const byMember = z.strictObject({
  member_user_id: z.uuid().nullable().describe("Null for spend that is not attributed to a member."),
  name: z.string().nullable(),
  email: z.string().nullable(),
  requests: z.int(),
  credits_charged: wholeCredits,
});

const request = z.strictObject({
  request_id: z.uuid(),
  created_at: dateTime,
  endpoint: z.string(),
  model: z.string(),
  status: z.enum(["succeeded", "failed", "cancelled", "processing"]),
  api_key_id: z.uuid(),
  member_user_id: z.uuid().nullable(),
  credits_charged: wholeCredits,
  input_tokens: z.int(),
  output_tokens: z.int(),
  tokens_saved: z.int(),
  latency_ms: z.int().nullable(),
  error_code: z.string().nullable(),
  reason: z
    .enum(FAILURE_REASONS)
    .nullable()
    .describe("Why it failed or was cut. Null if it ended as it should, or nothing is known."),
});

export const usageViewSchema = z.strictObject({
  summary,
  by_api_key: z
    .array(byApiKey)
    .describe("The thousand keys that spent most, highest spend first, and all others in one last row."),
  by_member: z.array(byMember),
  requests: z.array(request).describe("Newest first, within the days, up to `limit`."),
  next_cursor: z
    .string()
    .nullable()
    .describe("Cursor of the next page of requests, also after one that is short; null on the last page."),
});

nameSchemas({
  LedgerEntry: ledgerEntry,
  BalanceView: balanceViewSchema,
  UsageView: usageViewSchema,
  UsageDay: day,
  UsageSummary: summary,
  UsageOfApiKey: byApiKey,
  UsageOfMember: byMember,
  UsageRequest: request,
});
