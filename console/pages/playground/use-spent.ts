import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Queries } from "../../../src/http/console/contract.ts";
import { askAgain } from "../../api/ask-again.ts";
import { PlayError } from "./play.ts";

const CHANGED: readonly (keyof Queries)[] = ["assets", "overview", "usage", "requests", "ledger", "billing"];
const ABOUT_WHO = ["signed_out", "forbidden"];

/** After each call: what other pages show has changed, or who is signed in has. */
export function useSpent() {
  const client = useQueryClient();
  return useCallback(
    (error?: unknown) => {
      const isAboutWho = error instanceof PlayError && ABOUT_WHO.includes(error.code);
      for (const name of isAboutWho ? (["session"] as const) : CHANGED) void askAgain(client, name);
    },
    [client],
  );
}
