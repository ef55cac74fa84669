import type { ImageModelV4, ImageModelV4CallOptions } from "@ai-sdk/provider";
import type {
  CallContext,
  ImageProvider,
  ImageReport,
  ImageRequest,
  MadeFile,
} from "../../../contract/index.ts";
import { realSignal } from "../../../kit/index.ts";
import { makeInRounds } from "../../media/in-rounds.ts";
import { madeFile } from "../../media/made-file.ts";
import { emptyResult } from "./empty-result.ts";
import { callModel, refusedByContent } from "./model-call.ts";

type ImageModel = Pick<ImageModelV4, "doGenerate">;
export type GeneratedImages = Awaited<ReturnType<ImageModel["doGenerate"]>>;

/** The part of a call that depends on the vendor. */
export type ImageSettings = Partial<Pick<ImageModelV4CallOptions, "size" | "aspectRatio">> & {
  readonly providerOptions?: ImageModelV4CallOptions["providerOptions"];
};

type AiSdkImageOptions = {
  load(): Promise<(modelId: string) => ImageModel>;
  /** Throws a ProviderFailure if the vendor does not support the request. */
  encode(request: ImageRequest): ImageSettings;
  /** The most images that one call returns. */
  readonly perCall: number;
  /** Whether the vendor flagged this image by its content rules; absent if it never flags. */
  isFlagged?(metadata: GeneratedImages["providerMetadata"], at: number): boolean;
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
};

export function createAiSdkImageProvider(options: AiSdkImageOptions): ImageProvider {
  const { load, encode, perCall, secrets } = options;
  async function makeSome(input: {
    readonly model: ImageModel;
    readonly request: ImageRequest;
    readonly settings: ImageSettings;
    readonly n: number;
    readonly context: CallContext;
    readonly note: ((report: ImageReport) => void) | undefined;
  }): Promise<readonly MadeFile[]> {
    const { model, request, settings, n, context } = input;
    const { images, isRetryable, providerMetadata, usage } = await callModel(context, secrets, () =>
      model.doGenerate({
        prompt: request.prompt,
        n,
        size: settings.size,
        aspectRatio: settings.aspectRatio,
        seed: undefined,
        files: undefined,
        mask: undefined,
        providerOptions: settings.providerOptions ?? {},
        abortSignal: realSignal(context.signal),
      }),
    );
    if (images.length === 0) {
      throw isRetryable === false ? refusedByContent() : emptyResult("picture", wordOf(providerMetadata));
    }
    const allowed = images.slice(0, n).filter((_, at) => !options.isFlagged?.(providerMetadata, at));
    if (allowed.length === 0) throw refusedByContent();
    const { inputTokens, outputTokens } = usage ?? {};
    if (inputTokens !== undefined && outputTokens !== undefined)
      input.note?.({ usage: { inputTokens, outputTokens } });
    return allowed.map((image) => madeFile(bytesOf(image), "image"));
  }

  return {
    async makeImages(upstreamModel, request, context, note) {
      const settings = encode(request);
      const models = await callModel(context, secrets, load);
      const model = models(upstreamModel);
      return makeInRounds({
        n: request.n,
        perCall,
        signal: context.signal,
        make: (n) => makeSome({ model, request, settings, n, context, note }),
      });
    },
  };
}

function bytesOf(image: string | Uint8Array): Uint8Array {
  return typeof image === "string" ? Buffer.from(image, "base64") : image;
}

/** Only Google reports how an answer ended. */
function wordOf(metadata: GeneratedImages["providerMetadata"]): string | null {
  const word = (metadata?.["google"] as { readonly finishReason?: unknown } | undefined)?.finishReason;
  return typeof word === "string" ? word : null;
}
