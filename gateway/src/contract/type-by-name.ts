export const IMAGE_TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
};
const FILE_TYPES: Readonly<Record<string, string>> = {
  ...IMAGE_TYPES,
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  mp4: "video/mp4",
};

/** The type by the file name's extension, for bytes that came without one. */
export function fileTypeByName(name: string): string | null {
  return typeByName(name, FILE_TYPES);
}

export function typeByName(name: string, types: Readonly<Record<string, string>>): string | null {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(types, extension) ? (types[extension] ?? null) : null;
}
