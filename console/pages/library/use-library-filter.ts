import { useSearchParams } from "wouter";
import type { AssetRow } from "../../../gateway/src/http/console/contract.ts";
import { idIn, setOrLeaveOut } from "../../parts/address.ts";

export type LibraryFilter = {
  readonly type?: AssetRow["type"];
  readonly model?: string;
  readonly memberId?: string;
};

const TYPES: readonly AssetRow["type"][] = ["image", "video", "audio"];

/** Invalid values in the URL are ignored. */
export function libraryFilterOf(search: URLSearchParams): LibraryFilter {
  const type = TYPES.find((one) => one === search.get("type"));
  const model = search.get("model");
  const memberId = idIn(search, "member");
  return { ...(type ? { type } : {}), ...(model ? { model } : {}), ...(memberId ? { memberId } : {}) };
}

/** Kept in the URL: it can be shared, and Back works. */
export function useLibraryFilter() {
  const [search, setSearch] = useSearchParams();
  const filter = libraryFilterOf(search);
  return {
    filter,
    isFiltered: Object.keys(filter).length > 0,
    /** To append to a URL that must keep the filter. */
    search: search.size === 0 ? "" : `?${search}`,
    choose: (name: "type" | "model" | "member", value: string) =>
      setSearch((before) => setOrLeaveOut(new URLSearchParams(before), name, value), { replace: true }),
    clear: () => setSearch({}, { replace: true }),
  };
}
