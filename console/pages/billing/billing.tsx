import { Redirect, useRoute, useSearch } from "wouter";
import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { credits } from "../../parts/format.ts";
import { Page } from "../../parts/page.tsx";
import { Answer, Notice, Skeleton } from "../../parts/states.tsx";
import { Balance } from "./balance.tsx";
import { LedgerCard, useLedger } from "./ledger.tsx";
import { Left } from "./left.tsx";
import { NoPayments } from "./no-payments.tsx";
import { Orders } from "./orders.tsx";
import { OtherOrganization } from "./other-organization.tsx";
import { Packs } from "./packs.tsx";
import { PlanCard } from "./plan.tsx";
import { Returned } from "./returned.tsx";
import { TestCheckout } from "./test-checkout.tsx";
import { WhomToAsk } from "./whom-to-ask.tsx";

const EVERY_MS = 15_000;

export function BillingPage() {
  const [isCheckout, params] = useRoute("/billing/checkout/:id");
  const { service } = useSigned();
  if (!isCheckout) return <Billing />;
  // In production there is none, and the page would say so of itself.
  return service.payments === "test" ? <TestCheckout id={params.id} /> : <Redirect to="/billing" replace />;
}

function Billing() {
  const billing = useAsk("billing", {}, { everyMs: EVERY_MS });
  const search = new URLSearchParams(useSearch());
  const { administers, organization } = useSigned();
  // Shown below the rest, but not requested after it.
  useLedger({ isOff: !administers });
  const meantId = search.get("organization") ?? organization.id;
  const isMeant = meantId === organization.id;
  // Another organization does not have this order.
  const orderId = isMeant ? search.get("order") : null;
  const leftId = isMeant ? search.get("left") : null;
  return (
    <Page
      title="Billing"
      about={
        administers
          ? "Your balance, your plan and everything you bought."
          : "Your organization's balance and plan."
      }
    >
      {orderId && administers && <Returned orderId={orderId} />}
      {leftId && administers && <Left orderId={leftId} />}
      {!isMeant && <OtherOrganization id={meantId} />}
      <Answer of={billing} waiting={<Waiting />}>
        {(view) => <Sections view={view} refused={isMeant ? refusedCall(search) : null} leftId={leftId} />}
      </Answer>
    </Page>
  );
}

/** What a refused call lacked and needed, from the link in its error. */
type RefusedCall = { readonly missing: number; readonly needed: number | null };

function refusedCall(search: URLSearchParams): RefusedCall | null {
  const missing = amountOf(search.get("credits"));
  return missing === null ? null : { missing, needed: amountOf(search.get("needed")) };
}

/** Null for anything that is not an amount. */
function amountOf(text: string | null): number | null {
  const amount = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return amount > 0 ? amount : null;
}

type SectionsProps = {
  readonly view: BillingView;
  readonly refused: RefusedCall | null;
  /** The order whose checkout the user left. */
  readonly leftId: string | null;
};

function Sections({ view, refused, leftId }: SectionsProps) {
  const { administers, organization, service } = useSigned();
  const available = view.balance.subscription + view.balance.anytime;
  const isPaid = refused?.needed != null && refused.needed <= available;
  const needed =
    refused === null || isPaid ? null : (refused.needed ?? refused.missing + available) - available;
  return (
    <>
      {isPaid && (
        <Notice look="good">
          The call that was refused needs {credits(refused.needed)}, and they are here now: it can be sent
          again.
        </Notice>
      )}
      <Balance view={view} />
      {!administers && organization.isActive && <WhomToAsk view={view} needed={needed} />}
      {administers && service.payments === "none" && <NoPayments needed={needed} />}
      {administers && service.payments !== "none" && <Packs view={view} needed={needed} leftId={leftId} />}
      <PlanCard view={view} />
      {administers && <Orders orders={view.orders} nextPlan={view.nextPlan} />}
      {administers && <LedgerCard />}
    </>
  );
}

function Waiting() {
  return (
    <div className="stack">
      <Skeleton height={108} />
      <Skeleton height={300} />
      <Skeleton height={300} />
    </div>
  );
}
