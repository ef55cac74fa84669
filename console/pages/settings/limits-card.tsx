import { Link } from "wouter";
import type { SettingsView } from "../../../gateway/src/http/console/contract.ts";
import { Card } from "../../parts/card.tsx";
import { capital, number } from "../../parts/format.ts";

/** The plan's limits, and how much of them is in use now. */
export function LimitsCard({ settings: { limits, plan } }: { settings: SettingsView }) {
  return (
    <Card title="Limits" actions={<Link href="/billing">Change the plan</Link>}>
      <div className="stack">
        <p className="dim">
          The {capital(plan)} plan has these limits for the whole organization. A key can have lower ones.
        </p>
        <div className="grid-3 limits">
          <Limit name="Requests a minute" most={limits.requestsPerMinute} />
          <Limit name="Calls at once" most={limits.inFlight} now={limits.inFlightNow} />
          <Limit name="Videos at once" most={limits.videoJobs} now={limits.videoJobsNow} />
        </div>
      </div>
    </Card>
  );
}

function Limit({ name, most, now }: { name: string; most: number; now?: number }) {
  const share = now === undefined || most === 0 ? 0 : Math.min(100, (now / most) * 100);
  return (
    <div className="limit">
      <span className="stat-name">{name}</span>
      <span className="stat-value">{number(most)}</span>
      {now !== undefined && (
        <>
          <div className="meter" aria-hidden>
            <i className="meter-fill" style={{ width: `${share}%` }} />
          </div>
          <span className="dim small">{now === 0 ? "None running now" : `${number(now)} running now`}</span>
        </>
      )}
    </div>
  );
}
