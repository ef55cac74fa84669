import type { WireVendor } from "./openai-wire/vendor.ts";
import type { ChatVendor } from "./vendor.ts";
import { type ROWS, VENDORS } from "./vendors.ts";

export type WireVendorName = {
  [Kind in keyof typeof ROWS]: (typeof ROWS)[Kind] extends ChatVendor ? Kind : never;
}[keyof typeof ROWS];

/** How each server of OpenAI's wires differs from the others. */
export const WIRE_VENDORS = Object.fromEntries(
  Object.entries(VENDORS).flatMap(([kind, { habits }]) => (habits === undefined ? [] : [[kind, habits]])),
) as Readonly<Record<WireVendorName, WireVendor>>;
