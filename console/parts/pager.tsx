import { useState } from "react";
import { Button } from "./button.tsx";

export type Pages = {
  /** Where the page that is shown begins; the first one has none. */
  readonly cursor: string | undefined;
  readonly number: number;
  back(): void;
  open(cursor: string): void;
};

/** Where each page that was opened begins. */
export function usePages(): Pages {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1),
    number: cursors.length + 1,
    back: () => setCursors(cursors.slice(0, -1)),
    open: (cursor) => setCursors([...cursors, cursor]),
  };
}

export type PagerProps = {
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
      <Button disabled={pages.number === 1} onClick={pages.back}>
        Previous
      </Button>
      <span className="dim small">Page {pages.number}</span>
      <Button
        disabled={nextCursor === null || isBusy}
        onClick={() => nextCursor !== null && pages.open(nextCursor)}
      >
        {isEmpty ? "Search further" : "Next"}
      </Button>
    </nav>
  );
}
