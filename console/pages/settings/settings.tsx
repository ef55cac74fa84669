import { Link } from "wouter";
import type { SettingsView } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Card } from "../../parts/card.tsx";
import { capital, number } from "../../parts/format.ts";
import { Page } from "../../parts/page.tsx";
import { Answer, Skeleton } from "../../parts/states.tsx";
import { AdminsOnly } from "../members/admins-only.tsx";
import { DeactivateCard } from "./deactivate-card.tsx";
import { SettingsForm } from "./settings-form.tsx";

/** The plan's limits, and how much of them is in use now. */
function LimitsCard({ settings: { limits, plan } }: { settings: SettingsView }) {
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

/** Polled for what is running now. */
const EVERY_MS = 5_000;

export function SettingsPage() {
  const { administers } = useSigned();
  return administers ? (
    <Settings />
  ) : (
    <AdminsOnly title="Settings" about="Only owners and admins can change the organization's settings." />
  );
}

function Settings() {
  const { organization } = useSigned();
  const settings = useAsk("organization.get", {}, { everyMs: EVERY_MS });
  return (
    <Page title="Settings" about={organization.name}>
      <Answer of={settings} waiting={<Waiting />}>
        {(found) => (
          <>
            <SettingsForm settings={found} />
            <LimitsCard settings={found} />
            {organization.role === "owner" && found.active && <DeactivateCard settings={found} />}
          </>
        )}
      </Answer>
    </Page>
  );
}

function Waiting() {
  return (
    <div className="stack">
      <Skeleton height={230} />
      <Skeleton height={360} />
      <Skeleton height={220} />
    </div>
  );
}
