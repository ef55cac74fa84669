import { Page } from "../../parts/page.tsx";

export function BillingPage() {
  return <Page title="Billing">{null}</Page>;
}
