import { useSearchParams } from "wouter";
import type { AssetRow } from "../../../src/http/console/contract.ts";

export type LibraryFilter = {
  readonly type?: AssetRow["type"];
  readonly model?: string;
  readonly memberId?: string;
};

const TYPES: readonly AssetRow["type"][] = ["image", "video", "audio"];

/** Kept in the address: it can be sent to somebody, and the back button works. */
export function useLibraryFilter() {
  const [search, setSearch] = useSearchParams();
  const type = TYPES.find((one) => one === search.get("type"));
  const model = search.get("model");
  const memberId = search.get("member");
  const filter: LibraryFilter = {
    ...(type ? { type } : {}),
    ...(model ? { model } : {}),
    ...(memberId ? { memberId } : {}),
  };
  return {
    filter,
    isFiltered: Object.keys(filter).length > 0,
    /** To be put behind an address that must keep it. */
    search: search.size === 0 ? "" : `?${search}`,
    choose: (name: "type" | "model" | "member", value: string) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === "") after.delete(name);
          else after.set(name, value);
          return after;
        },
        { replace: true },
      ),
    clear: () => setSearch({}, { replace: true }),
  };
}
