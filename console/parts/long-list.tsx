import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { number } from "./format.ts";
import { Empty } from "./states.tsx";

const STEP = 100;
const CONTROLS = "a[href], button:enabled";
/** With fewer rows, looking is quicker than typing. */
const SEARCH_FROM = 12;

type LongListProps<Row> = {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The text that is searched, and its label: "Name or email". */
  readonly wordsOf: (row: Row) => string;
  readonly searchedBy: string;
  readonly whenNone: string;
  /** Rows shown before more are requested: few, if the page continues below. */
  readonly atFirst?: number;
  readonly actions?: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
};

/** A card for hundreds of rows: shows a part of them at a time, with a search. */
export function LongList<Row>(props: LongListProps<Row>) {
  const { title, rows, wordsOf, searchedBy, whenNone, atFirst = STEP, actions, children } = props;
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(atFirst);
  const isSearched = rows.length >= SEARCH_FROM;
  const wanted = isSearched ? search.trim().toLowerCase() : "";
  const found = rows.filter((row) => wordsOf(row).toLowerCase().includes(wanted));
  const shown = found.slice(0, most);
  const isPart = shown.length > 0 && shown.length < rows.length;
  const card = useRef<Element>(null);
  // The button disappears with the last rows: move the focus to the first of the new ones.
  useEffect(() => {
    if (!card.current || document.activeElement !== document.body) return;
    const row = card.current.querySelectorAll("tbody tr")[most - STEP];
    (row?.querySelector<HTMLElement>(CONTROLS) ?? card.current.querySelector("h2"))?.focus();
  }, [most]);
  return (
    <Card
      isFlush
      title={title}
      actions={
        <>
          {isSearched && (
            <input
              className="input search"
              type="search"
              aria-label={`Search by ${searchedBy.toLowerCase()}`}
              placeholder={searchedBy}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          )}
          {actions}
        </>
      }
    >
      {found.length === 0 ? <Empty title={whenNone} /> : children(shown)}
      {isPart && (
        <div className="table-more">
          <span className="dim small">
            {number(shown.length)} of {number(rows.length)}
            {wanted !== "" && <span>, matching “{search.trim()}”</span>}
          </span>
          {found.length > most && (
            <Button
              onClick={({ currentTarget }) => {
                card.current = currentTarget.closest(".card");
                setMost(most + STEP);
              }}
            >
              Show more
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}
