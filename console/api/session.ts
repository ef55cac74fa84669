import { type QueryClient, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { SessionView } from "../../src/http/console/contract.ts";
import { type AskError, query, rememberToken } from "./ask.ts";

const EVERY_MS = 60_000;
const SESSION = ["session", {}] as const;

/** Asked again now and then: who was signed out or removed elsewhere sees it here. */
export function useSession(): UseQueryResult<SessionView, AskError> {
  const answer = useQuery<SessionView, AskError>({
    queryKey: SESSION,
    queryFn: async ({ client, signal }) => {
      const found = await query("session", {}, signal);
      forgetOthers(client, found);
      return found;
    },
    refetchInterval: EVERY_MS,
  });
  if (answer.data) rememberToken(answer.data.token);
  return answer;
}

/** Who looks, and at what: all that is shown, or remembered to be shown, belongs to one of these. */
export function viewOf({ person, organization }: SessionView): string {
  return `${person?.id}:${organization?.id}`;
}

/** Before anything is drawn for the new one: what is remembered would be drawn at once. */
function forgetOthers(client: QueryClient, found: SessionView): void {
  const before = client.getQueryData<SessionView>(SESSION);
  if (!before || viewOf(before) === viewOf(found)) return;
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
}

type Signed = SessionView & {
  readonly person: NonNullable<SessionView["person"]>;
  readonly organization: NonNullable<SessionView["organization"]>;
};

const Current = createContext<Signed | null>(null);
export const SessionProvider = Current.Provider;

/** For pages behind the sign-in: who looks, and at which organization. */
export function useSigned(): Signed & { readonly administers: boolean } {
  const session = useContext(Current);
  if (!session) throw new Error("this page stands outside the shell");
  return { ...session, administers: session.organization.role !== "member" };
}
