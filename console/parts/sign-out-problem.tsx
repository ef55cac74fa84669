import type { AskError } from "../api/ask.ts";
import { Notice } from "./states.tsx";

/** Whoever walks away from a shared machine has to know; a connection that broke may have carried it out. */
export function SignOutProblem({ error }: { error: AskError | null }) {
  return error && <Notice look="bad">You may still be signed in. {error.message}</Notice>;
}
