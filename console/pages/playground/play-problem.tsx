import type { ReactNode } from "react";
import { Link } from "wouter";
import { useSigned } from "../../api/session.ts";
import { counted } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";
import type { PlayError } from "./play.ts";

/** What went wrong, and what to do next. */
export function PlayProblem({ problem, children }: { problem: PlayError; children?: ReactNode }) {
  const { code, retryAfterSeconds, creditsPage } = problem;
  const { administers } = useSigned();
  // The API's message is about a key, which is not visible here.
  const isInactive = code === "org_inactive";
  const needsCredits = code === "insufficient_credits";
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
              <Link href={creditsPage ?? "/billing"} className="button secondary">
                {administers ? "Get credits" : "See whom to ask"}
              </Link>
            )}
          </div>
        )}
      </div>
    </Notice>
  );
}
