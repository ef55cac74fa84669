import { useSigned } from "../../api/session.ts";
import { Stat } from "../../parts/card.tsx";
import { counted, day, number, shortNumber } from "../../parts/format.ts";
import { savedCredits } from "../usage/saved-credits.ts";
import type { Overview } from "./overview.tsx";

/** What was spent, and what was not. */
export function SpendStats({ overview: { today, period } }: { overview: Overview }) {
  const { administers } = useSigned();
  const spent = administers ? "Spent" : "You spent";
  return (
    <div className="overview-stats">
      <Stat name={`${spent} today`} value={number(today.credits)} note={requestsOf(today)} />
      <Stat
        name={period.isOpenPeriod ? `${spent} this period` : `${spent} in 30 days`}
        value={number(period.credits)}
        note={period.isOpenPeriod ? `${requestsOf(period)} since ${day(period.since)}` : requestsOf(period)}
      />
      <Stat
        name="Tokens used"
        value={
          <span title={number(period.inputTokens + period.outputTokens)}>
            {shortNumber(period.inputTokens + period.outputTokens)}
          </span>
        }
        note={`${shortNumber(period.inputTokens)} in, ${shortNumber(period.outputTokens)} out`}
      />
      <Stat
        name="Tokens saved"
        value={<span title={number(period.tokensSaved)}>{shortNumber(period.tokensSaved)}</span>}
        note={savedCredits(period.creditsSaved)}
      />
    </div>
  );
}

function requestsOf({ requests, failed }: { requests: number; failed: number }): string {
  return `${counted(requests, "request")}${failed > 0 ? `, ${number(failed)} failed` : ""}`;
}
