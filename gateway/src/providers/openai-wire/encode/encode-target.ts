import type { WireVendor } from "../vendor.ts";

/** Where an encoded request goes. */
export type EncodeTarget = {
  readonly vendor: WireVendor;
  readonly model: string;
  /** The provider's name: only signatures sealed under it are sent back. */
  readonly namespace: string;
};
