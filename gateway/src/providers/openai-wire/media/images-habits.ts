import type { ResolutionTier } from "../../../media/index.ts";

/** How one server is asked for images. */
export type ImageHabits = {
  /** Appended to the base URL. */
  readonly path: string;
  /** How the dimensions are sent: as one text (`1024x1024`), as two numbers, or as an aspect ratio and a tier. */
  readonly shape: "size" | "sides" | "ratio";
  /** Names of the tiers that go with a ratio; a tier that is absent is not offered. */
  readonly tierNames: Readonly<Partial<Record<ResolutionTier, string>>>;
  /** The `response_format` that returns the image inline; null if that is the only way, or if no value is known. */
  readonly inlineFormat: "b64_json" | "base64" | null;
  /** Most images per call; more take several calls. */
  readonly perCall: number;
  /** Values of `output_format` that all of its models accept. */
  readonly formats: readonly string[];
  /** Whether all of its models support every output option in OpenAI's words. */
  readonly takesFinish?: boolean;
};

/** The original form of the API, which nearly every server copies. */
export const SIZED_IMAGES: ImageHabits = Object.freeze({
  path: "/images/generations",
  shape: "size",
  tierNames: {},
  inlineFormat: "b64_json",
  perCall: 10,
  formats: [],
});

/**
 * Deployments are named by the operator, so a model that refuses `response_format` cannot be recognized by its name.
 */
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
