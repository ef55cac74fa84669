import { z } from "zod";
import { type Catalog, creditsSaved } from "../catalog/index.ts";
import { DAY_MS } from "../kit/index.ts";
import {
  MAX_DAYS,
  type RefusalSum,
  type Report,
  type ReportDay,
  type ReportPart,
  SPLITS,
  type Split,
  type Standing,
  type UsageFilter,
} from "../usage/index.ts";
import { type Act, type ActIn, defineOperation, onlyMemberOf } from "./operation.ts";
import { forbidden } from "./problem.ts";
import { REQUEST_ROW, requestRowOf } from "./request-row.ts";

const MAX_NAME_CHARS = 200;
const UNATTRIBUTED = "none";

export const USAGE_FILTER = {
  days: z.int().min(1).max(MAX_DAYS).describe("UTC days up to today"),
  model: z.string().max(MAX_NAME_CHARS).optional(),
  keyId: z.guid().optional(),
  memberId: z
    .union([z.literal(UNATTRIBUTED), z.guid()])
    .optional()
    .describe("`none`: calls that are not attributed to any member"),
  endpoint: z.string().max(MAX_NAME_CHARS).optional(),
};
type AskedFilter = z.output<z.ZodObject<typeof USAGE_FILTER>>;

/** The requested filter, limited to what the caller may see: members see only their own calls, whatever they ask for. */
export function filterFor(act: Act, { memberId, keyId, ...asked }: AskedFilter): UsageFilter {
  const own = onlyMemberOf(act);
  const { days, model, endpoint } = asked;
  if (own !== null) return { days, model, endpoint, memberId: own };
  return { days, model, endpoint, keyId, memberId: memberId === UNATTRIBUTED ? null : memberId };
}

const SUMS = z
  .object({
    requests: z.int(),
    failed: z.int(),
    credits: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    tokensSaved: z.int(),
    creditsSaved: z
      .number()
      .nullable()
      .describe(
        "upper bound of what the saved tokens would have cost, at each model's current input price; null if unknown",
      ),
    cache: z
      .object({ readTokens: z.int(), writtenTokens: z.int(), saved: z.number() })
      .describe(
        "input tokens that providers read from their caches or wrote to them, and the credits that this saved net of cache prices; negative if writing cost more",
      ),
    refusals: z
      .array(z.object({ code: z.string(), requests: z.int() }))
      .describe("calls that were refused before they held anything, most first; empty for members"),
  })
  .meta({ id: "UsageSums" });
const NAMED = z.array(z.object({ id: z.string(), name: z.string() }));
const REPORT = z
  .object({
    sums: SUMS,
    days: z.array(z.string()),
    parts: z
      .array(
        z.object({
          id: z.string().nullable().describe("null for unattributed usage, and for the rest"),
          name: z.string(),
          isRest: z.boolean(),
          credits: z.int(),
          requests: z.int(),
          cacheSaved: z.number().describe("credits, as in the sums"),
          creditsByDay: z.array(z.int()).readonly().describe("in the order of `days`"),
        }),
      )
      .describe("largest first, at most eight, plus one for the rest"),
    choices: z.object({
      models: z.array(z.string()).readonly(),
      endpoints: z.array(z.string()).readonly(),
      keys: NAMED,
      members: NAMED,
    }),
  })
  .meta({ id: "UsageReport" });

function sumsOf(catalog: Catalog, days: readonly ReportDay[]): z.input<typeof SUMS> {
  const total = (pick: (day: ReportDay) => number) => days.reduce((sum, day) => sum + pick(day), 0);
  return {
    requests: total(({ requests }) => requests),
    failed: total(({ failed }) => failed),
    credits: total(({ credits }) => credits),
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    tokensSaved: total(({ tokensSaved }) => tokensSaved),
    creditsSaved: creditsSaved(
      catalog,
      days.flatMap(({ savedByModel }) => savedByModel),
    ),
    cache: {
      readTokens: total(({ cacheRead }) => cacheRead),
      writtenTokens: total(({ cacheWritten }) => cacheWritten),
      saved: inCredits(total(({ cacheSaved }) => cacheSaved)),
    },
    refusals: refusalsOf(days),
  };
}

