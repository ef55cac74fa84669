import type { WireVendor } from "../vendor.ts";

/** Whom a request is written for. */
export type EncodeTarget = {
  readonly vendor: WireVendor;
  readonly model: string;
  /** The provider's name: whose seals are handed back. */
  readonly namespace: string;
};
