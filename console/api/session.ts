import { type Query, type QueryClient, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { SessionView } from "../../gateway/src/http/console/contract.ts";
import { isShownOnce, onceCopied } from "../shown-once.ts";
import { type AskError, command, query, rememberToken } from "./ask.ts";
import { rememberSignedIn } from "./was-signed-in.ts";

const EVERY_MS = 60_000;
const SESSION = ["session", {}] as const;

/** The session as last fetched: its page stays until somebody else signs in. */
let last: SessionView | null = null;

/** Refetched regularly, so that a user who was signed out or removed elsewhere sees it here. */
export function useSession(): UseQueryResult<SessionView, AskError> {
  const answer = useQuery<SessionView, AskError>({
    queryKey: SESSION,
    queryFn: async ({ client, signal }) => {
      const wasOut = client.getQueryData<SessionView>(SESSION)?.person === null;
      const asked = await query("session", {}, signal);
      if (!wasOut && last && isShownOnce() && isElsewhere(last, asked)) {
        onceCopied(() => void client.invalidateQueries({ queryKey: SESSION }));
        return last;
      }
      const found = wasOut ? await backWhere(last, asked) : asked;
      rememberSignedIn(found.person !== null);
      if (found.person) settle(client, found, wasOut);
      return found;
    },
    refetchInterval: EVERY_MS,
  });
  if (answer.data) rememberToken(answer.data.token);
  return answer;
}

/** A new session picks an organization by itself; a user who comes back continues at the previous one. */
async function backWhere(before: SessionView | null, found: SessionView): Promise<SessionView> {
  const id = before?.organization?.id;
  if (!id || !found.person || found.person.id !== before?.person?.id) return found;
  if (id === found.organization?.id || !found.organizations.some((one) => one.id === id)) return found;
  rememberToken(found.token);
  try {
    await command("choose-organization", { id });
    return await query("session", {});
  } catch {
    return found;
  }
}

/**
 * True if another window has switched to another of the user's organizations. Whatever this page requests carries the
 * token of its own organization, and is refused.
 */
function isElsewhere({ person, organization }: SessionView, found: SessionView): boolean {
  const isSame = person !== null && person.id === found.person?.id;
  const isOther = organization?.id !== found.organization?.id;
  return isSame && isOther && found.organizations.some(({ id }) => id === organization?.id);
}

/** Identifies the user and the organization: everything shown or cached belongs to one such pair. */
export function viewOf({ person, organization }: SessionView): string {
  return `${person?.id}:${organization?.id}`;
}

/** Runs before anything is drawn for a new pair: cached answers of another would be drawn at once. */
function settle(client: QueryClient, found: SessionView, wasOut: boolean): void {
  const isOther = last !== null && viewOf(last) !== viewOf(found);
  last = found;
  const rest = { predicate: ({ queryKey }: Query) => queryKey[0] !== SESSION[0] };
  if (isOther) client.removeQueries(rest);
  // These were refused while signed out.
  else if (wasOut) void client.invalidateQueries(rest);
}

type Signed = SessionView & {
  readonly person: NonNullable<SessionView["person"]>;
  readonly organization: NonNullable<SessionView["organization"]>;
};

const Current = createContext<Signed | null>(null);
export const SessionProvider = Current.Provider;

/** For pages behind the sign-in: the user, and the organization that is shown. */
export function useSigned(): Signed & { readonly administers: boolean } {
  const session = useContext(Current);
  if (!session) throw new Error("this page stands outside the shell");
  return { ...session, administers: session.organization.role !== "member" };
}
