import { hostname } from "node:os";
import { type ObjectStoreSettings, openObjectStore } from "./open-store.ts";

/** The same for two nodes only where both find the same objects: a folder is another one on every machine. */
export function objectsPlace(settings: ObjectStoreSettings): string {
  const { description } = openObjectStore(settings);
  return settings.kind === "files" ? `${description} on ${hostname()}` : description;
}
