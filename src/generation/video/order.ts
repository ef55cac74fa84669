import type { Library } from "../../assets/index.ts";
import type { FrozenVideoPrice, Target } from "../../catalog/index.ts";
import { type KeptFile, ProviderFailure, type VideoRequest } from "../../providers/index.ts";

/** The three ways in which a caller shows what is meant. */
export const REFERENCES = ["referenceImage", "referenceVideo", "referenceAudio"] as const;
export type Reference = (typeof REFERENCES)[number];

/** What a caller asks for, reference media aside. */
export type VideoWish = Omit<VideoRequest, Reference>;

/** What a job's row keeps until the job ends: the wish, where its references lie, and what it was priced by. */
export type VideoOrder = {
  readonly wish: VideoWish;
  /** Keys of private objects. */
  readonly references: Readonly<Partial<Record<Reference, string>>>;
  readonly price: FrozenVideoPrice;
  /** In the order in which they are tried; the catalog may change while the job runs. */
  readonly targets: readonly Target[];
};

export function privateKeys({ references }: VideoOrder): string[] {
  return Object.values(references);
}

/** The request as its provider is told it. */
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
  // Swept only long after the deadline of its job: whoever comes here is late, and is told so by the deadline.
  if (file === null) throw new ProviderFailure("unavailable", "The reference media are gone.");
  return file;
}
