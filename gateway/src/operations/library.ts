import { z } from "zod";
import { type Asset, assetUrl } from "../assets/index.ts";
import { parseUuid } from "../kit/index.ts";
import { type ActIn, defineOperation, maySee, onlyMemberOf, serving } from "./operation.ts";
import { invalidInput, noSuch } from "./problem.ts";

const PAGE = { usual: 40, most: 100 };
const MAX_TEXT_CHARS = 500;
const TYPE = z.enum(["image", "video", "audio"]);

export const ASSET = z
  .object({
    id: z.string(),
    type: TYPE,
    url: z.string(),
    mimeType: z.string(),
    sizeBytes: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    durationSeconds: z.number().nullable(),
    model: z.string(),
    prompt: z.string().nullable(),
    requestId: z.string(),
    memberName: z.string().nullable(),
    credits: z.int(),
    createdAt: z.string(),
    mayDelete: z.boolean(),
  })
  .meta({ id: "LibraryAsset" });

/** With the names of who made them, which also determines who may delete them. */
export async function assetRowsOf(act: ActIn, assets: readonly Asset[]): Promise<z.input<typeof ASSET>[]> {
  const makers = new Set(assets.flatMap(({ memberUserId }) => memberUserId ?? []));
  const names = await act.services.identity.people.namesOf([...makers]);
  return assets.map((asset) => ({
    id: asset.id,
    type: asset.type,
    url: assetUrl(act.services.publicUrl, asset),
    mimeType: asset.mediaType,
    sizeBytes: asset.sizeBytes,
    width: asset.width,
    height: asset.height,
    durationSeconds: asset.durationMs === null ? null : asset.durationMs / 1000,
    model: asset.model,
    prompt: asset.prompt,
    requestId: asset.requestId,
    memberName: asset.memberUserId === null ? null : (names.get(asset.memberUserId) ?? null),
    credits: asset.creditsCharged,
    createdAt: asset.createdAt.toISOString(),
    mayDelete: maySee(act, asset.memberUserId),
  }));
}

/** One answer for deleted files, files of others and files that never existed. */
async function findAsset(act: ActIn, given: string): Promise<Asset> {
  const id = parseUuid(given);
  const asset =
    id === undefined ? null : await serving(act).library.find(act.organization.id, id, act.services.db);
  if (!asset || !maySee(act, asset.memberUserId)) throw noSuch("file");
  return asset;
}

async function rowOf(act: ActIn, asset: Asset): Promise<z.input<typeof ASSET>> {
  const [row] = await assetRowsOf(act, [asset]);
  return row as z.input<typeof ASSET>;
}

const ID = z.string().describe("the file's id");

const listAssets = defineOperation({
  name: "asset.list",
  area: "library",
  access: "read",
  place: "organization",
  who: "member",
  rest: ["GET /organizations/{org}/assets"],
  input: z.strictObject({
    type: TYPE.optional(),
    model: z.string().max(MAX_TEXT_CHARS).optional(),
    memberId: z.guid().optional(),
    cursor: z.string().max(MAX_TEXT_CHARS).optional().describe("`next_cursor` of the previous page"),
    limit: z.int().min(1).max(PAGE.most).optional(),
  }),
  output: z.object({ rows: z.array(ASSET), nextCursor: z.string().nullable() }).meta({ id: "LibraryAssets" }),
  words: { about: "List the library's files, newest first.", notes: "Members see only what they made." },
  async run(act, { type, model, memberId, cursor = null, limit = PAGE.usual }) {
    const memberUserId = onlyMemberOf(act) ?? memberId;
    const page = await serving(act).library.list(act.organization.id, {
      limit,
      cursor,
      filter: {
        ...(type === undefined ? {} : { type }),
        ...(model === undefined ? {} : { model }),
        ...(memberUserId === undefined ? {} : { memberUserId }),
      },
    });
    if (page === null) throw invalidInput("cursor", "That page is gone. Reload the library.");
    return { rows: await assetRowsOf(act, page.assets), nextCursor: page.nextCursor };
  },
});

const getAsset = defineOperation({
  name: "asset.get",
  area: "library",
  access: "read",
  place: "organization",
  who: "member",
  rest: ["GET /organizations/{org}/assets/{id}"],
  input: z.strictObject({ id: ID }),
  output: ASSET,
  words: { about: "Show one file of the library." },
  run: async (act, { id }) => rowOf(act, await findAsset(act, id)),
});

const deleteAsset = defineOperation({
  name: "asset.delete",
  area: "library",
  access: "write",
  place: "organization",
  who: "member",
  rest: ["DELETE /organizations/{org}/assets/{id}"],
  input: z.strictObject({ id: ID }),
  output: z.object({ id: z.string() }).meta({ id: "DeletedAsset" }),
  words: { about: "Delete a file: its URL no longer works.", notes: "Members delete only what they made." },
  async run(act, { id: given }) {
    const { id, type } = await findAsset(act, given);
    const remove = await serving(act).library.withdraw(act.services.db, act.organization.id, id);
    if (remove === null) throw noSuch("file");
    return {
      output: { id },
      changed: { object: { kind: "asset", id, name: null }, before: { type }, after: null },
      afterwards: remove,
    };
  },
});

export const LIBRARY_OPERATIONS = [listAssets, getAsset, deleteAsset] as const;
