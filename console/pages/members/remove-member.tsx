import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useSigned } from "../../api/session.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { useSay } from "../../toasts.tsx";

type RemoveMemberProps = {
  readonly member: { readonly id: string; readonly name: string };
  onClose(): void;
};

/** Removes another member, or lets the user leave. */
export function RemoveMember({ member, onClose }: RemoveMemberProps) {
  const { organization, person } = useSigned();
  const remove = useCommand("member.remove", ["member.list"]);
  const client = useQueryClient();
  const [, go] = useLocation();
  const say = useSay();
  const isSelf = member.id === person.id;
  function confirm() {
    const onSuccess = async () => {
      say(isSelf ? `You left ${organization.name}.` : `${member.name} was removed.`);
      onClose();
      if (!isSelf) return;
      // Everything cached belonged to an organization that is no longer theirs.
      go("/");
      await client.resetQueries();
    };
    remove.mutate({ id: member.id }, { onSuccess });
  }
  return (
    <Confirm
      title={isSelf ? `Leave ${organization.name}?` : `Remove ${member.name}?`}
      action={isSelf ? "Leave" : "Remove"}
      isBusy={remove.isPending}
      problem={remove.error?.message}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {isSelf
          ? "You will no longer see anything of it. To come back, someone there must invite you."
          : "They will no longer see anything of this organization, and calls that name their id are refused. Keys they created keep working. What they spent stays on record."}
      </p>
    </Confirm>
  );
}
