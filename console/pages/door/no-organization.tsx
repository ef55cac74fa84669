import type { SessionView } from "../../../gateway/src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { SignOutProblem } from "../../parts/sign-out-problem.tsx";
import { Door } from "./door.tsx";

/** For users who are signed in, but removed from every organization. */
export function NoOrganization({ session }: { session: SessionView }) {
  // Refetches nothing: the next page does, but this one would take it for a session that ended unexpectedly.
  const signOut = useCommand("sign-out", []);
  return (
    <Door
      title="No organization"
      about={`${session.person?.email} does not belong to any organization at the moment.`}
    >
      <p>
        Ask an owner or an admin of your organization to invite you. This account stays as it is until then.
      </p>
      {session.service.signUpIsOpen && (
        <p>
          To have an organization of your own, sign out and create an account with another email address:
          signing up creates both.
        </p>
      )}
      <SignOutProblem error={signOut.error} />
      <Button
        onClick={() => signOut.mutate({}, { onSuccess: () => location.assign("/console") })}
        isBusy={signOut.isPending || signOut.isSuccess}
      >
        Sign out
      </Button>
    </Door>
  );
}
