import { createFileStore } from "./fs-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { createS3Store, type S3Settings } from "./s3-store.ts";

export type ObjectStoreSettings =
  | { readonly kind: "files"; readonly folder: string }
  | ({ readonly kind: "s3" } & S3Settings);

/** Touches nothing yet: the first write creates the folder. */
export function openObjectStore(settings: ObjectStoreSettings): ObjectStore {
  return settings.kind === "s3" ? createS3Store(settings) : createFileStore(settings.folder);
}
