import { Link } from "wouter";
import { Card } from "../../parts/card.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";

/** For users who typed the URL of a page that their role does not have; the gateway would refuse its data anyway. */
export function AdminsOnly({ title, about }: { title: string; about: string }) {
  return (
    <Page title={title}>
      <Card>
        <Empty icon={<Icon name="lock" />} title="For owners and admins">
          <p>{about} Ask one of them if you need something here.</p>
          <Link href="/">Back to the overview</Link>
        </Empty>
      </Card>
    </Page>
  );
}
