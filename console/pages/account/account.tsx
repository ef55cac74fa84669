import { useState } from "react";
import { useSigned } from "../../api/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Page } from "../../parts/page.tsx";
import { RemoveMember } from "../members/remove-member.tsx";
import { roleLabel } from "../members/roles.ts";
import { NameCard } from "./name-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** Settings of the user, independent of the organization. */
export function AccountPage() {
  const { person } = useSigned();
  return (
    <Page title="Your account" about={person.email}>
      <div className="grid-2">
        <NameCard />
        <PasswordCard />
      </div>
      <SessionsCard />
      <Belongings />
    </Page>
  );
}

function Belongings() {
  const { organization, organizations, person } = useSigned();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Card title="Your organizations">
      <ul className="stack">
        {organizations.map(({ id, name, role }) => (
          <li key={id} className="spread">
            <span className="row">
              <span dir="auto" className="whole-name">
                {name}
              </span>
              <Badge>{roleLabel(role)}</Badge>
            </span>
            {id === organization.id && (
              <Button onClick={() => setLeaving(true)}>
                Leave<span className="visually-hidden"> {name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isLeaving && (
        <RemoveMember member={{ userId: person.id, name: person.name }} onClose={() => setLeaving(false)} />
      )}
    </Card>
  );
}
