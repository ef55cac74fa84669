/** How one provider is reached, as the operator says; the configuration hands these over as they are. */
export type ProviderSettings = {
  readonly name: string;
  /** Which adapter speaks to it; null where the name itself is a kind (`openai`, `groq` …). */
  readonly kind: string | null;
  /** Without a slash at its end. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** Sent with every call, beside our own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes before what the vendor's config object says. */
  readonly onDisconnect?: "stop" | "drain";
  /** Of a service that wants one in its address. */
  readonly apiVersion?: string;
  /** Where a cloud runs the model. */
  readonly region?: string;
  readonly project?: string;
  /** Whether the final usage may be asked for in a stream; absent, it is left to the vendor's config object. */
  readonly streamUsage?: boolean;
  /** What the limit of the answer is called there; absent, it is left to the vendor's config object. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Whether it serves `/responses`; absent, it is left to the vendor's config object. */
  readonly responses?: boolean;
  /** Whether the limit leaves out what its models think; absent, it is left to the vendor's config object. */
  readonly thinksBeyondLimit?: boolean;
};
