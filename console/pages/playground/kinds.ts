import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";
import type { IconName } from "../../parts/icons/icon.tsx";

export type Kind = "chat" | "image" | "speech" | "music" | "video";

export const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly icon: IconName }[] = [
  { kind: "chat", label: "Chat", icon: "message-square" },
  { kind: "image", label: "Image", icon: "image" },
  { kind: "speech", label: "Speech", icon: "audio-lines" },
  { kind: "music", label: "Music", icon: "music" },
  { kind: "video", label: "Video", icon: "clapperboard" },
];

/** Whether the playground has a page of this name; undefined means the first one. */
export function isPage(text: string | undefined): boolean {
  return text === undefined || KINDS.some(({ kind }) => kind === text);
}

export function kindOf(text: string | undefined): Kind {
  return KINDS.find(({ kind }) => kind === text)?.kind ?? "chat";
}

export function makes(model: ModelRow, kind: Kind): boolean {
  if (kind === "chat") return model.type === "text";
  if (kind === "speech" || kind === "music") return model.choices.audioKind === kind;
  return model.type === kind;
}
