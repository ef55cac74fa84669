import type { AssetRow } from "../../../gateway/src/http/console/contract.ts";

export const TYPE_WORDS: Readonly<Record<AssetRow["type"], string>> = {
  image: "Image",
  video: "Video",
  audio: "Audio",
};

/** Shown where users expect a title. */
export function titleOf({ prompt, type }: Pick<AssetRow, "prompt" | "type">): string {
  return prompt?.trim() || `${TYPE_WORDS[type]} without a prompt`;
}

export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Width by height, with a default if unknown, and limits: a banner must not fill the page. */
export function shapeOf({ type, width, height }: AssetRow): number {
  if (type === "audio") return 1.5;
  if (!width || !height) return type === "video" ? 16 / 9 : 1;
  return Math.min(3, Math.max(0.5, width / height));
}
