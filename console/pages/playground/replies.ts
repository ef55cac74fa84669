/** Replies of the gateway's own endpoints; the playground calls them as any program would. */
export type Payment = {
  readonly credits_charged: number;
  readonly balance: { readonly subscription: number; readonly anytime: number };
};

export type ChatEnd = Payment & {
  readonly request_id: string;
  readonly model: string;
  readonly finish_reason: "stop" | "length" | "content_filter";
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  readonly efficiency: {
    readonly original_estimated_tokens: number;
    readonly compacted_estimated_tokens: number;
    readonly tokens_saved: number;
    readonly actions: readonly string[];
  };
};

export type ImageReply = Payment & {
  readonly request_id: string;
  readonly model: string;
  readonly image_url: string;
};

export type AudioReply = Payment & {
  readonly request_id: string;
  readonly model: string;
  readonly audio_url: string;
};

export type VideoTaken = {
  readonly request_id: string;
  readonly model: string;
  readonly credits_estimate: number;
};

export type VideoPoll = Partial<Payment> & {
  readonly request_id: string;
  readonly model: string;
  readonly status: "processing" | "complete" | "failed";
  readonly provider_status: string;
  readonly video_url?: string;
};
