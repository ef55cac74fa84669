import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { Card } from "../../parts/card.tsx";
import { missingCredits } from "./missing-credits.ts";

/** Members cannot buy: shows them who can. */
export function WhomToAsk({ view, needed }: { view: BillingView; needed: number | null }) {
  return (
    <Card title="More credits">
      <div className="stack">
        <p>
          {needed !== null && `${missingCredits(needed)}. `}
          Only owners and admins can add credits. Ask one of them:
        </p>
        <ul className="people">
          {view.buyers.map(({ name, email }) => (
            <li key={email}>
              <strong>{name}</strong> <a href={`mailto:${email}`}>{email}</a>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
