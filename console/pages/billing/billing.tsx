import { Link, Redirect, useRoute, useSearch } from "wouter";
import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk, useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Stat } from "../../parts/card.tsx";
import { Code } from "../../parts/copy.tsx";
import { Figure, WholeBalance } from "../../parts/figure.tsx";
import { credits, day, figure } from "../../parts/format.ts";
import { Page } from "../../parts/page.tsx";
import { Answer, Notice, Skeleton } from "../../parts/states.tsx";
import { LedgerCard, useLedger } from "./ledger.tsx";
import { missingCredits } from "./missing-credits.ts";
import { checkoutOf, Orders, what } from "./orders.tsx";
import { Packs } from "./packs.tsx";
import { PlanCard } from "./plan.tsx";
import { price } from "./price.ts";
import { Returned } from "./returned.tsx";
import { TestCheckout } from "./test-checkout.tsx";

function Balance({ view }: { view: BillingView }) {
  const { subscription, anytime, held, debt, worthUsd, subscriptionExpiresAt } = view.balance;
  const total = subscription + anytime;
  return (
    <>
      {debt > 0 && (
        <Notice look="warn">
          <strong>{credits(debt)} are owed.</strong> A payment was refunded or disputed after its credits had
          been spent or had expired. The next top-up pays this first.
        </Notice>
      )}
      <div className="billing-balance">
        <Stat
          name="Available now"
          value={
            <>
              <Figure value={total} isBalance />
              <WholeBalance value={total} />
            </>
          }
          note={`credits, worth ${price(worthUsd)}${held > 0 ? `; ${figure(held)} more held by running calls` : ""}`}
        />
        <Stat
          name="From this month's plan"
          value={<Figure value={subscription} isBalance />}
          note={
            subscriptionExpiresAt === null
              ? "This plan includes no credits at the moment"
              : `expire on ${day(subscriptionExpiresAt)}`
          }
        />
        <Stat
          name="Anytime"
          value={<Figure value={anytime} isBalance />}
          note="never expire, used after the plan's"
        />
      </div>
    </>
  );
}

/** A user sent here for one organization, by a refused call, an email or a checkout, must not pay for another. */
function OtherOrganization({ id }: { id: string }) {
  const { organization, organizations } = useSigned();
  const choose = useCommand("choose-organization", ["session"]);
  const meant = organizations.find((one) => one.id === id);
  if (!meant) {
    return (
      <Notice look="warn">
        You came here for an organization that you are not a member of. Anything you buy on this page is for{" "}
        {organization.name}.
      </Notice>
    );
  }
  return (
    <Notice look="warn">
      <div className="stack">
        <span>
          You came here for {meant.name}, and are looking at {organization.name}.
        </span>
        {choose.error && <span>{choose.error.message}</span>}
        <div>
          <Button onClick={() => choose.mutate({ id })} isBusy={choose.isPending}>
            Go to {meant.name}
          </Button>
        </div>
      </div>
    </Notice>
  );
}

const DEFAULT_AMOUNT = 10_000;

/** Shown if payments are not set up: who can add credits, and with which command. */
function NoPayments({ needed }: { needed: number | null }) {
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

/** For users who left the checkout. An order that was paid in another window meanwhile is not called unpaid. */
function Left({ orderId }: { orderId: string }) {
  const { organization } = useSigned();
  const order = useAsk("order.get", { id: orderId }).data;
  if (order?.status !== "open") return null;
  const checkout = checkoutOf(order, organization);
  return (
    <Notice>
      <div className="spread">
        <span>You left the checkout for {what(order)}. Nothing was paid.</span>
        {checkout && (
          <Link href={checkout} className="button secondary">
            Continue to payment
          </Link>
        )}
      </div>
    </Notice>
  );
}

/** Members cannot buy: shows them who can. */
function WhomToAsk({ view, needed }: { view: BillingView; needed: number | null }) {
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

const EVERY_MS = 15_000;

export function BillingPage() {
  const [isCheckout, params] = useRoute("/billing/checkout/:id");
  const { service } = useSigned();
  if (!isCheckout) return <Billing />;
  // In production there is none, and the page would say so of itself.
  return service.payments === "test" ? <TestCheckout id={params.id} /> : <Redirect to="/billing" replace />;
}

function Billing() {
  const billing = useAsk("billing.get", {}, { everyMs: EVERY_MS });
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
