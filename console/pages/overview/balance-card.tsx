import type { ReactNode } from "react";
import { Link } from "wouter";
import type { BalanceNow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { Card } from "../../parts/card.tsx";
import { Figure, WholeBalance } from "../../parts/figure.tsx";
import { ago, counted, figure, moment } from "../../parts/format.ts";

/** Both credit pools, how much of them is held, and how long they last. */
export function BalanceCard({ balance }: { balance: BalanceNow }) {
  const { administers } = useSigned();
  const { subscription, anytime, held } = balance;
  const total = subscription + anytime;
  return (
    <Card title="Balance" actions={<Link href="/billing">{administers ? "Add credits" : "Billing"}</Link>}>
      <div className="balance">
        <p className="balance-sum">
          <span className="balance-value">
            <Figure value={total} isBalance />
          </span>{" "}
          {total === 1 ? "credit" : "credits"} to spend
          <WholeBalance value={total} />
        </p>
        <div className="balance-bar" aria-hidden>
          <i style={{ flexGrow: subscription, background: "var(--chart-1)" }} />
          <i style={{ flexGrow: anytime, background: "var(--chart-2)" }} />
          <i style={{ flexGrow: held, background: "var(--chart-rest)" }} />
        </div>
        <dl className="balance-pools">
          <Pool colour="var(--chart-1)" name="Plan" amount={subscription}>
            <PlanWords balance={balance} />
          </Pool>
          <Pool colour="var(--chart-2)" name="Anytime" amount={anytime}>
            Never expire
          </Pool>
          <Pool colour="var(--chart-rest)" name="On hold" amount={held}>
            For calls in progress
          </Pool>
        </dl>
        {total > 0 && <Forecast balance={balance} />}
      </div>
    </Card>
  );
}

type PoolProps = { colour: string; name: string; amount: number; children: ReactNode };

function Pool({ colour, name, amount, children }: PoolProps) {
  return (
    <div>
      <dt>
        <i className="swatch" style={{ background: colour }} aria-hidden />
        {name}
      </dt>
      <dd>
        <span className="number">
          <Figure value={amount} isBalance />
        </span>
        <span className="dim small">{children}</span>
      </dd>
    </div>
  );
}

function PlanWords({ balance: { subscriptionExpiresAt, subscriptionGranted } }: { balance: BalanceNow }) {
  if (subscriptionExpiresAt === null) return <span>This plan includes no credits at the moment</span>;
  return (
    <span title={moment(subscriptionExpiresAt)}>
      of {figure(subscriptionGranted)}, expire {ago(subscriptionExpiresAt)}
    </span>
  );
}

const LONG_DAYS = 365;

function Forecast({ balance: { forecast } }: { balance: BalanceNow }) {
  if (forecast === null) return null;
  const { lastsDays, spentPerDay, expiresUnused } = forecast;
  if (lastsDays === null) return <p className="dim small">Nothing was spent in the last seven days.</p>;
  const pace =
    spentPerDay < 1
      ? "under a credit"
      : `about ${figure(spentPerDay)} ${spentPerDay === 1 ? "credit" : "credits"}`;
  const lasts =
    lastsDays > LONG_DAYS
      ? "for more than a year"
      : lastsDays < 1
        ? "for less than a day"
        : `for ${counted(lastsDays, "day")}`;
  return (
    <p className="dim small">
      At {pace} a day, this lasts {lasts}.
      {expiresUnused > 0 && (
        <span> About {figure(expiresUnused)} of the plan's credits would expire unused.</span>
      )}
    </p>
  );
}
