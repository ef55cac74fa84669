import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import type { Queries } from "../../../gateway/src/http/console/contract.ts";
import type { AskError } from "../../api/ask.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Card } from "../../parts/card.tsx";
import { Page } from "../../parts/page.tsx";
import { Answer, Empty, Skeleton } from "../../parts/states.tsx";
import { RefusedCalls } from "../usage/refused-calls.tsx";
import { ReportBody } from "../usage/report-body.tsx";
import { RequestTable } from "../usage/request-table.tsx";
import { BalanceCard } from "./balance-card.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LiveMark } from "./live-mark.tsx";
import { OverviewNotices } from "./notices.tsx";
import { sinceFirstUse } from "./since-first-use.ts";
import { SpendStats } from "./spend-stats.tsx";

type Overview = Queries["overview"]["output"];

/** Polled: each answer replaces the one before, and only what differs is drawn again. */
const EVERY_MS = 5_000;
const RUNNING_EVERY_MS = 2_000;

export function OverviewPage() {
  const { organization } = useSigned();
  const overview = useAsk(
    "overview",
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