/** Millionths of a credit as credits, to a hundredth. */
export function inCredits(micros: number): number {
  return Math.trunc(micros / 10_000) / 100;
}

function refusalsOf(days: readonly ReportDay[]): RefusalSum[] {
  const ofCode = Map.groupBy(
    days.flatMap(({ refusals }) => refusals),
    ({ code }) => code,
  );
  return [...ofCode]
    .map(([code, sums]) => ({ code, requests: sums.reduce((sum, { requests }) => sum + requests, 0) }))
    .toSorted((a, b) => b.requests - a.requests);
}

/** Members see no keys and no other members, not even by name. */
function reportViewOf(act: Act, split: Split, { days, parts, choices }: Report): z.input<typeof REPORT> {
  const isMember = act.standing === "member";
  return {
    sums: sumsOf(act.services.catalog, days),
    days: days.map(({ day }) => day),
    parts: parts.map((part) => ({
      ...part,
      name: partName(part, split),
      cacheSaved: inCredits(part.cacheSaved),
    })),
    choices: {
      models: choices.models,
      endpoints: choices.endpoints,
      keys: isMember ? [] : choices.keys.map(({ id, name }) => ({ id, name: name ?? UNKNOWN.key })),
      members: isMember ? [] : choices.members.map(({ id, name }) => ({ id, name: name ?? UNKNOWN.member })),
    },
  };
}

const UNKNOWN: Readonly<Record<Split, string>> = {
  key: "A key that no longer exists",
  member: "A former member",
  model: "",
  endpoint: "",
};

function partName({ id, name, isRest }: ReportPart, split: Split): string {
  if (isRest) return "Everything else";
  return id === null ? "Unattributed" : (name ?? UNKNOWN[split]);
}

/** Daily sums from rollups: as fast after a million calls as after ten. */
const getUsage = defineOperation({
  name: "usage.get",
  area: "usage",
  access: "read",
  place: "organization",
  who: "member",
  rest: ["GET /organizations/{org}/usage"],
  input: z.strictObject({ ...USAGE_FILTER, split: z.enum(SPLITS) }),
  output: REPORT,
  words: { about: "Sum up usage by day, split by model, key, member or endpoint." },
  async run(act, { split, ...asked }) {
    const onlyMemberId = onlyMemberOf(act);
    if (onlyMemberId !== null && (split === "key" || split === "member"))
      throw forbidden("Only owners and admins see usage by key and by member.");
    const filter = filterFor(act, asked);
    const report = await act.services.usage.report(act.organization.id, { filter, split, onlyMemberId });
    return reportViewOf(act, split, report);
  },
});

const BALANCE_NOW = z
  .object({
    subscription: z.int(),
    anytime: z.int(),
    held: z.int(),
    debt: z.int().describe("always 0 for members"),
    subscriptionExpiresAt: z.string().nullable(),
    subscriptionGranted: z.int(),
    level: z
      .enum(["fine", "low", "empty"])
      .describe("`low`: the condition of the low-balance email. `empty`: no call can start"),
    forecast: z
      .object({
        spentPerDay: z.int(),
        lastsDays: z.int().nullable().describe("null while nothing is spent"),
        expiresUnused: z.int().describe("of the month's credits"),
      })
      .nullable()
      .describe("at the pace of the last seven days; null for members"),
  })
  .meta({ id: "BalanceNow" });

const PACE_DAYS = 7;

/** `report` covers everyone's calls, for the forecast; null for members, who are shown neither forecast nor debt. */
export function balanceNow(standing: Standing, report: Report | null): z.input<typeof BALANCE_NOW> {
  const { subscription, anytime, held, debt, periodEnd, subscriptionGranted, isLow } = standing;
  return {
    subscription,
    anytime,
    held,
    debt: report ? debt : 0,
    subscriptionExpiresAt: periodEnd?.toISOString() ?? null,
    subscriptionGranted,
    level: subscription + anytime === 0 ? "empty" : isLow ? "low" : "fine",
    forecast: report && forecastOf(standing, report),
  };
}

