import { z } from "zod";
import type { Asset } from "../../../assets/index.ts";
import { parseUuid } from "../../../kit/index.ts";
import type { ConsoleParts } from "../parts.ts";
import { maySee, onlyMemberOf, type Viewer } from "../viewer.ts";
import { assetRowsOf } from "./asset-row.ts";
import type { Command, Query } from "./operation.ts";
import { invalidInput, noSuch } from "./problem.ts";

const PAGE = { usual: 40, most: 100 };
const MAX_TEXT_CHARS = 500;

/** The library, newest first. Members see only what they made, whatever they ask for. */
export function assetsQuery(parts: ConsoleParts): Query<"assets"> {
  return {
    who: "member",
    input: z.strictObject({
      type: z.enum(["image", "video", "audio"]).optional(),
      model: z.string().max(MAX_TEXT_CHARS).optional(),
      memberId: z.guid().optional(),
      cursor: z.string().max(MAX_TEXT_CHARS).optional(),
      limit: z.int().min(1).max(PAGE.most).optional(),
    }),
    async run({ viewer }, { type, model, memberId, cursor = null, limit = PAGE.usual }) {
      const memberUserId = onlyMemberOf(viewer) ?? memberId;
      const page = await parts.library.list(viewer.organization.id, {
        limit,
        cursor,
        filter: {
          ...(type === undefined ? {} : { type }),
          ...(model === undefined ? {} : { model }),
          ...(memberUserId === undefined ? {} : { memberUserId }),
        },
      });
      if (page === null) throw invalidInput("cursor", "That page is gone. Reload the library.");
      return { rows: await assetRowsOf(parts, viewer, page.assets), nextCursor: page.nextCursor };
    },
  };
}

export function assetQuery(parts: ConsoleParts): Query<"asset"> {
  return {
    who: "member",
    input: z.strictObject({ id: z.string() }),
    async run({ viewer }, { id }) {
      const asset = await findAsset(parts, viewer, id);
      const [row] = await assetRowsOf(parts, viewer, [asset]);
      if (!row) throw noSuch("file");
      return row;
    },
  };
}

export function deleteAssetCommand(parts: ConsoleParts): Command<"delete-asset"> {
  return {
    who: "member",
    input: z.strictObject({ id: z.string() }),
    async run({ viewer, signedIn }, { id: given }) {
      const { id } = await findAsset(parts, viewer, given);
      if (!(await parts.library.delete(viewer.organization.id, id))) throw noSuch("file");
      parts.log.info("console_asset_deleted", {
        org_id: viewer.organization.id,
        user_id: signedIn.userId,
        asset: id,
      });
      return {};
    },
  };
}

/** One answer for deleted files, files of others and files that never existed. */
async function findAsset({ library }: ConsoleParts, viewer: Viewer, given: string): Promise<Asset> {
  const id = parseUuid(given);
  const asset = id === undefined ? null : await library.find(viewer.organization.id, id);
  if (!asset || !maySee(viewer, asset.memberUserId)) throw noSuch("file");
  return asset;
}
