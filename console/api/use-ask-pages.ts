import {
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type { Page, Queries } from "../../gateway/src/http/console/contract.ts";
import { type AskError, query } from "./ask.ts";
import { isLong, keepNewest } from "./ask-again.ts";

/** Queries that are answered page by page. */
type PagedName = {
  [Name in keyof Queries]: Queries[Name]["output"] extends Page<unknown> ? Name : never;
}[keyof Queries];

type RowOf<Name extends PagedName> = Queries[Name]["output"]["rows"][number];

export function pagesOf<Name extends PagedName>(name: Name, input: Queries[Name]["input"]) {
  return infiniteQueryOptions<
    Queries[Name]["output"],
    AskError,
    InfiniteData<Queries[Name]["output"]>,
    unknown[],
    string | undefined
  >({
    queryKey: [name, input],
    queryFn: ({ pageParam, signal }) =>
      query(name, pageParam === undefined ? input : { ...input, cursor: pageParam }, signal),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
    // A user who comes back to a long list keeps their place in it; it is refetched when something in it changes.
    refetchOnWindowFocus: (list) => !isLong(list),
    refetchOnReconnect: (list) => !isLong(list),
  });
}

/** All rows so far, and how to load more. What is shown stays while another filter loads. */
export function useAskPages<Name extends PagedName>(name: Name, input: Queries[Name]["input"]) {
  const client = useQueryClient();
  const answer = useInfiniteQuery(pagesOf(name, input));
  const list = hashKey([name, input]);
  // A list that was left is refetched from its beginning when it is shown next.
  useEffect(() => () => keepNewest(client, ({ queryHash }) => queryHash === list), [client, list]);
  const rows: readonly RowOf<Name>[] | undefined = answer.data?.pages.flatMap(
    ({ rows: some }) => some as RowOf<Name>[],
  );
  return { ...answer, rows };
}
