import type { InfiniteData, Query, QueryClient } from "@tanstack/react-query";
import type { Queries } from "../../gateway/src/http/console/contract.ts";

/** Pages of a list that are refetched, one after another; a user who scrolled far may have hundreds. */
const MOST_PAGES = 5;

/** Refetches every answer of that query. A long list is first cut to its newest pages. */
export async function askAgain(client: QueryClient, name: keyof Queries): Promise<void> {
  keepNewest(client, ({ queryKey }) => queryKey[0] === name);
  await client.invalidateQueries({ queryKey: [name] });
}

/** Forgets the older pages of long lists; they are loaded again on scrolling. */
export function keepNewest(client: QueryClient, isMeant: (query: Query) => boolean): void {
  client.setQueriesData<InfiniteData<unknown>>(
    { predicate: (query) => isLong(query) && isMeant(query) },
    (data) =>
      data && { pages: data.pages.slice(0, MOST_PAGES), pageParams: data.pageParams.slice(0, MOST_PAGES) },
  );
}

export function isLong({ state }: { readonly state: { readonly data: unknown } }): boolean {
  const { pages } = (state.data ?? {}) as Partial<InfiniteData<unknown>>;
  return Array.isArray(pages) && pages.length > MOST_PAGES;
}
