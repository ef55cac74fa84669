import { Page } from "../../parts/page.tsx";

export function LibraryPage() {
  return <Page title="Library">{null}</Page>;
}
