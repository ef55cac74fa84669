import { useEffect } from "react";
import { useSearchParams } from "wouter";
import type { AskError } from "../api/ask.ts";
import { Button } from "./button.tsx";

type Pages = {
  /** Where the shown page begins; undefined for the first. */
  readonly cursor: string | undefined;
  readonly number: number;
  /** Where the previous page begins; null if this tab has not seen it. */
  readonly before: string | undefined | null;
  first(): void;
  back(): void;
  open(cursor: string): void;
};

/** For each cursor, that of the page before, as far as this tab has seen. */
const seen = new Map<string, string | undefined>();
const NUMBER = /^[1-9]\d{0,5}$/;

/** The page is kept in the URL: it survives a reload, and Back leads to the previous one. */
export function usePages(): Pages {
  const [search, setSearch] = useSearchParams();
  const cursor = search.get("after") || undefined;
  const said = search.get("page") ?? "";
  const number = cursor === undefined ? 1 : NUMBER.test(said) ? Number(said) : 2;
  function go(to: string | undefined, page: number, replace = false): void {
    setSearch(
      (now) => {
        const next = firstPageOf(now);
        if (to === undefined) return next;
        next.set("page", String(page));
        next.set("after", to);
        return next;
      },
      { replace },
    );
  }
  const isKnown = cursor === undefined || number === 2 || seen.has(cursor);
  const before = isKnown ? seen.get(cursor ?? "") : null;
  return {
    cursor,
    number,
    before,
    first: () => go(undefined, 1, true),
    back: () => go(before ?? undefined, number - 1),
    open(next) {
      seen.set(next, cursor);
      go(next, number + 1);
    },
  };
}

/** The URL without its page: another filter begins at its first one. */
export function firstPageOf(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("page");
  next.delete("after");
  return next;
}

/** Goes to the first page if the URL has an invalid cursor. */
export function useFirstPageAfter(error: AskError | null, { cursor, first }: Pages): void {
  const isWrong = cursor !== undefined && error?.problem.field === "cursor";
  useEffect(() => {
    if (isWrong) first();
  });
}

type PagerProps = {
  readonly pages: Pages;
  /** What the pages list, for screen readers. */
  readonly of: string;
  readonly nextCursor: string | null;
  /** Nothing on this page matched, but older pages may. */
  readonly isEmpty: boolean;
  readonly isBusy: boolean;
};

/** Not shown if everything is on one page. */
export function Pager({ pages, of, nextCursor, isEmpty, isBusy }: PagerProps) {
  if (pages.number === 1 && nextCursor === null) return null;
  return (
    <nav className="pager" aria-label={`Pages of ${of}`}>
      <Button
        disabled={pages.number === 1}
        onClick={({ currentTarget }) => {
          toHeading(currentTarget);
          pages.back();
        }}
      >
        {pages.before === null ? "First page" : "Previous"}
      </Button>
      <span className="dim small">Page {pages.number}</span>
      <Button
        disabled={nextCursor === null || isBusy}
        onClick={({ currentTarget }) => {
          if (nextCursor === null) return;
          toHeading(currentTarget);
          pages.open(nextCursor);
        }}
      >
        {isEmpty ? "Search further" : "Next"}
      </Button>
    </nav>
  );
}

/** Moves the focus and the view to the start of the new page. */
function toHeading(button: HTMLElement): void {
  const card = button.closest(".card");
  card?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  card?.scrollIntoView();
}
