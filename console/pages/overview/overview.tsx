import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import type { BalanceNow, Queries, UsageReport } from "../../../gateway/src/http/console/contract.ts";
import type { AskError } from "../../api/ask.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Card, Stat } from "../../parts/card.tsx";
import { Figure } from "../../parts/figure.tsx";
import { credits, figure, number, reportDay, shortNumber } from "../../parts/format.ts";
import { Page } from "../../parts/page.tsx";
import { Answer, Empty, Notice, Skeleton } from "../../parts/states.tsx";
import { RefusedCalls } from "../usage/refused-calls.tsx";
import { ReportBody } from "../usage/report-body.tsx";
import { RequestTable } from "../usage/request-table.tsx";
import { savedCredits } from "../usage/saved-credits.ts";
import { BalanceCard } from "./balance-card.tsx";
import { FirstSteps } from "./first-steps.tsx";

/** What stops calls, or soon will, if the organization is active at all. */
function OverviewNotices({ balance }: { balance: BalanceNow }) {
  const { organization } = useSigned();
  return (
    <>
      {organization.isActive && balance.level === "empty" && (
        <Notice look="bad">
          <strong>No credits left.</strong>{" "}
          {balance.held > 0 && <span>{number(balance.held)} are held by calls in progress. </span>}
          <span>New calls are refused.</span> <AddCredits />
        </Notice>
      )}
      {organization.isActive && balance.level === "low" && (
        <Notice look="warn">
          <strong>Credits are running low.</strong> {credits(balance.subscription + balance.anytime)} can
          still be spent. <AddCredits />
        </Notice>
      )}
      {balance.debt > 0 && (
        <Notice look="warn">
          {credits(balance.debt)} of a refunded payment were already spent or had expired. They are taken from
          the next top-up first.
        </Notice>
      )}
    </>
  );
}

function AddCredits() {
  const { administers } = useSigned();
  return <Link href="/billing">{administers ? "Add credits" : "See whom to ask"}</Link>;
}

type Sums = Pick<Queries["usage.overview"]["output"], "today" | "period">;

/** What was spent, and what was saved. */
function SpendStats({ overview: { today, period } }: { overview: Sums }) {
  const { administers } = useSigned();
  const spent = administers ? "Spent" : "You spent";
  return (
    <div className="overview-stats">
      <Stat name={`${spent} today (UTC)`} value={<Figure value={today.credits} />} note={requestsOf(today)} />
      <Stat
        name={period.isOpenPeriod ? `${spent} this period` : `${spent} in 30 days`}
        value={<Figure value={period.credits} />}
        note={
          period.isOpenPeriod
            ? `${requestsOf(period)} since ${reportDay(period.since)} (UTC)`
            : requestsOf(period)
        }
      />
      <Stat
        name="Tokens used"
        value={<Figure value={period.inputTokens + period.outputTokens} />}
        note={`${shortNumber(period.inputTokens)} in, ${shortNumber(period.outputTokens)} out`}
      />
      <Stat name="Tokens saved" value={<Figure value={period.tokensSaved} />} note={savedCredits(period)} />
    </div>
  );
}

function requestsOf({ requests, failed }: { requests: number; failed: number }): string {
  const words = `${figure(requests)} ${requests === 1 ? "request" : "requests"}`;
  return failed > 0 ? `${words}, ${figure(failed)} failed` : words;
}

/** Fewer would look like a gap, more like an empty month. */
const LEAST_DAYS = 14;

/** Removes the empty days before the first spending, if two weeks or more are left. */
function sinceFirstUse(report: UsageReport): UsageReport {
  const first = report.days.findIndex((_, at) => report.parts.some((part) => part.creditsByDay[at]));
  const from = Math.min(first, report.days.length - LEAST_DAYS);
  if (from <= 0) return report;
  return {
    ...report,
    days: report.days.slice(from),
    parts: report.parts.map((part) => ({ ...part, creditsByDay: part.creditsByDay.slice(from) })),
  };
}

/** Shows whether the figures update by themselves. */
function LiveMark({ isLive }: { isLive: boolean }) {
  return (
    <span className={isLive ? "live" : "live off"} role="status">
      <i className="live-dot" aria-hidden />
      {isLive ? "Live" : "Not connected, trying again"}
    </span>
  );
}

type Overview = Queries["usage.overview"]["output"];

/** Polled: each answer replaces the one before, and only what differs is drawn again. */
const EVERY_MS = 5_000;
const RUNNING_EVERY_MS = 2_000;

export function OverviewPage() {
  const { organization } = useSigned();
  const overview = useAsk(
    "usage.overview",
    {},
    {
      everyMs: (found) =>
        found?.recent.some(({ status }) => status === "processing") ? RUNNING_EVERY_MS : EVERY_MS,
    },
  );
  return (
    <Page title="Overview" about={organization.name} actions={<Live of={overview} />}>
      <Answer of={overview} waiting={<Waiting />}>
        {(found) => <OverviewBody overview={found} />}
      </Answer>
    </Page>
  );
}

function Live({ of }: { of: UseQueryResult<Overview, AskError> }) {
  return of.data === undefined ? null : <LiveMark isLive={!of.isRefetchError} />;
}

function OverviewBody({ overview }: { overview: Overview }) {
  const { administers } = useSigned();
  const { balance, report, recent } = overview;
  const shown = useMemo(() => sinceFirstUse(report), [report]);
  const isUnused = report.sums.requests === 0 && recent.length === 0;
  return (
    <>
      <OverviewNotices balance={balance} />
      <RefusedCalls sums={overview.today} when="today (UTC)" />
      <div className="overview-top">
        <BalanceCard balance={balance} />
        <SpendStats overview={overview} />
      </div>
      {isUnused ? (
        <FirstSteps balance={balance} />
      ) : (
        <>
          <Card
            title={administers ? "Credits by day (UTC)" : "Your credits by day (UTC)"}
            actions={<Link href="/usage">See details</Link>}
          >
            <ReportBody
              report={shown}
              split="model"
              look="chart"
              empty={<p>Older calls are under Usage.</p>}
            />
          </Card>
          <Card
            isFlush
            title={administers ? "Newest requests" : "Your newest requests"}
            actions={<Link href="/usage">All requests</Link>}
          >
            {recent.length > 0 ? <RequestTable rows={recent} /> : <Empty title="None recently" />}
          </Card>
        </>
      )}
    </>
  );
}

function Waiting() {
  return (
    <div className="stack overview-waiting">
      <div className="overview-top">
        <Skeleton height={252} />
        <Skeleton height={252} />
      </div>
      <Skeleton height={380} />
      <Skeleton height={420} />
    </div>
  );
}
