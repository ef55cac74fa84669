import { Link } from "wouter";
import { useSession } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/states.tsx";
import { Door } from "./entrance.tsx";
import { NewLink } from "./new-link.tsx";
import { WayOn } from "./way-on.tsx";

/** Opening the page changes nothing, so that a link preview does not use it up; the button does. */
export function LinkPage({ token }: { token: string }) {
  // Commands need the visitor's token, which comes with the session.
  const session = useSession();
  const redeem = useCommand("redeem-link", []);
  if (redeem.error?.problem.code === "not_found") {
    return (
      <Door title="No longer valid">
        <Notice look="bad">{redeem.error.message}</Notice>
        <WayOn session={session.data} />
        {session.data && !session.data.person && (
          <NewLink session={session.data} question="Need a new one?" />
        )}
      </Door>
    );
  }
  return (
    <Door
      title="Welcome"
      about="This link works once: the button below signs you in and uses it up. If it is for a new password, you choose that next."
    >
      {redeem.error && <Notice look="bad">{redeem.error.message}</Notice>}
      <Button
        look="primary"
        isBusy={redeem.isPending || redeem.isSuccess}
        disabled={!session.data}
        onClick={() =>
          redeem.mutate(
            { token },
            {
              onSuccess: ({ mustChoosePassword }) =>
                location.assign(mustChoosePassword ? "/console/password" : "/console"),
            },
          )
        }
      >
        Continue
      </Button>
      {session.data?.person && (
        <p className="small dim">
          You are signed in as {session.data.person.email}. <Link href="/">Go to the console</Link>
        </p>
      )}
    </Door>
  );
}
