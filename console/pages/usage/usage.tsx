import { useState } from "react";
import { Link, useLocation, useParams, useSearch } from "wouter";
import type { Split, UsageSums } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Announcement } from "../../parts/announcement.tsx";
import { Card, Stat } from "../../parts/card.tsx";
import { Figure } from "../../parts/figure.tsx";
import { counted, credits, figure, shortNumber, zone } from "../../parts/format.ts";
import { Page } from "../../parts/page.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Answer, Skeleton } from "../../parts/states.tsx";
import { chosenWords } from "./chosen-words.ts";
import { FilterBar } from "./filter-bar.tsx";
import { ReceiptDialog } from "./receipt.tsx";
import { RefusedCalls } from "./refused-calls.tsx";
import { ReportBody } from "./report-body.tsx";
import { RequestsCard } from "./requests-card.tsx";
import { cacheCredits, savedCredits } from "./saved-credits.ts";
import { isFiltered, useView, type View } from "./use-filter.ts";

function Sums({ sums }: { sums: UsageSums }) {
  return (
    <div className="usage-sums">
      <Stat
        name="Credits spent"
        value={<Figure value={sums.credits} />}
        note={sums.requests === 0 ? "No requests" : `${perRequest(sums)} a request`}
      />
      <Stat
        name="Requests"
        value={<Figure value={sums.requests} />}
        note={sums.failed === 0 ? "None failed" : `${figure(sums.failed)} failed`}
      />
      <Stat
        name="Tokens"
        value={<Figure value={sums.inputTokens + sums.outputTokens} />}
        note={`${shortNumber(sums.inputTokens)} in, ${shortNumber(sums.outputTokens)} out`}
      />
      <Stat name="Tokens saved" value={<Figure value={sums.tokensSaved} />} note={savedCredits(sums)} />
      <CacheStat sums={sums} />
    </div>
  );
}

/** Nothing while no provider has reported anything of a cache. */
function CacheStat({ sums: { cache, inputTokens } }: { sums: UsageSums }) {
  if (cache === undefined || cache.readTokens + cache.writtenTokens === 0) return null;
  return (
    <Stat
      name="Input from caches"
      value={`${Math.floor((100 * cache.readTokens) / inputTokens)}%`}
      note={cacheCredits(cache.saved)}
    />
  );
}

function perRequest({ credits, requests }: UsageSums): string {
  const each = credits / requests;
  return each >= 10 ? figure(Math.round(each)) : each.toFixed(1).replace(".0", "");
}

const EVERY_MS = 30_000;
const SPLITS: readonly { value: Split; label: string; isForAdmins?: boolean }[] = [
  { value: "model", label: "Model" },
  { value: "key", label: "Key", isForAdmins: true },
  { value: "member", label: "Member", isForAdmins: true },
  { value: "endpoint", label: "Endpoint" },
];
const LOOKS = [
  { value: "chart", label: "Chart" },
  { value: "table", label: "Table" },
] as const;
/** The filter that is set by choosing a part of the split. */
const FIELDS: Readonly<Record<Split, keyof View>> = {
  model: "model",
  key: "keyId",
  member: "memberId",
  endpoint: "endpoint",
};

export function UsagePage() {
  const { administers } = useSigned();
  const { requestId } = useParams<{ requestId?: string }>();
  const [, navigate] = useLocation();
  const search = useSearch();
  const [asked, change] = useView();
  const view = administers ? asked : withinOwn(asked);
  const { status: _, sort: __, order: ___, ...filter } = view;
  const report = useAsk("usage.get", filter, { everyMs: EVERY_MS, keepsOld: true });
  const [look, setLook] = useState<"chart" | "table">("chart");
  return (
    <Page
      title="Usage"
      about={`${administers ? "Where the credits went." : "What your own calls used."} Days are UTC, times are yours (${zone()}).`}
      chosen={chosenWords(view, report.data?.choices)}
    >
      <FilterBar view={view} choices={report.data?.choices} onChange={change} />
      <Announcement
        question={JSON.stringify(filter)}
        words={report.data && !report.isPlaceholderData ? sumsInWords(report.data.sums) : undefined}
      />
      <Answer of={report} waiting={<Waiting />}>
        {(found) => (
          <div className={report.isPlaceholderData ? "stack usage-report stale" : "stack usage-report"}>
            <RefusedCalls sums={found.sums} when="on these days" />
            <Sums sums={found.sums} />
            <Card
              title="Credits by day"
              actions={
                <>
                  <Segments
                    name="Split by"
                    value={view.split}
                    choices={SPLITS.filter(({ isForAdmins }) => administers || !isForAdmins)}
                    onChoose={(split) => change({ split })}
                  />
                  <Segments name="Show as" value={look} choices={LOOKS} onChoose={(next) => setLook(next)} />
                </>
              }
            >
              <ReportBody
                report={found}
                split={view.split}
                look={look}
                onChoose={(id) => change({ [FIELDS[view.split]]: id })}
                empty={isFiltered(filter) ? <p>No requests on these days match.</p> : <NextSteps />}
              />
            </Card>
          </div>
        )}
      </Answer>
      <RequestsCard view={view} onChange={change} />
      {requestId !== undefined && (
        <ReceiptDialog
          requestId={requestId}
          onClose={() => navigate(`/usage${search ? `?${search}` : ""}`)}
        />
      )}
    </Page>
  );
}

function sumsInWords(sums: UsageSums): string {
  return `${counted(sums.requests, "request")}, ${credits(sums.credits)}`;
}

/** For users without any calls yet: what they will see here. */
function NextSteps() {
  const { administers } = useSigned();
  return (
    <>
      <p>Every call appears here within seconds, with what it cost.</p>
      <div className="row">
        <Link href="/playground" className="button primary">
          Open the playground
        </Link>
        {administers && (
          <Link href="/keys" className="button secondary">
            Create a key
          </Link>
        )}
      </div>
    </>
  );
}

/** Members cannot filter by key or member. */
function withinOwn({ keyId: _, memberId: __, ...view }: View): View {
  return { ...view, split: view.split === "endpoint" ? "endpoint" : "model" };
}

function Waiting() {
  return (
    <div className="stack usage-report">
      <div className="usage-sums">
        {["credits", "requests", "tokens", "saved"].map((name) => (
          <Skeleton key={name} height={108} />
        ))}
      </div>
      <Skeleton height={400} />
    </div>
  );
}
