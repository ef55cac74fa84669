import type { MadeFile } from "../../../gateway/src/contract/index.ts";
import { type FileStore, nameOfContent } from "./file-store.ts";

/** Keeps a file for whoever is told its address. */
export type HostFile = (file: MadeFile) => Promise<string>;

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "audio/mpeg": "mp3",
  "video/mp4": "mp4",
};

export const FILES = "/files/";

function fileName(name: string, mediaType: string): string {
  return `${name}.${EXTENSIONS[mediaType] ?? "bin"}`;
}

/** No key is needed to fetch one, so its name cannot be guessed without the content. */
export function createHostFile(store: FileStore, address: () => string): HostFile {
  return async ({ bytes, mediaType }) => {
    const name = fileName(nameOfContent(bytes), mediaType);
    await store.put(name, bytes);
    return `${address()}${FILES}${name}`;
  };
}

const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(EXTENSIONS).map(([type, extension]) => [extension, type]),
);

/** A file as its maker's client may fetch it; what was given to us is nobody's to fetch. */
export async function serveFile(store: FileStore, name: string): Promise<Response> {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
  const file = type === undefined ? null : await store.find(name);
  if (file === null || type === undefined) return new Response(null, { status: 404 });
  return new Response(file, { headers: { "content-type": type, "x-content-type-options": "nosniff" } });
}
