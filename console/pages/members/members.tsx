import { Page } from "../../parts/page.tsx";

export function MembersPage() {
  return <Page title="Members">{null}</Page>;
}