/** Subscription credits are spent first, and those left at the end of the period expire. */
function forecastOf(standing: Standing, report: Report) {
  const { subscription, anytime, periodEnd } = standing;
  const perDay = paceOf(report);
  const daysToEnd = periodEnd ? Math.max(0, (periodEnd.getTime() - report.now.getTime()) / DAY_MS) : 0;
  const usedByEnd = Math.min(subscription, perDay * daysToEnd);
  const lastsDays =
    perDay === 0
      ? null
      : usedByEnd < subscription
        ? daysToEnd + anytime / perDay
        : (subscription + anytime) / perDay;
  return {
    spentPerDay: Math.round(perDay),
    lastsDays: lastsDays === null ? null : Math.floor(lastsDays),
    expiresUnused: Math.floor(subscription - usedByEnd),
  };
}

/** Averaged from the first day with spending, so that a new account's first day is not spread over a week. */
function paceOf({ days, now }: Report): number {
  const week = days.slice(-PACE_DAYS);
  const first = week.find(({ credits }) => credits > 0);
  if (!first) return 0;
  const spent = week.reduce((sum, { credits }) => sum + credits, 0);
  return spent / Math.max(1, (now.getTime() - Date.parse(`${first.day}T00:00:00Z`)) / DAY_MS);
}

const USUAL_DAYS = 30;
const RECENT = 8;

/** Polled every few seconds by every open page: the account, a month's sums and a few of the newest rows. */
const getOverview = defineOperation({
  name: "usage.overview",
  area: "usage",
  access: "read",
  place: "organization",
  who: "member",
  rest: ["GET /organizations/{org}/overview"],
  input: z.strictObject({}),
  output: z
    .object({
      balance: BALANCE_NOW,
      today: SUMS,
      period: SUMS.extend({ since: z.string(), isOpenPeriod: z.boolean() }).describe(
        "since the day on which the open period began, as far back as the report goes",
      ),
      report: REPORT.describe("the last 30 days, or the open period if that is longer, by model"),
      recent: z.array(REQUEST_ROW),
    })
    .meta({ id: "Overview" }),
  words: { about: "Show the balance, the sums of the month and the newest calls." },
  async run(act: ActIn) {
    const { usage, catalog } = act.services;
    const { id } = act.organization;
    const onlyMemberId = onlyMemberOf(act);
    const standing = await usage.standing(id);
    const days = daysSince(standing);
    const memberId = onlyMemberId ?? undefined;
    const [report, page] = await Promise.all([
      usage.report(id, { filter: { days }, split: "model", onlyMemberId }),
      usage.requests(id, {
        filter: { days, memberId },
        status: null,
        sort: "time",
        isAscending: false,
        limit: RECENT,
        cursor: null,
      }),
    ]);
    const period = periodOf(report.days, standing);
    return {
      balance: balanceNow(standing, onlyMemberId === null ? report : null),
      today: sumsOf(catalog, report.days.slice(-1)),
      period: {
        ...sumsOf(catalog, period),
        since: period[0]?.day ?? "",
        isOpenPeriod: standing.periodStart !== null,
      },
      report: reportViewOf(act, "model", report),
      recent: page.requests.map((record) => requestRowOf(act, record)),
    };
  },
});

/** At least a month; the whole open period if that is longer, as far back as reports go. */
function daysSince({ at, periodStart }: Standing): number {
  if (periodStart === null) return USUAL_DAYS;
  const days = Math.floor(at.getTime() / DAY_MS) - Math.floor(periodStart.getTime() / DAY_MS) + 1;
  return Math.min(Math.max(days, USUAL_DAYS), MAX_DAYS);
}

/** Sums are per day, so spending earlier on the period's first day is included. */
function periodOf(days: readonly ReportDay[], { periodStart }: Standing): readonly ReportDay[] {
  const first = periodStart?.toISOString().slice(0, 10);
  return first === undefined ? days : days.filter(({ day }) => day >= first);
}

export const USAGE_OPERATIONS = [getOverview, getUsage] as const;
