import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { Empty } from "./states.tsx";

const STEP = 100;
/** With fewer, looking is quicker than typing. */
const SEARCH_FROM = 12;

export type LongListProps<Row> = {
  readonly title: string;
  readonly rows: readonly Row[];
  /** What a search looks at, and what it is called: "Name or email". */
  readonly wordsOf: (row: Row) => string;
  readonly searchedBy: string;
  readonly whenNone: string;
  readonly actions?: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
};

/** A card of rows that may be hundreds: a part of them at a time, and a search. */
export function LongList<Row>(props: LongListProps<Row>) {
  const { title, rows, wordsOf, searchedBy, whenNone, actions, children } = props;
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(STEP);
  const isSearched = rows.length >= SEARCH_FROM;
  const wanted = isSearched ? search.trim().toLowerCase() : "";
  const found = rows.filter((row) => wordsOf(row).toLowerCase().includes(wanted));
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
      {found.length === 0 ? <Empty title={whenNone} /> : children(found.slice(0, most))}
      {found.length > most && (
        <div className="table-more">
          <Button onClick={() => setMost(most + STEP)}>Show more</Button>
        </div>
      )}
    </Card>
  );
}
