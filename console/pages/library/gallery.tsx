import { useQueryClient } from "@tanstack/react-query";
import { type CSSProperties, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { AssetRow, RequestRow } from "../../../gateway/src/http/console/contract.ts";
import { askAgain } from "../../api/ask-again.ts";
import { useAsk } from "../../api/use-ask.ts";
import { useAskPages } from "../../api/use-ask-pages.ts";
import { Button } from "../../parts/button.tsx";
import { Elapsed } from "../../parts/elapsed.tsx";
import { ago } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Empty, Notice, Skeleton } from "../../parts/states.tsx";
import { useVideoStill } from "../../parts/use-video-still.ts";
import { TileSound } from "./tile-sound.tsx";
import type { LibraryFilter, useLibraryFilter } from "./use-library-filter.ts";
import { clock, shapeOf, TYPE_WORDS, titleOf } from "./words.ts";

const RUNNING_EVERY_MS = 2_000;
const IDLE_EVERY_MS = 15_000;
/** No job lasts nearly this long. */
const DAYS = 2;
const MOST = 12;
const NONE: readonly RequestRow[] = [];

type RunningVideos = {
  readonly rows: readonly RequestRow[];
  /** True until the first answer: a list shown before it would jump. */
  readonly isPending: boolean;
};

/** Jobs that will become videos of this list. An ended one stays until its video is there to replace it. */
function useRunningVideos({ type, ...filter }: LibraryFilter): RunningVideos {
  const client = useQueryClient();
  const isShown = type === undefined || type === "video";
  const { data, isPending } = useAsk(
    "request.list",
    { ...filter, days: DAYS, endpoint: "api-v1-video", status: "processing", limit: MOST },
    {
      isOff: !isShown,
      keepsOld: true,
      everyMs: (found) => (found && found.rows.length > 0 ? RUNNING_EVERY_MS : IDLE_EVERY_MS),
    },
  );
  const running = isShown ? (data?.rows ?? NONE) : NONE;
  const [shown, setShown] = useState(running);
  useEffect(() => {
    let isOld = false;
    const ended = shown.filter(({ requestId }) => !running.some((row) => row.requestId === requestId));
    const known = ended.length === 0 ? null : askAgain(client, "asset.list");
    void Promise.resolve(known).then(() => {
      if (!isOld) setShown(running);
    });
    return () => {
      isOld = true;
    };
  }, [client, running, shown]);
  const added = running.filter(({ requestId }) => !shown.some((row) => row.requestId === requestId));
  return { rows: isShown ? [...added, ...shown] : NONE, isPending: isShown && isPending };
}

/** A still of the video, fetched when the tile comes near the viewport. */
function TileVideo({ asset: { url, durationSeconds } }: { asset: AssetRow }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const still = useVideoStill(url, isNear);
  useEffect(() => {
    if (!place.current) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: "300px",
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={place} className="tile-video">
      {typeof still === "string" && <img className="tile-media" src={still} alt="" />}
      {still === undefined && <div className="tile-media" />}
      {still === null && (
        <video
          className="tile-media"
          src={`${url}#t=0.1`}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
        />
      )}
      <span className="tile-play" aria-hidden>
        <Icon name="play" />
      </span>
      <span className="tile-kind">{durationSeconds === null ? "Video" : clock(durationSeconds)}</span>
    </div>
  );
}

function Tile({ asset, search }: { asset: AssetRow; search: string }) {
  return (
    <li className="card tile" style={shapeStyle(asset)}>
      <TileMedia asset={asset} />
      <div className="tile-words">
        <Link href={`/library/${asset.id}${search}`} className="tile-open">
          <span className="visually-hidden">{TYPE_WORDS[asset.type]}: </span>
          <span dir="auto">{titleOf(asset)}</span>
        </Link>
        <span className="dim small">
          {ago(asset.createdAt)} · {asset.memberName ?? asset.model}
        </span>
      </div>
    </li>
  );
}

function TileMedia({ asset }: { asset: AssetRow }) {
  const { type, url, width, height } = asset;
  if (type === "image") {
    const size = width && height ? { width, height } : {};
    return <img className="tile-media" src={url} alt="" loading="lazy" decoding="async" {...size} />;
  }
  return type === "video" ? <TileVideo asset={asset} /> : <TileSound asset={asset} />;
}

function shapeStyle(asset: AssetRow): CSSProperties {
  return { "--shape": shapeOf(asset) } as CSSProperties;
}

const SHAPE = { "--shape": 16 / 9 } as CSSProperties;

/** Placeholder for a video that is being made. */
function RunningTile({ row }: { row: RequestRow }) {
  return (
    <li className="card tile" style={SHAPE}>
      <div className="tile-media tile-running">
        <Icon name="loader-circle" className="spin" />
        <Elapsed since={row.createdAt} />
      </div>
      <div className="tile-words">
        <Link href={`/usage/${row.requestId}`} className="tile-open">
          A video is being made
        </Link>
        <span className="dim small">{row.memberName ?? row.model}</span>
      </div>
    </li>
  );
}

const WAITING = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

export function Gallery({ filter, isFiltered, search, clear }: ReturnType<typeof useLibraryFilter>) {
  const assets = useAskPages("asset.list", filter);
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
        <Empty icon={<Icon name="images" />} title="No matches">
          <p>Nothing matches all of these filters.</p>
          <Button onClick={onClear}>Show everything</Button>
        </Empty>
      ) : (
        <Empty icon={<Icon name="images" />} title="Nothing here yet">
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
