/** A file that goes with a request, in the format of the API. */
export type ReferenceFile = {
  readonly name: string;
  readonly sizeBytes: number;
  /** A data URI. */
  readonly data: string;
};

export type ReferenceKind = "image" | "video" | "audio";
export type References = Readonly<Partial<Record<ReferenceKind, ReferenceFile>>>;

const MIB = 1024 * 1024;
/** The gateway's own limits, checked before a long upload instead of after it. */
const MAX_FILE_BYTES = 25 * MIB;
const MAX_TOGETHER_BYTES = 29 * MIB;

/** Why it cannot be added; null if it can. */
export function tooLarge(file: File, others: References): string | null {
  if (file.size > MAX_FILE_BYTES) return `${file.name} is too large: 25 MB at most.`;
  const together = Object.values(others).reduce((sum, { sizeBytes }) => sum + sizeBytes, file.size);
  return together > MAX_TOGETHER_BYTES ? "These files are too large together: 29 MB at most." : null;
}

export function readReference(file: File): Promise<ReferenceFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve({ name: file.name, sizeBytes: file.size, data: String(reader.result ?? "") });
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });
}
