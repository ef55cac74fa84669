import type { AssetRow } from "../../../src/http/console/contract.ts";

export const TYPE_WORDS: Readonly<Record<AssetRow["type"], string>> = {
  image: "Image",
  video: "Video",
  audio: "Audio",
};

/** What stands where somebody would look for a title. */
export function titleOf({ prompt, type }: Pick<AssetRow, "prompt" | "type">): string {
  return prompt?.trim() || `${TYPE_WORDS[type]} without a prompt`;
}

export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Width by height; what a tile takes where nobody knows, and at the most: a banner must not fill the page. */
export function shapeOf({ type, width, height }: AssetRow): number {
  if (type === "audio") return 1.5;
  if (!width || !height) return type === "video" ? 16 / 9 : 1;
  return Math.min(3, Math.max(0.5, width / height));
}

/** A name that says what it is; the browser knows the ending by the address. */
export function fileNameOf({ url, prompt, type }: AssetRow): string {
  const ending = url.slice(url.lastIndexOf("."));
  const words = (prompt ?? "").toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${words.slice(0, 6).join("-").slice(0, 60) || TYPE_WORDS[type].toLowerCase()}${ending}`;
}
