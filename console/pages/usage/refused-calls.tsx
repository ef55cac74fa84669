import type { UsageSums } from "../../../gateway/src/http/console/contract.ts";
import { counted, figure } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";

const CAUSES: Readonly<Record<string, string>> = {
  insufficient_credits: "for lack of credits",
  rate_limit_exceeded: "beyond a limit of calls",
  validation_error: "as invalid",
  model_not_allowed: "for a model that they may not use",
  scope_denied: "for a scope that their key lacks",
  org_inactive: "because the organization is inactive",
};

/** Calls that never began, which no list and no other sum shows; nothing if there are none. */
export function RefusedCalls({ sums: { refusals = [] }, when }: { sums: UsageSums; when: string }) {
  const all = refusals.reduce((sum, { requests }) => sum + requests, 0);
  if (all === 0) return null;
  const causes = refusals.map(
    ({ code, requests }) => `${figure(requests)} ${CAUSES[code] ?? `with ${code}`}`,
  );
  return (
    <Notice look="warn">
      <strong>
        {counted(all, "call")} refused {when}.
      </strong>{" "}
      <span>They cost nothing: {causes.join(", ")}.</span>
    </Notice>
  );
}
