import { z } from "zod";
import { SPLITS } from "../../../usage/index.ts";
import type { ConsoleParts } from "../parts.ts";
import { onlyMemberOf } from "../viewer.ts";
import type { Query } from "./operation.ts";
import { forbidden } from "./problem.ts";
import { filterFor, usageFilterFields } from "./usage-filter.ts";
import { reportViewOf } from "./usage-view.ts";

/** Daily sums from rollups: as fast after a million calls as after ten. */
export function usageQuery({ usage, catalog }: ConsoleParts): Query<"usage"> {
  return {
    who: "member",
    input: z.strictObject({ ...usageFilterFields, split: z.enum(SPLITS) }),
    async run({ viewer }, { split, ...asked }) {
      const onlyMemberId = onlyMemberOf(viewer);
      if (onlyMemberId !== null && (split === "key" || split === "member")) {
        throw forbidden("Only owners and admins see usage by key and by member.");
      }
      const filter = filterFor(viewer, asked);
      const report = await usage.report(viewer.organization.id, { filter, split, onlyMemberId });
      return reportViewOf({ catalog, viewer, split }, report);
    },
  };
}
