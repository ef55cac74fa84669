import { expect } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { PLACE_FILE } from "../../gateway/src/assets/index.ts";
import type { TestGateway, TestOrganization } from "../harness.ts";
import type { Seen } from "./chat-client.ts";

/** A request for an image or speech, as an ordinary client makes it. */
export type MediaAsk = {
  readonly origin: string;
  readonly of: Pick<TestOrganization, "key">;
  readonly prompt: string;
  /** The suffix of the model's id; see `mediaSettings`. */
  readonly name: string;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

function sender(path: string, kind: "pictures" | "sounds", fields: object = {}) {
  return (ask: MediaAsk): Promise<Response> =>
    fetch(`${ask.origin}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${ask.of.key}`,
        "content-type": "application/json",
        ...(ask.idempotencyKey === undefined ? {} : { "idempotency-key": ask.idempotencyKey }),
      },
      body: JSON.stringify({ ...fields, model: `${kind}-${ask.name}`, prompt: ask.prompt }),
      signal: ask.signal ?? null,
    });
}

/** Every way to make a file while the caller waits; five credits each. */
export const MEDIA_FORMS = [
  ["an image", sender("/functions/v1/api-v1-images", "pictures")],
  ["an image of /v1", sender("/v1/images/generations", "pictures")],
  ["a sound", sender("/functions/v1/api-v1-audio", "sounds")],
] as const;

/** An image inside its reply, which is read from the library after the charge. */
export const drawInside = sender("/v1/images/generations", "pictures", { response_format: "b64_json" });

export async function seen(response: Response): Promise<Seen> {
  const body = (await response.json()) as Record<string, unknown>;
  return {
    requestId: response.headers.get("x-request-id") ?? "",
    ended: response.ok ? "done" : "error",
    status: response.status,
    body,
    text: "",
  };
}

/** After a sweep of unpaid files, the library and its object store agree. */
export async function expectNoOrphans({ services, database }: TestGateway): Promise<void> {
  await database.advanceClock(3 * 60 * 60 * 1_000);
  // Those hours also passed for the gateway's own lease: the next call must not find it expired.
  await services.lease.renew();
  await services.library.sweep();
  const { rows } = await database.db.pool.query<{ object_key: string }>("select object_key from assets");
  expect(filesOf(services.config.objects).length).toBe(rows.length);
  const orphans = await database.db.pool.query("select 1 from stray_objects");
  expect(orphans.rowCount).toBe(0);
}

export async function assetCount({ database }: TestGateway, orgId: string): Promise<number> {
  const found = await database.db.pool.query("select 1 from assets where org_id = $1", [orgId]);
  return found.rowCount ?? 0;
}

function filesOf(objects: TestGateway["services"]["config"]["objects"]): string[] {
  if (objects.kind !== "files") throw new Error("these tests look at a folder");
  if (!existsSync(objects.folder)) return [];
  return readdirSync(objects.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== PLACE_FILE)
    .map(({ name }) => name);
}
