import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { RequestRow } from "../../../gateway/src/http/console/contract.ts";
import { askAgain } from "../../api/ask-again.ts";
import { useAsk } from "../../api/use-ask.ts";
import type { LibraryFilter } from "./use-library-filter.ts";

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
export function useRunningVideos({ type, ...filter }: LibraryFilter): RunningVideos {
  const client = useQueryClient();
  const isShown = type === undefined || type === "video";
  const { data, isPending } = useAsk(
    "requests",
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
    const known = ended.length === 0 ? null : askAgain(client, "assets");
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
