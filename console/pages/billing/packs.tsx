import { useId, useState } from "react";
import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
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

/** One pack, or several that are bought together. */
type Choice = Pack & { readonly names: readonly string[]; readonly words: string };

/** The gateway takes as many in one order. */
const MOST_PACKS = 20;

/** The cheapest packs that cover what is needed; undefined if no order can. */
export function cheapestPacks(packs: readonly Pack[], needed: number): Choice | undefined {
  const found = cheapest(
    packs.toSorted((a, b) => b.credits - a.credits),
    needed,
    MOST_PACKS,
  );
  return found && choiceOf(found);
}

/** Of packs sorted by size, the largest first. */
function cheapest(packs: readonly Pack[], needed: number, most: number): Pack[] | undefined {
  if (needed <= 0) return [];
  const [largest, ...smaller] = packs;
  if (!largest) return undefined;
  const enough = Math.ceil(needed / largest.credits);
  // A larger pack costs less for each credit, so only its last one can be replaced by smaller ones.
  const options = [enough, enough - 1].flatMap((count) => {
    if (count > most) return [];
    const rest = cheapest(smaller, needed - count * largest.credits, most - count);
    return rest ? [[...new Array<Pack>(count).fill(largest), ...rest]] : [];
  });
  return options.toSorted((a, b) => total(a).usd - total(b).usd)[0];
}

function choiceOf(packs: readonly Pack[]): Choice {
  const names = packs.map(({ name }) => name);
  const sizes = [...new Set(packs)].map((pack) => {
    const count = packs.filter((one) => one === pack).length;
    return count === 1 ? number(pack.credits) : `${count} × ${number(pack.credits)}`;
  });
  return { name: names.join("+"), names, ...total(packs), words: sizes.join(" + ") };
}

function total(packs: readonly Pack[]) {
  return {
    credits: packs.reduce((sum, pack) => sum + pack.credits, 0),
    usd: packs.reduce((sum, pack) => sum + Math.round(pack.usd * 100), 0) / 100,
  };
}

type PacksProps = {
  readonly view: BillingView;
  readonly needed: number | null;
  readonly leftId: string | null;
};

export function Packs({ view, needed, leftId }: PacksProps) {
  const { organization, service } = useSigned();
  const { debt } = view.balance;
  const fitting = needed === null && debt === 0 ? undefined : cheapestPacks(view.packs, (needed ?? 1) + debt);
  // A user who came back from the checkout finds what they had chosen.
  const left = view.orders.find(({ id, kind }) => id === leftId && kind === "pack");
  const choices = choicesOf(view, [left?.item, fitting?.name]);
  const [chosenName, choose] = useState(left?.item ?? fitting?.name);
  const chosen = choices.find(({ name }) => name === chosenName) ?? choices[0];
  const buy = useCommand("billing.buy", ["billing.get"]);
  const { isLeaving, leave } = useLeave();
  if (!chosen) return null;
  return (
    <Card
      title="Add anytime credits"
      actions={service.payments === "test" && <Badge look="warn">Test checkout</Badge>}
    >
      <div className="stack">
        {needed !== null && organization.isActive && <Needed needed={needed} debt={debt} fitting={fitting} />}
        <PackChoice choices={choices} chosen={chosen} onChoose={({ name }) => choose(name)} />
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
            onClick={() => buy.mutate({ packs: chosen.names }, { onSuccess: ({ url }) => leave(url) })}
          >
            Buy {credits(chosen.credits)} for {price(chosen.usd)}
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** Each pack by itself, and the combinations of these names. */
function choicesOf({ packs }: BillingView, names: readonly (string | undefined)[]): Choice[] {
  const combined = [...new Set(names)].flatMap((name) => {
    const parts = (name ?? "").split("+").map((part) => packs.find((pack) => pack.name === part));
    const known = parts.filter((pack) => pack !== undefined);
    return known.length > 1 && known.length === parts.length ? [choiceOf(known)] : [];
  });
  return [...packs.map((pack) => choiceOf([pack])), ...combined];
}

/** Debt is deducted from whatever is bought. */
export function paidFirst(debt: number, bought: number): string {
  const paid = Math.min(debt, bought);
  const rest = bought - paid;
  const added = rest === 0 ? "none are" : `${number(rest)} ${rest === 1 ? "is" : "are"}`;
  return `${number(paid)} of them ${paid === 1 ? "goes" : "go"} toward what is owed; ${added} added.`;
}

function Needed(props: { needed: number; debt: number; fitting: Choice | undefined }) {
  const { needed, debt, fitting } = props;
  const owed = debt > 0 ? `, and ${credits(debt)} ${debt === 1 ? "is" : "are"} owed first` : "";
  return (
    <Notice look="good">
      {missingCredits(needed)}
      {owed}.{" "}
      {fitting
        ? "The cheapest packs that cover it are selected below."
        : "No single order covers it; you can place several."}
    </Notice>
  );
}

type PackChoiceProps = { choices: readonly Choice[]; chosen: Choice; onChoose(choice: Choice): void };

function PackChoice(props: PackChoiceProps) {
  const group = useId();
  return (
    <fieldset className="choices" aria-label="Packs">
      {props.choices.map((choice) => (
        <label key={choice.name} className="choice">
          <input
            type="radio"
            name={group}
            checked={choice === props.chosen}
            onChange={() => props.onChoose(choice)}
          />
          <span className="choice-title">{number(choice.credits)} credits</span>
          <span className="choice-price">{price(choice.usd)}</span>
          <span className="dim small">
            {choice.names.length > 1 && `${choice.words}, `}
            {creditsPerDollar(choice.credits, choice.usd)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
