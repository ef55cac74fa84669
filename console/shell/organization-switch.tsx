import { useLocation, useSearch } from "wouter";
import type { SessionView } from "../../gateway/src/http/console/contract.ts";
import { useCommand } from "../api/use-ask.ts";
import { capital } from "../parts/format.ts";
import { askFirst } from "../parts/leaving.ts";
import { Notice } from "../parts/states.tsx";

/** Chooses the shown organization; only its name if the user belongs to just one. */
export function OrganizationSwitch({ session }: { session: SessionView }) {
  const choose = useCommand("choose-organization", ["session"]);
  const { organization, organizations } = session;
  const [path, go] = useLocation();
  const meansOne = new URLSearchParams(useSearch()).has("organization");
  if (!organization) return null;

  /** After a manual choice, the organization named by a link no longer matters. */
  function forgetMeant(): void {
    if (meansOne) go(path, { replace: true });
  }

  if (organizations.length < 2) {
    return (
      <div className="who">
        <span dir="auto">
          <strong>{organization.name}</strong>
        </span>
        <span className="dim">{capital(organization.plan)} plan</span>
      </div>
    );
  }
  return (
    <div className="organization-choice">
      <select
        className="input"
        aria-label="Organization"
        title={organization.name}
        value={organization.id}
        disabled={choose.isPending}
        onChange={({ target }) => {
          const id = target.value;
          askFirst(() => choose.mutate({ id }, { onSuccess: forgetMeant }));
        }}
      >
        {organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <span className="plan-of dim">{capital(organization.plan)} plan</span>
      {choose.error && <Notice look="bad">{choose.error.message}</Notice>}
    </div>
  );
}
