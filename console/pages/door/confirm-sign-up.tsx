import { useSession } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/states.tsx";
import { Door } from "./door.tsx";

/** Behind the mailed link. Opening the page makes nothing, so that a mail scanner makes no account; the button does. */
export function ConfirmSignUpPage({ token }: { token: string }) {
  const session = useSession();
  const confirm = useCommand("confirm-sign-up", []);
  return (
    <Door title="Almost there" about="Your address is proven. Choose a password next.">
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
