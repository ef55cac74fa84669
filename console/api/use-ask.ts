import {
  keepPreviousData,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef } from "react";
import type { Commands, Problem, Queries } from "../../src/http/console/contract.ts";
import { useSay } from "../parts/toasts.tsx";
import { type AskError, command, query, UNREACHABLE } from "./ask.ts";
import { askAgain } from "./ask-again.ts";

type AskOptions<Found> = {
  /** Asks again by itself while the page is looked at; what was found can decide how often. */
  readonly everyMs?: number | ((found: Found | undefined) => number | false);
  readonly isOff?: boolean;
  /** Shows what was there until the new answer comes: for filters and pages of a table. */
  readonly keepsOld?: boolean;
};

export function useAsk<Name extends keyof Queries>(
  name: Name,
  input: Queries[Name]["input"],
  options: AskOptions<Queries[Name]["output"]> = {},
): UseQueryResult<Queries[Name]["output"], AskError> {
  const every = options.everyMs ?? false;
  return useQuery<Queries[Name]["output"], AskError>({
    queryKey: [name, input],
    queryFn: ({ signal }) => query(name, input, signal),
    refetchInterval: typeof every === "function" ? ({ state }) => every(state.data) : every,
    enabled: options.isOff !== true,
    ...(options.keepsOld ? { placeholderData: keepPreviousData } : {}),
  });
}

/** It may have been carried out all the same, or was refused for what the page does not show yet. */
function mayBeOutdated(problem: Problem): boolean {
  return problem === UNREACHABLE || problem.code === "not_found" || problem.code === "conflict";
}

type CommandOptions = {
  /** The answer is seen this once: it is there as soon as it came, and not after all that is asked for again. */
  readonly showsAnswer?: boolean;
};

/**
 * Runs a command; it is over when everything named in `changes` was asked for again. The very same command is not sent
 * a second time meanwhile: a button is only drawn as busy after a second click on it may have come.
 */
export function useCommand<Name extends keyof Commands>(
  name: Name,
  changes: readonly (keyof Queries)[],
  { showsAnswer = false }: CommandOptions = {},
) {
  const client = useQueryClient();
  const say = useSay();
  const underWay = useRef(new Set<string>());
  const mutation = useMutation<Commands[Name]["output"], AskError, Commands[Name]["input"]>({
    mutationFn: (input) => command(name, input),
    onSuccess: async () => {
      const known = Promise.all(changes.map((changed) => askAgain(client, changed)));
      if (!showsAnswer) await known;
    },
    onError({ problem }) {
      // The page that it would stand on makes way for one of the other organization.
      if (problem.code === "elsewhere") say(problem.message);
      if (mayBeOutdated(problem)) for (const changed of changes) void askAgain(client, changed);
    },
    onSettled: (_answer, _error, input) => void underWay.current.delete(JSON.stringify(input)),
  });
  const mutate: typeof mutation.mutate = (...given) => {
    const sent = JSON.stringify(given[0]);
    if (underWay.current.has(sent)) return;
    underWay.current.add(sent);
    mutation.mutate(...given);
  };
  // A window over the page says it, and what it says is over with it.
  const error = mutation.error?.problem.code === "signed_out" ? null : mutation.error;
  return { ...mutation, error, mutate };
}
