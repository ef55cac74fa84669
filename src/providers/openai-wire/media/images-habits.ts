import type { ResolutionTier } from "../../../kit/index.ts";

/** How one server is asked for pictures. */
export type ImageHabits = {
  /** Behind the base address. */
  readonly path: string;
  /** The shape is said as one text (`1024x1024`), as two numbers, or as a ratio and a tier. */
  readonly shape: "size" | "sides" | "ratio";
  /** What the tier is called beside a ratio; a tier that is absent is not made. */
  readonly tierNames: Readonly<Partial<Record<ResolutionTier, string>>>;
  /** The word that brings the picture in the reply itself; null where that is the only way, or no word is known. */
  readonly inlineFormat: "b64_json" | "base64" | null;
  /** Pictures that one call brings at most; more are several calls. */
  readonly perCall: number;
  /** What any of its models may be told to write, as `output_format`. */
  readonly formats: readonly string[];
};

/** As the wire was first written, and as nearly every server copies it. */
export const SIZED_IMAGES: ImageHabits = Object.freeze({
  path: "/images/generations",
  shape: "size",
  tierNames: {},
  inlineFormat: "b64_json",
  perCall: 10,
  formats: [],
});

/** Its deployments have names of the operator's, so that a model which refuses the word cannot be told by its name. */
export const DEPLOYED_IMAGES: ImageHabits = Object.freeze({ ...SIZED_IMAGES, inlineFormat: null });

export const SIDED_IMAGES: ImageHabits = Object.freeze({
  ...SIZED_IMAGES,
  shape: "sides",
  inlineFormat: "base64",
  perCall: 4,
  formats: ["jpeg", "png"],
});

export const XAI_IMAGES: ImageHabits = Object.freeze({
  ...SIZED_IMAGES,
  shape: "ratio",
  tierNames: { "1k": "1k", "2k": "2k" },
  perCall: 3,
});

export const ROUTED_IMAGES: ImageHabits = Object.freeze({
  path: "/images",
  shape: "ratio",
  tierNames: { "1k": "1K", "2k": "2K", "4k": "4K" },
  inlineFormat: null,
  perCall: 1,
  formats: [],
});
