import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/states.tsx";

/** Who came by the link of a refused call while looking at another organization must not pay for that one instead. */
export function OtherOrganization({ id }: { id: string }) {
  const { organization, organizations } = useSigned();
  const choose = useCommand("choose-organization", ["session"]);
  const meant = organizations.find((one) => one.id === id);
  if (!meant) {
    return (
      <Notice look="warn">
        The refused call that led you here belongs to an organization you are not a member of. Anything you
        buy on this page is for {organization.name}.
      </Notice>
    );
  }
  return (
    <Notice look="warn">
      <div className="stack">
        <span>
          The refused call that led you here belongs to {meant.name}. You are looking at {organization.name}.
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
