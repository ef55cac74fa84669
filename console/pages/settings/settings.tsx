import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Page } from "../../parts/page.tsx";
import { Answer, Skeleton } from "../../parts/states.tsx";
import { AdminsOnly } from "../members/admins-only.tsx";
import { DeactivateCard } from "./deactivate-card.tsx";
import { LimitsCard } from "./limits-card.tsx";
import { SettingsForm } from "./settings-form.tsx";

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
  const settings = useAsk("settings", {}, { everyMs: EVERY_MS });
  return (
    <Page title="Settings" about={organization.name}>
      <Answer of={settings} waiting={<Waiting />}>
        {(found) => (
          <>
            <SettingsForm settings={found} />
            <LimitsCard settings={found} />
            {organization.role === "owner" && found.isActive && <DeactivateCard settings={found} />}
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
