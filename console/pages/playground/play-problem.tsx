import type { ReactNode } from "react";
import { Link } from "wouter";
import { useSigned } from "../../api/session.ts";
import { counted } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";
import type { PlayError } from "./play.ts";

/** What went wrong, and a way on. */
export function PlayProblem({ problem, children }: { problem: PlayError; children?: ReactNode }) {
  const { code, retryAfterSeconds, missingCredits } = problem;
  const { organization, administers } = useSigned();
  // The interface speaks of a key, which nobody sees here.
  const isInactive = code === "org_inactive";
  const needsCredits = code === "insufficient_credits";
  // As the link of the API's own refusal.
  const amount = missingCredits === null ? "" : `?organization=${organization.id}&credits=${missingCredits}`;
  return (
    <Notice look="bad">
      <div className="stack">
        <span>
          {isInactive ? "This organization is inactive." : problem.message}
          {retryAfterSeconds !== null && <span> Try again in {counted(retryAfterSeconds, "second")}.</span>}
        </span>
        {(children || needsCredits) && (
          <div className="row">
            {children}
            {needsCredits && (
              <Link href={`/billing${amount}`} className="button secondary">
                {administers ? "Get credits" : "See whom to ask"}
              </Link>
            )}
          </div>
        )}
      </div>
    </Notice>
  );
}
