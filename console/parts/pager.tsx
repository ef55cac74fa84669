import { useEffect } from "react";
import { useSearchParams } from "wouter";
import type { AskError } from "../api/ask.ts";
import { Button } from "./button.tsx";

type Pages = {
  /** Where the page that is shown begins; the first one has none. */
  readonly cursor: string | undefined;
  readonly number: number;
  /** Where the page before it begins; null: this tab has not seen it. */
  readonly before: string | undefined | null;
  first(): void;
  back(): void;
  open(cursor: string): void;
};

/** Which page came before the one that begins there, as far as this tab has seen. */
const seen = new Map<string, string | undefined>();
const NUMBER = /^[1-9]\d{0,5}$/;

/** Which page is shown stands in the address: it is still there after a reload, and Back leads to the one before. */
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

/** The same address without its page: another filter begins with its first one. */
export function firstPageOf(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("page");
  next.delete("after");
  return next;
}

/** What somebody wrote into the address by hand and nobody understands counts as left out. */
export function useFirstPageAfter(error: AskError | null, { cursor, first }: Pages): void {
  const isWrong = cursor !== undefined && error?.problem.field === "cursor";
  useEffect(() => {
    if (isWrong) first();
  });
}

type PagerProps = {
  readonly pages: Pages;
  /** What they are pages of, for screen readers. */
  readonly of: string;
  readonly nextCursor: string | null;
  /** None on this page matched, but older ones may. */
  readonly isEmpty: boolean;
  readonly isBusy: boolean;
};

/** Nothing where all of it is on one page. */
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

/** Another page is read from its beginning. */
function toHeading(button: HTMLElement): void {
  const card = button.closest(".card");
  card?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  card?.scrollIntoView();
}
