import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { number } from "../../parts/format.ts";

type Pack = BillingView["packs"][number];

/** One pack, or several that are bought together. */
export type Choice = Pack & { readonly names: readonly string[]; readonly words: string };

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

export function choiceOf(packs: readonly Pack[]): Choice {
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
