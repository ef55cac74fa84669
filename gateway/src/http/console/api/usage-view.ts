import { type Catalog, creditsSaved } from "../../../catalog/index.ts";
import type {
  RefusalSum,
  Report,
  ReportDay,
  ReportPart,
  RequestRecord,
  Split,
} from "../../../usage/index.ts";
import type { RequestRow, UsageReport, UsageSums } from "../contract.ts";
import type { Viewer } from "../viewer.ts";

export function sumsOf(catalog: Catalog, days: readonly ReportDay[]): UsageSums {
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
export function reportViewOf(
  { catalog, viewer, split }: { catalog: Catalog; viewer: Viewer; split: Split },
  { days, parts, choices }: Report,
): UsageReport {
  const isMember = viewer.role === "member";
  return {
    sums: sumsOf(catalog, days),
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

export function requestRowOf({ role }: Viewer, record: RequestRecord): RequestRow {
  return {
    requestId: record.requestId,
    createdAt: record.createdAt.toISOString(),
    endpoint: record.endpoint,
    model: record.model,
    status: record.status,
    keyName: role === "member" ? null : record.keyName,
    memberName: record.memberName,
    credits: record.credits,
    inputTokens: record.inputTokens,
    outputTokens: record.outputTokens,
    tokensSaved: record.tokensSaved,
    latencyMs: record.latencyMs,
    errorCode: record.errorCode,
    reason: record.reason,
  };
}
