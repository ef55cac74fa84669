import { useSearchParams } from "wouter";
import type { RequestFilter, Split } from "../../../gateway/src/http/console/contract.ts";
import { idIn } from "../../parts/address.ts";
import { firstPageOf } from "../../parts/pager.tsx";

export type View = RequestFilter & { readonly split: Split };

export const DAYS = ["1", "7", "30", "90"] as const;
const SPLITS: readonly Split[] = ["model", "key", "member", "endpoint"];
const STATUSES = ["succeeded", "failed", "cancelled", "processing"] as const;
const SORTS = ["time", "credits", "tokens", "latency"] as const;
const USUAL_DAYS = "30";
/** Member filter for calls that name no member. */
export const UNATTRIBUTED = "none";

/** What the page shows is kept in its URL, so that it can be shared and Back works. Invalid values are ignored. */
export function useView(): [View, (change: Partial<View>) => void] {
  const [search, setSearch] = useSearchParams();
  function change(changed: Partial<View>): void {
    setSearch(
      (before) => {
        const next = firstPageOf(before);
        for (const [name, value] of Object.entries(changed)) {
          if (value === undefined) next.delete(name);
          else next.set(name, String(value));
        }
        return next;
      },
      { replace: true },
    );
  }
  return [viewOf(search), change];
}

/** Whether any filter besides the days is set. */
export function isFiltered({ model, keyId, memberId, endpoint, status }: RequestFilter): boolean {
  return [model, keyId, memberId, endpoint, status].some((one) => one !== undefined);
}

export function viewOf(search: URLSearchParams): View {
  const text = (name: string) => search.get(name) || undefined;
  const one = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === search.get(name));
  return {
    days: Number(one("days", DAYS) ?? USUAL_DAYS),
    split: one("split", SPLITS) ?? "model",
    model: text("model"),
    keyId: idIn(search, "keyId"),
    memberId: one("memberId", [UNATTRIBUTED]) ?? idIn(search, "memberId"),
    endpoint: text("endpoint"),
    status: one("status", STATUSES),
    sort: one("sort", SORTS),
    order: one("order", ["down", "up"]),
  };
}
