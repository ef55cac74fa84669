import { Link } from "wouter";
import type { BalanceNow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { credits, number } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";

/** What stops calls, or soon will, if the organization is active at all. */
export function OverviewNotices({ balance }: { balance: BalanceNow }) {
  const { organization } = useSigned();
  return (
    <>
      {organization.isActive && balance.level === "empty" && (
        <Notice look="bad">
          <strong>No credits left.</strong>{" "}
          {balance.held > 0 && <span>{number(balance.held)} are held by calls in progress. </span>}
          <span>New calls are refused.</span> <AddCredits />
        </Notice>
      )}
      {organization.isActive && balance.level === "low" && (
        <Notice look="warn">
          <strong>Credits are running low.</strong> {credits(balance.subscription + balance.anytime)} can
          still be spent. <AddCredits />
        </Notice>
      )}
      {balance.debt > 0 && (
        <Notice look="warn">
          {credits(balance.debt)} of a refunded payment were already spent or had expired. They are taken from
          the next top-up first.
        </Notice>
      )}
    </>
  );
}

function AddCredits() {
  const { administers } = useSigned();
  return <Link href="/billing">{administers ? "Add credits" : "See whom to ask"}</Link>;
}
