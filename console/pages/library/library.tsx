import { Link, useLocation, useParams } from "wouter";
import { useSigned } from "../../api/session.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { AssetDetails } from "./asset-details.tsx";
import { LibraryFilters } from "./filters.tsx";
import { Gallery } from "./gallery.tsx";
import { useLibraryFilter } from "./use-library-filter.ts";

export function LibraryPage() {
  const { administers } = useSigned();
  const { assetId } = useParams<{ assetId?: string }>();
  const [, go] = useLocation();
  const library = useLibraryFilter();
  const all = `/library${library.search}`;
  return (
    <Page
      title="Library"
      about={
        administers
          ? "Everything your organization has generated, through the API or here."
          : "Everything generated for you, through the API or here."
      }
      actions={
        <Link href="/playground/image" className="button primary">
          <Icon name="sparkles" />
          Create something
        </Link>
      }
    >
      <LibraryFilters {...library} />
      <Gallery {...library} />
      {assetId && (
        <AssetDetails
          key={assetId}
          id={assetId}
          onClose={() => go(all)}
          // Back would lead to the deleted file.
          onDeleted={() => go(all, { replace: true })}
        />
      )}
    </Page>
  );
}
