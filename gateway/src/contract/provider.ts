import type { TextProvider } from "./chat.ts";
import type { ImageProvider, MusicProvider, SpeechProvider, VideoProvider } from "./media.ts";

/** A request that the vendor answers for free: it tests the address and the key. */
export type FreeQuestion = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is posted; absent for a GET. Made when it is asked, since it may be signed with a time. */
  form?(this: void): string;
  /** False if the vendor also answers without a valid key. */
  readonly provesKey: boolean;
  /** Whether the response lists every available model by name. */
  readonly listsModels: boolean;
};

/** The result of a free request to one provider. */
export type ProviderTrial =
  /** `models` is null if the response does not list them. */
  | {
      readonly outcome: "answered";
      readonly provesKey: boolean;
      readonly models: ReadonlySet<string> | null;
    }
  /** The request contained nothing but the key, so nothing else can be wrong. */
  | { readonly outcome: "refused"; readonly status: number }
  /** Something responds, but not like the provider would. A null status: the body is not JSON. */
  | { readonly outcome: "unexpected"; readonly status: number | null; readonly asked: string }
  | { readonly outcome: "unreached"; readonly reason: string }
  | { readonly outcome: "untried" };

/** One configured provider in the registry, with one field per modality that it serves. */
export type Provider = {
  readonly name: string;
  /** Absent if every request costs, or if none is known that does not. */
  readonly freeQuestion?: FreeQuestion;
  readonly text?: TextProvider;
  readonly image?: ImageProvider;
  readonly speech?: SpeechProvider;
  readonly music?: MusicProvider;
  readonly video?: VideoProvider;
};

type Medium = Exclude<keyof Provider, "name" | "freeQuestion">;

/** Every configured provider by name. Elsewhere a name is only a value: no other code branches on it. */
export type Registry = {
  /** The configured providers; the catalog lists a model only if one of its targets is among them. */
  readonly names: ReadonlySet<string>;
  /** Whether the provider is configured and serves this modality. */
  serves(name: string, medium: Medium): boolean;
  /** Whether its server drops messages unasked. */
  dropsMessages(name: string): boolean;
  /** Whether the output limit excludes its models' reasoning. */
  thinksBeyondLimit(name: string): boolean;
  /** The provider of a resolved target. The catalog offers only what is served, so a miss is a bug of ours. */
  text(name: string): TextProvider;
  image(name: string): ImageProvider;
  speech(name: string): SpeechProvider;
  music(name: string): MusicProvider;
  video(name: string): VideoProvider;
};
