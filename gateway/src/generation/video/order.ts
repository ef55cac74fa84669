import type { Library } from "../../assets/index.ts";
import type { FrozenVideoPrice, Target } from "../../catalog/index.ts";
import { type GivenFile, type KeptFile, ProviderFailure, type VideoRequest } from "../../contract/index.ts";
import { isUsableMedia } from "../../media/index.ts";

/** The kinds of reference media. */
export const REFERENCES = ["referenceImage", "referenceVideo", "referenceAudio"] as const;
export type Reference = (typeof REFERENCES)[number];

/** The first that no provider can use, whatever its header says; null if there is none. */
export async function unusableReference(
  references: Readonly<Partial<Record<Reference, GivenFile>>>,
): Promise<Reference | null> {
  for (const name of REFERENCES) {
    const file = references[name];
    if (file !== undefined && !(await isUsableMedia(file))) return name;
  }
  return null;
}

/** What a caller asks for, without the reference media. */
export type VideoOptions = Omit<VideoRequest, Reference>;

/** What a job's row keeps until the job ends: the options, the keys of its references, and the price at submission. */
export type VideoOrder = {
  /** The options; stored rows have this name for them. */
  readonly wish: VideoOptions;
  /** Keys of private objects. */
  readonly references: Readonly<Partial<Record<Reference, string>>>;
  readonly price: FrozenVideoPrice;
  /** In the order in which they are tried; kept here because the catalog may change while the job runs. */
  readonly targets: readonly Target[];
};

export function privateKeys({ references }: VideoOrder): string[] {
  return Object.values(references);
}

/** The request as the provider gets it. */
export async function loadVideoRequest(library: Library, order: VideoOrder): Promise<VideoRequest> {
  const [referenceImage, referenceVideo, referenceAudio] = await Promise.all(
    REFERENCES.map((name) => loadReference(library, order.references[name])),
  );
  return {
    ...order.wish,
    referenceImage: referenceImage ?? null,
    referenceVideo: referenceVideo ?? null,
    referenceAudio: referenceAudio ?? null,
  };
}

async function loadReference(library: Library, key: string | undefined): Promise<KeptFile | null> {
  if (key === undefined) return null;
  const file = await library.openPrivate(key);
  // References are swept only long after the job's deadline, so this step is late and the job is about to time out.
  if (file === null) throw new ProviderFailure("unavailable", "The reference media are gone.");
  return file;
}
