import { useSigned } from "../../api/session.ts";
import { Card } from "../../parts/card.tsx";
import { Code } from "../../parts/copy.tsx";
import { missingCredits } from "./missing-credits.ts";

const DEFAULT_AMOUNT = 10_000;

/** Shown if payments are not set up: who can add credits, and with which command. */
export function NoPayments({ needed }: { needed: number | null }) {
  const { organization, service } = useSigned();
  const amount = needed ?? DEFAULT_AMOUNT;
  return (
    <Card title="More credits">
      <div className="stack">
        <p>
          {needed !== null && `${missingCredits(needed)}. `}
          Payments are not set up here. Ask whoever runs this Bursar for credits; they add them with this
          command:
        </p>
        <Code
          what="command"
          text={`${service.command} credits grant --org ${organization.slug} --pool anytime --amount ${amount}`}
        />
      </div>
    </Card>
  );
}
