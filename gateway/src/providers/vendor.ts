import { type WireVendor, wireVendor } from "./openai-wire/vendor.ts";

/** One kind of provider: what its settings may say, and how it is reached. */
export type Vendor = {
  /** Which factory of the registry creates it. */
  readonly wire:
    | "openai"
    | "sandbox"
    | "xai"
    | "anthropic"
    | "google"
    | "vertex"
    | "bedrock"
    | "cohere"
    | "fal"
    | "replicate"
    | "elevenlabs";
  /** How its server differs from others of OpenAI's wires. */
  readonly habits?: WireVendor;
  /** What it makes; speakers of chat completions make text as well. */
  readonly makes: "chat" | "text" | "media";
  /** A key or a URL in the environment is not enough. */
  readonly needsEntry?: boolean;
  /** It has no URL of its own. */
  readonly needsAddress?: boolean;
  /** The vendor's own name for the key, if that is not `NAME_API_KEY`: used if the other is not set. */
  readonly otherKeyName?: string;
  /** Fields of its entry that hardly anybody else uses. */
  readonly takes?: readonly string[];
};
export type ChatVendor = Vendor & { readonly habits: WireVendor };

export function chat(differences: Partial<WireVendor>, more: Partial<Vendor> = {}): ChatVendor {
  return { wire: "openai", makes: "chat", ...more, habits: wireVendor(differences) };
}
