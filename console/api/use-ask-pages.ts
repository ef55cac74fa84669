import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { Page, Queries } from "../../src/http/console/contract.ts";
import { type AskError, query } from "./ask.ts";

/** Queries that are answered page by page. */
type PagedName = {
  [Name in keyof Queries]: Queries[Name]["output"] extends Page<unknown> ? Name : never;
}[keyof Queries];

type RowOf<Name extends PagedName> = Queries[Name]["output"]["rows"][number];

/** All rows so far, and a way to the next ones. What is shown stays while another filter is asked for. */
export function useAskPages<Name extends PagedName>(name: Name, input: Queries[Name]["input"]) {
  const answer = useInfiniteQuery<
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
  });
  const rows: readonly RowOf<Name>[] | undefined = answer.data?.pages.flatMap(
    ({ rows: some }) => some as RowOf<Name>[],
  );
  return { ...answer, rows };
}
