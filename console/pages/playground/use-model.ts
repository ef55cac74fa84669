import { useState } from "react";
import { useSearchParams } from "wouter";
import type { ModelRow } from "../../../src/http/console/contract.ts";

/** One of these; what was chosen for another kind, or is gone by now, falls back to the first. */
export function useModel(models: readonly [ModelRow, ...ModelRow[]]) {
  const [search] = useSearchParams();
  const [wanted, choose] = useState(search.get("model") ?? "");
  const model = models.find(({ id }) => id === wanted) ?? models[0];
  return { model, choose };
}

/** The wanted one where the model has it, else what it would take by itself. */
export function oneOf(known: readonly string[] | undefined, wanted: string, usual?: string): string {
  if (!known) return "";
  if (known.includes(wanted)) return wanted;
  return (usual !== undefined && known.includes(usual) ? usual : known[0]) ?? "";
}
