import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Queries } from "../../../src/http/console/contract.ts";
import { isAboutWho } from "../../api/ask.ts";
import { askAgain } from "../../api/ask-again.ts";
import { useSay } from "../../parts/toasts.tsx";
import type { PlayError } from "./play.ts";

const CHANGED: readonly (keyof Queries)[] = ["assets", "overview", "usage", "requests", "ledger", "billing"];

/** After each call: what other pages show has changed, or who is signed in has. */
export function useSpent() {
  const client = useQueryClient();
  const say = useSay();
  return useCallback(
    (error?: PlayError) => {
      const changed = error && isAboutWho(error.code) ? (["session"] as const) : CHANGED;
      for (const name of changed) void askAgain(client, name);
      // The page that it would stand on makes way for one of the other organization.
      if (error?.code === "elsewhere") say(error.message);
    },
    [client, say],
  );
}
