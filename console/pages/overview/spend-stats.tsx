import type { Queries } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { Stat } from "../../parts/card.tsx";
import { Figure } from "../../parts/figure.tsx";
import { figure, reportDay, shortNumber } from "../../parts/format.ts";
import { savedCredits } from "../usage/saved-credits.ts";

type Sums = Pick<Queries["overview"]["output"], "today" | "period">;

/** What was spent, and what was saved. */
export function SpendStats({ overview: { today, period } }: { overview: Sums }) {
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
