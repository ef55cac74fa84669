import type { AskError } from "../api/ask.ts";
import { Notice } from "./states.tsx";

/** A user who leaves a shared machine has to know; after a broken connection the sign-out may still have happened. */
export function SignOutProblem({ error }: { error: AskError | null }) {
  return error && <Notice look="bad">You may still be signed in. {error.message}</Notice>;
}
