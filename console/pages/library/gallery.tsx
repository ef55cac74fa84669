import { Images } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { useAskPages } from "../../api/use-ask-pages.ts";
import { Button } from "../../parts/button.tsx";
import { Empty, Notice, Skeleton } from "../../parts/states.tsx";
import { RunningTile } from "./running-tile.tsx";
import { Tile } from "./tile.tsx";
import type { useLibraryFilter } from "./use-library-filter.ts";
import { useRunningVideos } from "./use-running-videos.ts";

const WAITING = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

export function Gallery({ filter, isFiltered, search, clear }: ReturnType<typeof useLibraryFilter>) {
  const assets = useAskPages("assets", filter);
  const running = useRunningVideos(filter);
  const { rows, error, hasNextPage, isFetchingNextPage } = assets;
  if (!rows || running.isPending) {
    return error ? (
      <Notice look="bad">
        <div className="stack">
          <span>{error.message}</span>
          <div>
            <Button onClick={() => void assets.refetch()} isBusy={assets.isFetching}>
              Try again
            </Button>
          </div>
        </div>
      </Notice>
    ) : (
      <div className="gallery-waiting" role="status" aria-label="Loading">
        {WAITING.map((name) => (
          <Skeleton key={name} height={248} />
        ))}
      </div>
    );
  }
  if (rows.length + running.rows.length === 0) return <NothingHere isFiltered={isFiltered} onClear={clear} />;
  return (
    <>
      <ul className="gallery" aria-label="Generated files" aria-busy={assets.isPlaceholderData}>
        {running.rows.map((row) => (
          <RunningTile key={row.requestId} row={row} />
        ))}
        {rows.map((asset) => (
          <Tile key={asset.id} asset={asset} search={search} />
        ))}
      </ul>
      {hasNextPage && (
        <More
          isBusy={isFetchingNextPage}
          problem={error?.message ?? null}
          onMore={() => void assets.fetchNextPage()}
        />
      )}
    </>
  );
}

function NothingHere({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  return (
    <div className="card">
      {isFiltered ? (
        <Empty icon={<Images aria-hidden />} title="No matches">
          <p>Nothing matches all of these filters.</p>
          <Button onClick={onClear}>Show everything</Button>
        </Empty>
      ) : (
        <Empty icon={<Images aria-hidden />} title="Nothing here yet">
          <p>Images, videos and audio are kept here until somebody deletes them.</p>
          <Link href="/playground/image" className="button primary">
            Create the first image
          </Link>
        </Empty>
      )}
    </div>
  );
}

type MoreProps = { readonly isBusy: boolean; readonly problem: string | null; onMore(): void };

/** Loads the next page when it comes near the viewport; the button is for users who do not scroll, and for failures. */
function More({ isBusy, problem, onMore }: MoreProps) {
  const ref = useRef<HTMLDivElement>(null);
  const isReady = !isBusy && problem === null;
  useEffect(() => {
    const place = ref.current;
    if (!place || !isReady) return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onMore();
      },
      { rootMargin: "600px" },
    );
    watch.observe(place);
    return () => watch.disconnect();
  }, [isReady, onMore]);
  return (
    <div ref={ref} className="gallery-more">
      {problem && <Notice look="bad">{problem}</Notice>}
      <Button onClick={onMore} isBusy={isBusy}>
        Show older
      </Button>
    </div>
  );
}
