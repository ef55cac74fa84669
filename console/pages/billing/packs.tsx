import { useId, useState } from "react";
import type { BillingView } from "../../../src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { credits, number } from "../../parts/format.ts";
import { Notice } from "../../parts/states.tsx";
import { useLeave } from "../../parts/use-leave.ts";
import { missingCredits } from "./missing-credits.ts";
import { creditsPerDollar, price } from "./price.ts";

type Pack = BillingView["packs"][number];

type PacksProps = {
  readonly view: BillingView;
  readonly needed: number | null;
  readonly leftId: string | null;
};

export function Packs({ view, needed, leftId }: PacksProps) {
  const { organization, service } = useSigned();
  const { debt } = view.balance;
  const fitting = needed === null && debt === 0 ? undefined : packFor(view.packs, (needed ?? 1) + debt);
  // A user who came back from the checkout finds what they had chosen.
  const left = view.orders.find(({ id, kind }) => id === leftId && kind === "pack");
  const [chosenName, choose] = useState(left?.item ?? fitting?.name ?? view.packs[0]?.name);
  const chosen = view.packs.find((pack) => pack.name === chosenName) ?? view.packs[0];
  const buy = useCommand("buy-pack", ["billing"]);
  const { isLeaving, leave } = useLeave();
  if (!chosen) return null;
  return (
    <Card
      title="Add anytime credits"
      actions={service.payments === "test" && <Badge look="warn">Test checkout</Badge>}
    >
      <div className="stack">
        {needed !== null && organization.isActive && <Needed needed={needed} view={view} />}
        <PackChoice packs={view.packs} chosen={chosen} onChoose={(pack) => choose(pack.name)} />
        {buy.error && <Notice look="bad">{buy.error.message}</Notice>}
        <div className="spread">
          <span className="dim small">
            {organization.isActive ? (
              <>
                {debt > 0 && <span>{paidFirst(debt, chosen.credits)} </span>}
                <span>
                  {service.payments === "test"
                    ? "No money is taken here. The credits are real, and never expire."
                    : "One-time purchase. They never expire."}
                </span>
              </>
            ) : (
              <span>Nothing can be bought while the organization is inactive.</span>
            )}
          </span>
          <Button
            look="primary"
            disabled={!organization.isActive}
            isBusy={buy.isPending || isLeaving}
            onClick={() => buy.mutate({ pack: chosen.name }, { onSuccess: ({ url }) => leave(url) })}
          >
            Buy {credits(chosen.credits)} for {price(chosen.usd)}
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** The smallest pack that covers it, or the largest if none does. */
export function packFor(packs: readonly Pack[], needed: number): Pack | undefined {
  const bySize = packs.toSorted((a, b) => a.credits - b.credits);
  return bySize.find((pack) => pack.credits >= needed) ?? bySize.at(-1);
}

/** Debt is deducted from whatever is bought. */
export function paidFirst(debt: number, bought: number): string {
  const paid = Math.min(debt, bought);
  const rest = bought - paid;
  const added = rest === 0 ? "none are" : `${number(rest)} ${rest === 1 ? "is" : "are"}`;
  return `${number(paid)} of them ${paid === 1 ? "goes" : "go"} toward what is owed; ${added} added.`;
}

function Needed({ needed, view }: { needed: number; view: BillingView }) {
  const wanted = needed + view.balance.debt;
  const isCovered = view.packs.some((pack) => pack.credits >= wanted);
  const debt =
    view.balance.debt > 0
      ? `, and ${credits(view.balance.debt)} ${view.balance.debt === 1 ? "is" : "are"} owed first`
      : "";
  return (
    <Notice look="good">
      {missingCredits(needed)}
      {debt}.{" "}
      {isCovered
        ? "The smallest pack that covers it is selected below."
        : "No single pack covers it: the largest is selected below, and you can buy more afterwards."}
    </Notice>
  );
}

function PackChoice(props: { packs: readonly Pack[]; chosen: Pack; onChoose(pack: Pack): void }) {
  const group = useId();
  return (
    <fieldset className="choices" aria-label="Packs">
      {props.packs.map((pack) => (
        <label key={pack.name} className="choice">
          <input
            type="radio"
            name={group}
            checked={pack === props.chosen}
            onChange={() => props.onChoose(pack)}
          />
          <span className="choice-title">{number(pack.credits)} credits</span>
          <span className="choice-price">{price(pack.usd)}</span>
          <span className="dim small">{creditsPerDollar(pack.credits, pack.usd)}</span>
        </label>
      ))}
    </fieldset>
  );
}
