import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";

/** The chosen model; one that is of another kind, or gone by now, falls back to the first. */
export function useModel(models: readonly [ModelRow, ...ModelRow[]]) {
  const asked = useAskedModel();
  const [seen, setSeen] = useState(asked);
  const [wanted, choose] = useState(asked);
  if (asked !== seen) {
    setSeen(asked);
    if (asked !== "") choose(asked);
  }
  const model = models.find(({ id }) => id === wanted) ?? models[0];
  return { model, choose };
}

/** The model named by a link to this page; other pages use the same parameter for something else. */
function useAskedModel(): string {
  const [path] = useLocation();
  const [search] = useSearchParams();
  return path.startsWith("/playground") ? (search.get("model") ?? "") : "";
}

/** The wanted value if the model offers it, else the model's default. */
export function oneOf(known: readonly string[] | undefined, wanted: string, usual?: string): string {
  if (!known) return "";
  if (known.includes(wanted)) return wanted;
  return (usual !== undefined && known.includes(usual) ? usual : known[0]) ?? "";
}
