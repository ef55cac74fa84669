import type { UseQueryResult } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { SessionView } from "../../src/http/console/contract.ts";
import { type AskError, rememberToken } from "./ask.ts";
import { useAsk } from "./use-ask.ts";

const EVERY_MS = 60_000;

/** Asked again now and then: who was signed out or removed elsewhere sees it here. */
export function useSession(): UseQueryResult<SessionView, AskError> {
  const answer = useAsk("session", {}, { everyMs: EVERY_MS });
  if (answer.data) rememberToken(answer.data.token);
  return answer;
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
