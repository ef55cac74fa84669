import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/states.tsx";

/** A user sent here for one organization, by a refused call, an email or a checkout, must not pay for another. */
export function OtherOrganization({ id }: { id: string }) {
  const { organization, organizations } = useSigned();
  const choose = useCommand("choose-organization", ["session"]);
  const meant = organizations.find((one) => one.id === id);
  if (!meant) {
    return (
      <Notice look="warn">
        You came here for an organization that you are not a member of. Anything you buy on this page is for{" "}
        {organization.name}.
      </Notice>
    );
  }
  return (
    <Notice look="warn">
      <div className="stack">
        <span>
          You came here for {meant.name}, and are looking at {organization.name}.
        </span>
        {choose.error && <span>{choose.error.message}</span>}
        <div>
          <Button onClick={() => choose.mutate({ id })} isBusy={choose.isPending}>
            Go to {meant.name}
          </Button>
        </div>
      </div>
    </Notice>
  );
}
