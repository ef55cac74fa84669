import type { SessionView } from "../../../src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { SignOutProblem } from "../../parts/sign-out-problem.tsx";
import { Door } from "./door.tsx";

/** Signed in, but removed from every organization. */
export function NoOrganization({ session }: { session: SessionView }) {
  const signOut = useCommand("sign-out", ["session"]);
  return (
    <Door
      title="No organization"
      about={`${session.person?.email} belongs to no organization at the moment.`}
    >
      <p>Ask an owner or an admin of your organization to invite you.</p>
      <SignOutProblem error={signOut.error} />
      <Button onClick={() => signOut.mutate({})} isBusy={signOut.isPending}>
        Sign out
      </Button>
    </Door>
  );
}
