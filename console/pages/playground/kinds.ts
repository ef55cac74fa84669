import { AudioLines, Clapperboard, Image, type LucideIcon, MessageSquare, Music } from "lucide-react";
import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";

export type Kind = "chat" | "image" | "speech" | "music" | "video";

export const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly icon: LucideIcon }[] = [
  { kind: "chat", label: "Chat", icon: MessageSquare },
  { kind: "image", label: "Image", icon: Image },
  { kind: "speech", label: "Speech", icon: AudioLines },
  { kind: "music", label: "Music", icon: Music },
  { kind: "video", label: "Video", icon: Clapperboard },
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
