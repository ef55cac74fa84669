import { Link } from "wouter";
import { useSession } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/states.tsx";
import { Door } from "./entrance.tsx";
import { WayOn } from "./way-on.tsx";

/** Opened from an email. Opening it creates nothing, so that a mail scanner creates no account; the button does. */
export function ConfirmSignUpPage({ token }: { token: string }) {
  const session = useSession();
  const confirm = useCommand("confirm-sign-up", []);
  if (confirm.error?.problem.code === "not_found") {
    return (
      <Door title="No longer valid">
        <Notice look="bad">{confirm.error.message}</Notice>
        <WayOn session={session.data} />
        {session.data?.service.signUpIsOpen && !session.data.person && (
          <p className="small dim">
            No account yet? <Link href="/sign-up">Sign up again</Link>
          </p>
        )}
      </Door>
    );
  }
  return (
    <Door
      title="Almost there"
      about="This link confirms that the email address is yours. Next, choose a password."
    >
      {confirm.error && <Notice look="bad">{confirm.error.message}</Notice>}
      <Button
        look="primary"
        isBusy={confirm.isPending || confirm.isSuccess}
        disabled={!session.data}
        onClick={() => confirm.mutate({ token }, { onSuccess: () => location.assign("/console/password") })}
      >
        Continue
      </Button>
    </Door>
  );
}
