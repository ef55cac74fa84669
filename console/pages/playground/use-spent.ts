import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Queries } from "../../../gateway/src/http/console/contract.ts";
import { isAboutWho } from "../../api/ask.ts";
import { askAgain } from "../../api/ask-again.ts";
import { useSay } from "../../toasts.tsx";
import { type PlayCall, PlayError } from "./play.ts";

const CHANGED: readonly (keyof Queries)[] = [
  "asset.list",
  "usage.overview",
  "usage.get",
  "request.list",
  "ledger.list",
  "billing.get",
];
const NOT_ALLOWED = "model_not_allowed";

/** After each call: what other pages show, who is signed in, or which models can be called may have changed. */
export function useSpent() {
  const client = useQueryClient();
  const say = useSay();
  return useMemo(
    () => ({
      onSpent(): void {
        for (const name of CHANGED) void askAgain(client, name);
      },
      /** The error to show; null if the sign-in dialog over the page reports it, since signing in resolves it. */
      onRefused(error: PlayError, call: PlayCall): PlayError | null {
        const shown = error.code === NOT_ALLOWED ? switchedOff(client, call) : error;
        for (const name of changedBy(error)) void askAgain(client, name);
        // The page that would show it is replaced by one of the other organization.
        if (error.code === "elsewhere") say(error.message);
        return error.code === "signed_out" ? null : shown;
      },
    }),
    [client, say],
  );
}

function changedBy({ code }: PlayError): readonly (keyof Queries)[] {
  if (isAboutWho(code)) return ["session"];
  return code === NOT_ALLOWED ? ["model.list"] : CHANGED;
}

/** It was offered when the page last asked, but no longer. */
function switchedOff(client: QueryClient, { body }: PlayCall): PlayError {
  const found = client.getQueryData<Queries["model.list"]["output"]>(["model.list", {}]);
  const name = found?.models.find(({ id }) => id === body["model"])?.name ?? body["model"];
  return new PlayError(NOT_ALLOWED, `${name} has been switched off. Choose another model.`);
}
