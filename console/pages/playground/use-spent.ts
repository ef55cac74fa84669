import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Queries } from "../../../src/http/console/contract.ts";
import { isAboutWho } from "../../api/ask.ts";
import { askAgain } from "../../api/ask-again.ts";
import { useSay } from "../../parts/toasts.tsx";
import { type PlayCall, PlayError } from "./play.ts";

const CHANGED: readonly (keyof Queries)[] = ["assets", "overview", "usage", "requests", "ledger", "billing"];
const NOT_ALLOWED = "model_not_allowed";

/** After each call: what other pages show has changed, or who is signed in has, or what can be called. */
export function useSpent() {
  const client = useQueryClient();
  const say = useSay();
  return useMemo(
    () => ({
      onSpent(): void {
        for (const name of CHANGED) void askAgain(client, name);
      },
      /** What is to be shown of it; null where a window over the page says it, and it is over with that. */
      onRefused(error: PlayError, call: PlayCall): PlayError | null {
        const shown = error.code === NOT_ALLOWED ? switchedOff(client, call) : error;
        for (const name of changedBy(error)) void askAgain(client, name);
        // The page that it would stand on makes way for one of the other organization.
        if (error.code === "elsewhere") say(error.message);
        return error.code === "signed_out" ? null : shown;
      },
    }),
    [client, say],
  );
}

function changedBy({ code }: PlayError): readonly (keyof Queries)[] {
  if (isAboutWho(code)) return ["session"];
  return code === NOT_ALLOWED ? ["models"] : CHANGED;
}

/** It was offered here when the page asked last, and is not any more. */
function switchedOff(client: QueryClient, { body }: PlayCall): PlayError {
  const models = client.getQueryData<Queries["models"]["output"]>(["models", {}]);
  const name = models?.find(({ id }) => id === body["model"])?.name ?? body["model"];
  return new PlayError(NOT_ALLOWED, `${name} has been switched off. Choose another model.`);
}
