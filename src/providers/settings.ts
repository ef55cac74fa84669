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
  readonly onDisconnect?: "stop" | "drain" | null;
  /** Of a service that wants one in its address. */
  readonly apiVersion?: string | null;
  /** Where a cloud runs the model. */
  readonly region?: string | null;
  readonly project?: string | null;
  /** Whether the final usage may be asked for in a stream; null leaves it to the vendor's config object. */
  readonly streamUsage?: boolean | null;
  /** What the limit of the answer is called there; null leaves it to the vendor's config object. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens" | null;
  /** Whether it serves `/responses`; null leaves it to the vendor's config object. */
  readonly responses?: boolean | null;
  /** Whether the limit leaves out what its models think; null leaves it to the vendor's config object. */
  readonly thinksBeyondLimit?: boolean | null;
};
