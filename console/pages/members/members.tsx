import { useState } from "react";
import type { MemberRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { LongList } from "../../parts/long-list.tsx";
import { Page } from "../../parts/page.tsx";
import { Answer, Skeleton } from "../../parts/states.tsx";
import { AdminsOnly } from "./admins-only.tsx";
import { ChangeRole } from "./change-role.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { InviteMember } from "./invite-member.tsx";
import { MemberTable } from "./member-table.tsx";
import { RemoveMember } from "./remove-member.tsx";

type Doing =
  | { readonly what: "invite" }
  | { readonly what: "role" | "remove"; readonly row: MemberRow }
  | null;

export function MembersPage() {
  const { administers } = useSigned();
  return administers ? (
    <Members />
  ) : (
    <AdminsOnly title="Members" about="Only owners and admins can invite people and change roles." />
  );
}

function Members() {
  const answer = useAsk("member.list", {}, { everyMs: 30_000 });
  const [doing, setDoing] = useState<Doing>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title="Members"
      about="Who belongs to the organization, and what each person spends."
      actions={
        <Button look="primary" icon={<Icon name="user-plus" />} onClick={() => setDoing({ what: "invite" })}>
          Invite
        </Button>
      }
    >
      <Answer of={answer} waiting={<Skeleton height={260} />}>
        {({ members, invitations }) => (
          <>
            {invitations.length > 0 && <InvitationList invitations={invitations} />}
            <MemberList
              members={members}
              onChangeRole={(row) => setDoing({ what: "role", row })}
              onRemove={(row) => setDoing({ what: "remove", row })}
            />
          </>
        )}
      </Answer>
      {doing?.what === "invite" && <InviteMember onClose={close} />}
      {doing?.what === "role" && <ChangeRole row={doing.row} onClose={close} />}
      {doing?.what === "remove" && <RemoveMember member={doing.row} onClose={close} />}
    </Page>
  );
}

type MemberListProps = Parameters<typeof MemberTable>[0];

function MemberList({ members, ...actions }: MemberListProps) {
  return (
    <LongList
      title={counted(members.length, "member")}
      rows={members}
      wordsOf={({ name, email }) => `${name} ${email}`}
      searchedBy="Name or email"
      whenNone="No matching members"
    >
      {(found) => <MemberTable members={found} {...actions} />}
    </LongList>
  );
}
