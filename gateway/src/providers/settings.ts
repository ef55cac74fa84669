/** The operator's settings of one provider, passed on by the configuration unchanged. */
export type ProviderSettings = {
  readonly name: string;
  /** Which adapter to use; null if the name itself is a kind (`openai`, `groq` …). */
  readonly kind: string | null;
  /** Without a trailing slash. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** Instead of a key: what signs each request to Bedrock. */
  readonly awsKeys?: AwsKeys;
  /** Instead of a key: what Vertex exchanges for tokens that last an hour. */
  readonly serviceAccount?: ServiceAccount;
  /** Sent with every call, in addition to our own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the vendor's config object. */
  readonly onDisconnect?: "stop" | "drain";
  /** For services that require one in the URL. */
  readonly apiVersion?: string;
  /** The cloud region that runs the model. */
  readonly region?: string;
  readonly project?: string;
  /** Whether a stream may be asked for its final usage. Absent: the vendor's config object decides. */
  readonly streamUsage?: boolean;
  /** The name of the output limit's field. Absent: the vendor's config object decides. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Whether it serves `/responses`. Absent: the vendor's config object decides. */
  readonly responses?: boolean;
  /** Whether the output limit excludes its models' reasoning. Absent: the vendor's config object decides. */
  readonly thinksBeyondLimit?: boolean;
};

type AwsKeys = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only temporary keys have one. */
  readonly sessionToken?: string;
};

export type ServiceAccount = {
  readonly email: string;
  /** In PEM. */
  readonly privateKey: string;
  readonly keyId?: string;
  /** Where a signed claim is exchanged for a token. */
  readonly tokenUrl: string;
};
