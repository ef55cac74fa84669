import {
  keepPreviousData,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef } from "react";
import type { Commands, Problem, Queries } from "../../gateway/src/http/console/contract.ts";
import { useSay } from "../toasts.tsx";
import { type AskError, command, query, UNREACHABLE } from "./ask.ts";
import { askAgain } from "./ask-again.ts";

type AskOptions<Found> = {
  /** Refetches while the page is visible; a function can decide by the last answer how often. */
  readonly everyMs?: number | ((found: Found | undefined) => number | false);
  readonly isOff?: boolean;
  /** Shows the old answer until the new one comes: for filters and pages of a table. */
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

/** The command may have been carried out anyway, or was refused because of something not shown on the page yet. */
function mayBeOutdated(problem: Problem): boolean {
  return problem === UNREACHABLE || problem.code === "not_found" || problem.code === "conflict";
}

type CommandOptions = {
  /** The answer is shown only once: return it as soon as it comes, not after all refetches. */
  readonly showsAnswer?: boolean;
};

/**
 * Runs a command, which ends when everything named in `changes` was refetched. The same command is not sent again
 * meanwhile: a second click may come before the button is drawn as busy.
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
      // The page that would show it is replaced by one of the other organization.
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
  // The sign-in dialog over the page reports this, and signing in resolves it.
  const error = mutation.error?.problem.code === "signed_out" ? null : mutation.error;
  return { ...mutation, error, mutate };
}
